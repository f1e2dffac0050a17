"""Rating pools, current ratings and the ledger they follow from."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.games import Game, Side
from tournaments.models.players import Player
from tournaments.models.plies import Correction
from tournaments.models.pools import Pool


class Rating(models.Model):
    """A player's rating in a pool, in hundredths of an Elo point.

    It is always the `after` of the last ledger entry.

    Deviation and volatility are Glicko-2's after the last game. `listed_elo` is the rating on the
    latest list with games of the player. They are None in other systems.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="ratings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    centielo = models.IntegerField()
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    peak_centielo = models.IntegerField()
    last_at = models.DateTimeField(null=True, blank=True)
    deviation_centielo = models.PositiveIntegerField(null=True, blank=True)
    volatility_billionths = models.PositiveIntegerField(null=True, blank=True)
    listed_elo = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-centielo"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "player"], name="rating_once"),
            models.CheckConstraint(
                condition=Q(games__gte=F("wins") + F("draws")), name="rating_counts_add_up"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.elo}"

    @property
    def elo(self) -> int:
        """The rating in whole points, as it is shown."""
        return round(self.centielo / 100)

    @property
    def losses(self) -> int:
        return self.games - self.wins - self.draws


class PairTally(models.Model):
    """Results of two players of a pool with these sides, which Bradley-Terry is fitted to."""

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="pair_tallies")
    first = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pool", "first", "second"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "first", "second"], name="pair_counted_once"),
        ]

    def __str__(self) -> str:
        return f"{self.first} - {self.second}: {self.wins}/{self.draws}/{self.losses}"


class LedgerQuerySet(models.QuerySet["LedgerEntry"]):
    def standing(self) -> LedgerQuerySet:
        """Return the entries that count, without reversals and reversed entries."""
        reversals = LedgerEntry.objects.filter(
            kind="reversal",
            pool=OuterRef("pool"),
            player=OuterRef("player"),
            seq__gt=OuterRef("seq"),
            reverses__seq__lte=OuterRef("seq"),
        )
        return self.exclude(kind="reversal").filter(~Exists(reversals))


