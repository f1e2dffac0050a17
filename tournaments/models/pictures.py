"""Pictures for other sites, each drawn by a worker when it is first asked for."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Picture(models.Model):
    """The latest picture of an object.

    Attributes:
        kind, name: the object, by its key or slug.
        version: the state of the object that `content` shows, empty before it was drawn.
        size: bytes of `content`.
        asked_at: when a worker was last sent for.
        drawn_at: when a worker last answered, or None before the first time.
    """

    class Kind(models.TextChoices):
        GAME = "game"
        EVENT = "event"
        PLAYER = "player"
        PUZZLE = "puzzle"
        STUDY = "study"
        REPLAY = "replay"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=120)
    version = models.CharField(max_length=16, blank=True)
    content = models.BinaryField(null=True)
    size = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField()
    drawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "name"], name="picture_once"),
            models.CheckConstraint(
                condition=Q(content__isnull=True, version="", size=0)
                | (Q(content__isnull=False, size__gte=1) & ~Q(version="")),
                name="picture_version_when_drawn",
            ),
        ]
        indexes = [models.Index(fields=["asked_at"], name="picture_by_age")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

    @property
    def is_open(self) -> bool:
        """Return whether a worker was sent for and has not answered since."""
        return self.drawn_at is None or self.asked_at > self.drawn_at
