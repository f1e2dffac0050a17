"""Warnings and penalties of the arbiter."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entries import Entry
from tournaments.models.events import MAX_ROUNDS_OF_TABLES


class SanctionQuerySet(models.QuerySet["Sanction"]):
    def of_event(self, event_id: int) -> SanctionQuerySet:
        """Return the sanctions of an event that are not lifted, in the order of rounds."""
        rows = self.filter(entry__event=event_id, lifted_at=None)
        return rows.order_by("round_number", "pk")


class Sanction(models.Model):
    """A warning or a penalty of a player or a team in a round (FIDE Laws 12.9).

    Expulsions are states of the entry.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")  # 12.9.1
        TIME = "time", _("time penalty")  # 12.9.2, 12.9.3
        POINTS = "points", _("points deducted")  # 12.9.5
        LOSS = "loss", _("game lost")  # 12.9.6
        EXCLUSION = "exclusion", _("excluded from a round")  # 12.9.8

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="sanctions")
    round_number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=9, choices=Kind.choices)
    # The deducted half points, of a team half match points. At most those of the round are taken.
    halves = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=200)
    given_at = models.DateTimeField()
    # Rounds that were paired before have counted the deduction.
    lifted_at = models.DateTimeField(null=True, blank=True)

    objects = SanctionQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(round_number__gte=1, round_number__lte=MAX_ROUNDS_OF_TABLES),
                name="sanction_round_in_range",
            ),
            models.CheckConstraint(
                condition=Q(kind="points", halves__gte=1)
                | Q(kind__in=["warning", "time", "loss", "exclusion"], halves=0),
                name="sanction_points_of_a_deduction",
            ),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True) | Q(lifted_at__gte=models.F("given_at")),
                name="sanction_lifted_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, round {self.round_number}: {self.kind}"
