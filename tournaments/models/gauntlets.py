"""Gauntlets: a version of an author's against one bot or several, unrated."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.bots import Bot, Match
from tournaments.models.programs import BotLine
from tournaments.models.suites import Suite
from tournaments.models.volunteers import Priority

MAX_GAUNTLET_PAIRS = 100


class GauntletQuerySet(models.QuerySet["Gauntlet"]):
    def running(self) -> GauntletQuerySet:
        return self.filter(state=Gauntlet.State.RUNNING)


class Gauntlet(models.Model):
    """Games of a version against one or more bots, with a number of pairs each.

    Against one bot it is a match on demand.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("played")
        STOPPED = "stopped", _("stopped")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="gauntlets"
    )
    candidate = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="gauntlets")
    ruleset = models.CharField(max_length=120)
    clock_initial_ms = models.PositiveIntegerField()
    clock_increment_ms = models.PositiveIntegerField(default=0)
    # The units for each ply of modules, instead of the clocks. None if the clocks decide.
    fuel = models.PositiveBigIntegerField(null=True, blank=True)
    # The priority of its pairs among the author's matches for volunteers. None if only the site
    # plays them.
    volunteer_priority = models.PositiveSmallIntegerField(
        choices=Priority.choices, null=True, blank=True
    )
    # The number against each opponent, with equal set-ups for all of them.
    pairs_each = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    # The start positions. Without a suite the rules draw them.
    suite = models.ForeignKey(
        Suite, null=True, blank=True, on_delete=models.PROTECT, related_name="gauntlets"
    )
    # True if it is one of the tests of its line by night (`Regression`).
    is_regression = models.BooleanField(default=False)
    state = models.CharField(max_length=7, choices=State.choices, default=State.RUNNING)
    # The code of the reason for which the gauntlet was stopped. Empty otherwise.
    stop_code = models.CharField(max_length=30, blank=True)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = GauntletQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(pairs_each__gte=1, pairs_each__lte=MAX_GAUNTLET_PAIRS),
                name="gauntlet_pairs_bounded",
            ),
            models.CheckConstraint(
                condition=Q(state="running", ended_at__isnull=True)
                | Q(state__in=["done", "stopped"], ended_at__isnull=False),
                name="gauntlet_ended_when_over",
            ),
            models.CheckConstraint(
                condition=Q(fuel__isnull=False) | Q(volunteer_priority__isnull=True),
                name="gauntlet_volunteers_under_fuel",
            ),
        ]

    def __str__(self) -> str:
        return f"gauntlet {self.pk} of {self.candidate}"


class GauntletOpponent(models.Model):
    """A bot that a gauntlet is played against, in the order in which its author has named them."""

    gauntlet = models.ForeignKey(Gauntlet, on_delete=models.PROTECT, related_name="opponents")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="gauntlets_as_opponent")
    # The code of the reason for which no further pair is played against it. Empty otherwise.
    stop_code = models.CharField(max_length=30, blank=True)

    class Meta:
        ordering = ["gauntlet", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["gauntlet", "bot"], name="gauntlet_opponent_once"),
        ]

    def __str__(self) -> str:
        return f"{self.gauntlet_id}: {self.bot}"


class GauntletPair(models.Model):
    """A pair of games against one opponent."""

    opponent = models.ForeignKey(GauntletOpponent, on_delete=models.PROTECT, related_name="pairs")
    # Counts from 1. A void pair is played again under the next number.
    number = models.PositiveIntegerField()
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="gauntlet_pair")
    # The candidate's half points in both games, 0 to 4. None until both have counted.
    score_halves = models.PositiveSmallIntegerField(null=True, blank=True)
    # Both games repeat games against this opponent. The pair gives no information and never counts.
    is_repetition = models.BooleanField(default=False)

    class Meta:
        ordering = ["opponent", "number"]
        constraints = [
            models.UniqueConstraint(fields=["opponent", "number"], name="gauntlet_pair_once"),
            models.CheckConstraint(
                condition=Q(score_halves__isnull=True) | Q(score_halves__lte=4),
                name="gauntlet_pair_score",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.opponent_id}/{self.number}"


class Regression(models.Model):
    """The wish of an author that each new active version of a bot is played against the first by night.

    Its gauntlets have `is_regression`. Without a row no such gauntlet starts.
    """

    line = models.OneToOneField(
        BotLine, primary_key=True, on_delete=models.PROTECT, related_name="regression"
    )
    ruleset = models.CharField(max_length=120)
    clock_initial_ms = models.PositiveIntegerField()
    clock_increment_ms = models.PositiveIntegerField(default=0)
    # As those of `Gauntlet`.
    fuel = models.PositiveBigIntegerField(null=True, blank=True)
    volunteer_priority = models.PositiveSmallIntegerField(
        choices=Priority.choices, null=True, blank=True
    )
    pairs = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(pairs__gte=1, pairs__lte=MAX_GAUNTLET_PAIRS),
                name="regression_pairs_bounded",
            ),
            models.CheckConstraint(
                condition=Q(fuel__isnull=False) | Q(volunteer_priority__isnull=True),
                name="regression_volunteers_under_fuel",
            ),
        ]

    def __str__(self) -> str:
        return f"regression of {self.line}"