class LedgerEntry(models.Model):
    """The effect of one game on one player's rating, with all inputs of its computation.

    Rows are only ever added.

    A corrected result adds rows: a reversal takes a player back to before the first row that it
    made wrong, with all later rows, and the rows are entered again with the right values. Each row
    of a player in a pool begins where the previous one ends. If games are rated by lists, a row
    without a game closes a month.
    """

    class Kind(models.TextChoices):
        GAME = "game", _("game")
        PERIOD = "period", _("month closed")
        REVERSAL = "reversal", _("reversal")
        REENTRY = "re-entry", _("entered again")

    # No index: `ledger_seq_once` begins with this column.
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="entries", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ledger")
    game = models.ForeignKey(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="ledger"
    )
    side = models.CharField(max_length=6, choices=Side.choices, blank=True)
    # The first day of the month in which the row counts, if games are rated by lists.
    period = models.DateField(null=True, blank=True)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.GAME)
    # The number of entries for this side or month. A reversal has the number of the entry that it
    # reverses.
    revision = models.PositiveSmallIntegerField(default=1)
    # The first row that a reversal undoes. The reversal undoes every later row too.
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversal"
    )
    correction = models.ForeignKey(
        Correction, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    before_centielo = models.IntegerField()
    delta_centielo = models.IntegerField()
    after_centielo = models.IntegerField()
    opponent_centielo = models.IntegerField()
    k_factor = models.PositiveSmallIntegerField()
    # Expected score in millionths of a point, so that it is one number on every machine.
    expected_millionths = models.PositiveIntegerField()
    score_halves = models.PositiveSmallIntegerField()
    formula = models.CharField(max_length=20)
    # Further inputs of the change, as `tournaments.ratings.systems` names them.
    inputs = models.JSONField(default=dict, blank=True)
    entered_at = models.DateTimeField()
    # sha256 over the player's previous entry in the pool and this one's facts.
    digest = models.CharField(max_length=64)

    objects = LedgerQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "ledger entries"
        ordering = ["pool", "player", "seq"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "side", "revision"],
                condition=~Q(kind="reversal"),
                name="ledger_once_a_game_and_side",
            ),
            models.UniqueConstraint(
                fields=["pool", "player", "period", "revision"],
                condition=Q(game__isnull=True) & ~Q(kind="reversal"),
                name="ledger_once_a_month",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["game", "period"], revision=1, reverses__isnull=True)
                | Q(kind="reversal", reverses__isnull=False)
                | Q(kind="re-entry", revision__gte=2, reverses__isnull=True),
                name="ledger_kind_and_revision",
            ),
            models.CheckConstraint(
                condition=Q(game__isnull=False, side__in=["first", "second"]) & ~Q(kind="period")
                | Q(game__isnull=True, side="", period__isnull=False) & ~Q(kind="game"),
                name="ledger_of_a_game_or_month",
            ),
            models.UniqueConstraint(fields=["pool", "player", "seq"], name="ledger_seq_once"),
            models.CheckConstraint(
                condition=Q(after_centielo=F("before_centielo") + F("delta_centielo")),
                name="ledger_adds_up",
            ),
            models.CheckConstraint(
                condition=Q(score_halves__in=[0, 1, 2]), name="ledger_score_known"
            ),
            models.CheckConstraint(
                condition=Q(expected_millionths__lte=1_000_000), name="ledger_expectation_in_range"
            ),
        ]
        indexes = [
            models.Index(
                fields=["pool", "player", "seq"],
                condition=Q(kind="reversal"),
                name="ledger_reversals",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.before_centielo} -> {self.after_centielo}"

    @property
    def before(self) -> float:
        return self.before_centielo / 100

    @property
    def delta(self) -> float:
        return self.delta_centielo / 100

    @property
    def after(self) -> float:
        return self.after_centielo / 100


class RecomputationQuerySet(models.QuerySet["Recomputation"]):
    def open(self) -> RecomputationQuerySet:
        """Return the recomputations in progress."""
        return self.filter(finished_at=None)

    def due(self, now: datetime) -> RecomputationQuerySet:
        """Return the recomputations that wait for a worker, or whose worker has been silent past its lease."""
        return self.open().filter(Q(lease_until=None) | Q(lease_until__lt=now))


class Recomputation(models.Model):
    """A recomputation of a pool's ratings by a worker, from a game on.

    Meanwhile only its worker enters games in the pool. Games that end are `PendingGame`s.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="recomputations")
    # The correction for which the next rows are entered.
    correction = models.ForeignKey(
        Correction, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # The place from which it continues: the month, for lists, and the first row of a game. All rows
    # before it are right.
    month = models.DateField(null=True, blank=True)
    row = models.BigIntegerField()
    # Counts the corrections that came meanwhile: after each a worker reads the games again.
    version = models.PositiveIntegerField(default=1)
    games_done = models.PositiveIntegerField(default=0)
    # 0 until a worker has counted them.
    games_total = models.PositiveIntegerField(default=0)
    begun_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    # The time of the last call for a worker.
    woken_at = models.DateTimeField(null=True, blank=True)

    objects = RecomputationQuerySet.as_manager()

    class Meta:
        ordering = ["-begun_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pool"], condition=Q(finished_at=None), name="recomputation_one_a_pool"
            ),
            models.CheckConstraint(
                condition=Q(games_total=0) | Q(games_done__lte=F("games_total")),
                name="recomputation_within_total",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool}: {self.games_done}/{self.games_total}"


class PendingGame(models.Model):
    """A game that ended while its pool is computed again, and is entered after it, in this order."""

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="pending_games")
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="pending_rating")
    since = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.pool}: {self.game_id}"
