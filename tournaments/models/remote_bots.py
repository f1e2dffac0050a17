"""Remote bots, which run on their authors' machines and play by the API: their presence and their checks."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.bots import Bot
from tournaments.models.games import Game
from tournaments.models.programs import Program


class RemoteBot(models.Model):
    """The program of a remote bot: its last request, and its module for events by fuel.

    The permissions for others are in its `BotConsent`.

    Attributes:
        module: the module for events by fuel, which cannot be replaced.
        seen_at: the last request or open stream of a program that plays for it, to some seconds.
    """

    bot = models.OneToOneField(
        Bot, primary_key=True, on_delete=models.CASCADE, related_name="remote"
    )
    module = models.ForeignKey(
        Program, null=True, blank=True, on_delete=models.PROTECT, related_name="remote_bots"
    )
    seen_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"remote bot {self.bot_id}"


class FuelCheckQuerySet(models.QuerySet["FuelCheck"]):
    def due(self, now: datetime) -> FuelCheckQuerySet:
        """Return the checks of games that are over and that have no worker."""
        is_free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
        waits = self.filter(is_free, verdict=FuelCheck.Verdict.OPEN)
        return waits.filter(game__result__isnull=False)


class FuelCheck(models.Model):
    """A check that the plies that a remote bot has sent in a game by fuel are those of its module.

    Attributes:
        plies: the numbers of the checked plies, from 1.
        different_plies: the checked plies that the module does not play.
    """

    class Verdict(models.TextChoices):
        OPEN = "open", _("not checked yet")
        CONFIRMED = "confirmed", _("confirmed")
        DIFFERENT = "different", _("different")
        UNDECIDED = "undecided", _("undecided")

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.PROTECT, related_name="fuel_check"
    )
    verdict = models.CharField(max_length=9, choices=Verdict.choices, default=Verdict.OPEN)
    plies = models.JSONField(default=list)
    different_plies = models.JSONField(default=list)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    woken_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)

    objects = FuelCheckQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict="open", checked_at__isnull=True)
                | Q(verdict__in=["confirmed", "different", "undecided"], checked_at__isnull=False),
                name="fuel_check_has_a_moment",
            ),
        ]

    def __str__(self) -> str:
        return f"game {self.game_id}: {self.verdict}"
