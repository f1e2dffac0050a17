"""Gauntlets: a version of an author's against one bot or several, unrated."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.bots import Bot, Match
from tournaments.models.programs import BotLine
from tournaments.models.suites import Suite
from tournaments.models.volunteers import Priority

MAX_GAUNTLET_PAIRS = 100
MAX_ITERATIONS = 5_000
NAME_LENGTH = 60


class GauntletQuerySet(models.QuerySet["Gauntlet"]):
    def running(self) -> GauntletQuerySet:
        return self.filter(state=Gauntlet.State.RUNNING)


class Gauntlet(models.Model):
    """Games of a version against one or more bots, with a number of pairs each.

    Against one bot it is a match on demand. With `iterations` it is a tuning: the pairs are played
    against one bot, with changed numbers of the version's program.
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
    # The number of iterations of a tuning, which have two pairs each. None for a gauntlet.
    iterations = models.PositiveSmallIntegerField(null=True, blank=True)
    # The seed of drawn set-ups and of the signs of a tuning.
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
                condition=Q(
                    iterations__isnull=True, pairs_each__gte=1, pairs_each__lte=MAX_GAUNTLET_PAIRS
                )
                | Q(
                    iterations__gte=1,
                    iterations__lte=MAX_ITERATIONS,
                    pairs_each=2 * F("iterations"),
                ),
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

    @property
    def is_tuning(self) -> bool:
        """Return whether its pairs tune numbers of the version."""
        return self.iterations is not None


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


class TunedParameter(models.Model):
    """A number that a tuning changes: an option of the program. The order is that of the signs."""

    gauntlet = models.ForeignKey(Gauntlet, on_delete=models.PROTECT, related_name="parameters")
    name = models.CharField(max_length=NAME_LENGTH)
    start = models.FloatField()
    low = models.FloatField()
    high = models.FloatField()
    is_whole = models.BooleanField()
    # The perturbation and the gain in the last iteration.
    c_end = models.FloatField()
    r_end = models.FloatField()

    class Meta:
        ordering = ["gauntlet", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["gauntlet", "name"], name="tuned_parameter_once"),
            models.CheckConstraint(
                condition=Q(low__lt=F("high"), start__gte=F("low"), start__lte=F("high"))
                & Q(c_end__gt=0, r_end__gt=0),
                name="tuned_parameter_bounded",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gauntlet_id}: {self.name}"


class TuningIteration(models.Model):
    """A step of a tuning: two pairs from one start, and the difference of their scores."""

    gauntlet = models.ForeignKey(Gauntlet, on_delete=models.PROTECT, related_name="steps")
    # Counts from 1.
    number = models.PositiveSmallIntegerField()
    # The number of results that the estimate contained from which its values were derived.
    results_before = models.PositiveSmallIntegerField()
    # Its place among the results, from 1. None until both pairs have counted.
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    # The half points with raised values less those with lowered values.
    difference_halves = models.SmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["gauntlet", "number"]
        constraints = [
            models.UniqueConstraint(fields=["gauntlet", "number"], name="tuning_iteration_once"),
            models.UniqueConstraint(fields=["gauntlet", "place"], name="tuning_place_once"),
            models.CheckConstraint(
                condition=Q(place__isnull=True, difference_halves__isnull=True)
                | Q(place__gte=1, difference_halves__gte=-4, difference_halves__lte=4),
                name="tuning_iteration_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gauntlet_id}/{self.number}"

    @property
    def difference(self) -> float | None:
        """Return the points with raised values less those with lowered values, or None before."""
        return None if self.difference_halves is None else self.difference_halves / 2


class TunedPair(models.Model):
    """The values that a version has in a pair of a tuning. A void pair is followed by another one."""

    pair = models.OneToOneField(
        GauntletPair, primary_key=True, on_delete=models.PROTECT, related_name="tuned"
    )
    iteration = models.ForeignKey(TuningIteration, on_delete=models.PROTECT, related_name="pairs")
    is_raised = models.BooleanField()
    # The values as the program receives them, by the names of its options.
    options = models.JSONField()

    def __str__(self) -> str:
        return f"{self.iteration} {'raised' if self.is_raised else 'lowered'}"


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
