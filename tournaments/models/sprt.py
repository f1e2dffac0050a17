"""Transcripts, SPRT tests and annulments of the games of authors' bots."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.bots import Bot, Match
from tournaments.models.games import Game, Side
from tournaments.models.suites import Suite
from tournaments.models.volunteers import Priority

MAX_PAIRS = 20_000
MAX_TRANSCRIPT = 600_000


class Transcript(models.Model):
    """Every line between the referee and a bot in one game, with the bot's standard error.

    For its author.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="transcripts")
    side = models.CharField(max_length=6, choices=Side.choices)
    attempt = models.PositiveSmallIntegerField(default=1)
    text = models.TextField(max_length=MAX_TRANSCRIPT)

    class Meta:
        ordering = ["game", "attempt", "side"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "attempt", "side"], name="transcript_once_a_game_and_side"
            ),
            models.CheckConstraint(
                condition=Q(side__in=["first", "second"]), name="transcript_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.side}"


class SprtTestQuerySet(models.QuerySet["SprtTest"]):
    def running(self) -> SprtTestQuerySet:
        return self.filter(state=SprtTest.State.RUNNING)


class SprtTest(models.Model):
    """A sequential probability ratio test (SPRT) of two bots.

    It decides whether the candidate is stronger than the base by `elo1`, or only by `elo0`.

    Pairs of games with one set-up and the sides exchanged count as one of five outcomes, from two
    losses to two wins. A test of two clocks is two rows: the first row with the shorter clock, and
    `second_stage`, which begins when the first one has passed. The test passes if the second stage
    does.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        ADVANCED = "advanced", _("passed with the first clock")
        PASSED = "passed", _("passed: the candidate is stronger")
        FAILED = "failed", _("failed: it is not")
        OPEN = "open", _("ended without a verdict")
        STOPPED = "stopped", _("stopped")

    class Model(models.TextChoices):
        LOGISTIC = "logistic", _("logistic Elo")
        NORMALIZED = "normalized", _("normalized Elo")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="sprt_tests"
    )
    candidate = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="sprt_tests")
    base = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="sprt_tests_as_base")
    ruleset = models.CharField(max_length=120)
    clock_initial_ms = models.PositiveIntegerField()
    clock_increment_ms = models.PositiveIntegerField(default=0)
    # The clock of the second stage. None if the test has one clock.
    second_initial_ms = models.PositiveIntegerField(null=True, blank=True)
    second_increment_ms = models.PositiveIntegerField(null=True, blank=True)
    first_stage = models.OneToOneField(
        "self", on_delete=models.PROTECT, related_name="second_stage", null=True, blank=True
    )
    # The units for each ply of modules, instead of the clocks. None if the clocks decide.
    fuel = models.PositiveBigIntegerField(null=True, blank=True)
    # The priority of its pairs among the author's matches for volunteers. None if only the site
    # plays them.
    volunteer_priority = models.PositiveSmallIntegerField(
        choices=Priority.choices, null=True, blank=True
    )
    # Bounds in hundredths of an Elo point of the model, error rates in thousandths.
    model = models.CharField(max_length=10, choices=Model.choices, default=Model.LOGISTIC)
    elo0_centielo = models.IntegerField(default=0)
    elo1_centielo = models.IntegerField(default=20_00)
    alpha_thousandths = models.PositiveSmallIntegerField(default=50)
    beta_thousandths = models.PositiveSmallIntegerField(default=50)
    max_pairs = models.PositiveIntegerField(default=1_000)
    seed = models.BigIntegerField()
    # The start positions of pairs. None if each set-up is drawn.
    suite = models.ForeignKey(
        Suite, on_delete=models.PROTECT, related_name="sprt_tests", null=True, blank=True
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.RUNNING)
    reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = SprtTestQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(candidate=F("base")), name="sprt_test_of_two_bots"),
            models.CheckConstraint(
                condition=Q(elo0_centielo__lt=F("elo1_centielo"))
                & Q(alpha_thousandths__gte=1, alpha_thousandths__lt=500)
                & Q(beta_thousandths__gte=1, beta_thousandths__lt=500)
                & Q(max_pairs__gte=10, max_pairs__lte=MAX_PAIRS),
                name="sprt_test_bounds_in_order",
            ),
            models.CheckConstraint(
                condition=Q(state="running", ended_at__isnull=True)
                | (~Q(state="running") & Q(ended_at__isnull=False)),
                name="sprt_test_ended_when_over",
            ),
            models.CheckConstraint(
                condition=Q(second_initial_ms__isnull=True, second_increment_ms__isnull=True)
                & ~Q(state="advanced")
                | Q(
                    second_initial_ms__gt=F("clock_initial_ms"),
                    second_increment_ms__isnull=False,
                    first_stage__isnull=True,
                )
                & ~Q(state="passed"),
                name="sprt_test_second_clock_whole",
            ),
            models.CheckConstraint(
                condition=Q(fuel__isnull=False, second_initial_ms__isnull=True)
                | Q(fuel__isnull=True, volunteer_priority__isnull=True),
                name="sprt_test_volunteers_under_fuel",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.candidate} - {self.base}"


class SprtPair(models.Model):
    """A pair of an SPRT test: its match, its outcome and the likelihood ratio after it."""

    sprt_test = models.ForeignKey(SprtTest, on_delete=models.PROTECT, related_name="pairs")
    number = models.PositiveIntegerField()
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="sprt_pair")
    # The candidate's half points in both games, 0 to 4. None until both have counted.
    score_halves = models.PositiveSmallIntegerField(null=True, blank=True)
    # The order in which pairs ended, and the log-likelihood ratio after it in millionths.
    place = models.PositiveIntegerField(null=True, blank=True)
    llr_millionths = models.BigIntegerField(null=True, blank=True)
    # Both games repeat games of the test. The pair gives no information and never counts.
    is_repetition = models.BooleanField(default=False)

    class Meta:
        ordering = ["sprt_test", "number"]
        constraints = [
            models.UniqueConstraint(fields=["sprt_test", "number"], name="sprt_pair_once"),
            models.UniqueConstraint(fields=["sprt_test", "place"], name="sprt_pair_ended_in_order"),
            models.CheckConstraint(
                condition=Q(score_halves__isnull=True, place__isnull=True)
                | Q(score_halves__lte=4, place__gte=1, llr_millionths__isnull=False),
                name="sprt_pair_counted_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sprt_test_id}/{self.number}"


class Annulment(models.Model):
    """The annulment of a broken version: its games no longer count.

    Each of them has a `Correction` to void.
    """

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="annulments")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=200)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(reason__length__gte=1, reason__length__lte=200),
                name="annulment_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot}: {self.reason}"


class AnnulmentProgress(models.Model):
    """The progress of an annulment, which voids a few games at a time."""

    annulment = models.OneToOneField(Annulment, on_delete=models.PROTECT, related_name="progress")
    games_total = models.PositiveIntegerField()
    games_done = models.PositiveIntegerField(default=0)
    # The number of voided games. The result of the others is unchanged.
    games_voided = models.PositiveIntegerField(default=0)
    # The last game that was looked at, by its key.
    reached = models.BigIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)
    # The time of the last call for a worker.
    woken_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "progress of annulments"
        constraints = [
            models.CheckConstraint(
                condition=Q(games_voided__lte=F("games_done"))
                & Q(games_done__lte=F("games_total")),
                name="annulment_within_total",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annulment}: {self.games_done}/{self.games_total}"
