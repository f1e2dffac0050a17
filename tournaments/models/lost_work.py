"""Work whose process has died, so that no work kills one process after another."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

# Deaths of processes at one piece of work after which it is given up.
MAX_LOSSES = 3


class LostWorkQuerySet(models.QuerySet["LostWork"]):
    def given_up(self) -> LostWorkQuerySet:
        return self.filter(losses__gte=MAX_LOSSES)


class LostWork(models.Model):
    """A piece of work that its process did not survive. The row is deleted at the next success.

    `key` is the number or name that the task was sent.
    """

    class Kind(models.TextChoices):
        EVENT = "event", _("Next step of an event")
        RATINGS = "ratings", _("Ratings computed again")
        ANNULMENT = "annulment", _("Annulment")
        PAGE = "page", _("Page of a large event")

    kind = models.CharField(max_length=9, choices=Kind.choices)
    key = models.CharField(max_length=200)
    losses = models.PositiveSmallIntegerField()
    lost_at = models.DateTimeField()
    # It is not tried again before.
    due_at = models.DateTimeField()

    objects = LostWorkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="lost_work_once"),
            models.CheckConstraint(condition=Q(losses__gte=1), name="lost_work_has_losses"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: lost {self.losses} times"
