"""Festivals: several events under one name, with one entry page and one series of boards."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Event

NAME_LENGTH = 80
MAX_DESCRIPTION = 2000
MAX_SECTIONS = 20


class Festival(models.Model):
    """The whole of which events are sections. It has no results of its own."""

    class PrizesBy(models.TextChoices):
        """The order in which players of all sections win the prizes of the festival."""

        PERCENT = "percent", _("percent of the possible points")
        POINTS = "points", _("points")

    name = models.CharField(max_length=NAME_LENGTH)
    slug = models.SlugField(max_length=80, unique=True)
    description = models.TextField(blank=True, max_length=MAX_DESCRIPTION)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="festivals"
    )
    # True if the boards of a section are numbered after those of the sections before it.
    has_continuous_boards = models.BooleanField(default=True)
    prizes_by = models.CharField(max_length=7, choices=PrizesBy.choices, default=PrizesBy.PERCENT)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(name__length__gte=1, name__length__lte=NAME_LENGTH),
                name="festival_has_a_name",
            ),
            models.CheckConstraint(
                condition=Q(prizes_by__in=["percent", "points"]), name="festival_prizes_by_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("festival", args=[self.slug])


class Section(models.Model):
    """An event of a festival. Its place is its number by position."""

    festival = models.ForeignKey(Festival, on_delete=models.CASCADE, related_name="sections")
    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="section")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return f"{self.event} in {self.festival}"
