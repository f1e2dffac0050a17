"""Rating pools, current ratings and the ledger they follow from."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.games import Correction, Game, Side
from tournaments.models.players import Player


class Pool(models.Model):
    """Games whose results are rated together: one game, edition and board size."""

    key = models.CharField(max_length=60, unique=True)
    family = models.CharField(max_length=20)
    name = models.CharField(max_length=80)

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.name


class Rating(models.Model):
    """A player's rating in a pool, in hundredths of an Elo point: always the `after` of the last ledger entry."""

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="ratings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    centielo = models.IntegerField()
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    peak_centielo = models.IntegerField()

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


class LedgerQuerySet(models.QuerySet["LedgerEntry"]):
    def standing(self) -> LedgerQuerySet:
        """The entries that count: no reversals, and nothing that has been reversed."""
        return self.exclude(kind="reversal").filter(reversal__isnull=True)


class LedgerEntry(models.Model):
    """What one game did to one player's rating, with everything it was computed from. Rows are only ever added.

    A corrected result is told by more rows: those that it has made wrong are reversed, the last first, and entered again
    as they are right. Each row of a player in a pool begins where the one before it ends.
    """

    class Kind(models.TextChoices):
        GAME = "game", _("game")
        REVERSAL = "reversal", _("reversal")
        REPLAY = "replay", _("entered again")

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ledger")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="ledger")
    side = models.CharField(max_length=6, choices=Side.choices)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.GAME)
    # How often the game has been entered for this side; a reversal has the number of what it reverses.
    revision = models.PositiveSmallIntegerField(default=1)
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
    # Expected score in millionths of a point, so that it is the same number on every machine.
    expected_millionths = models.PositiveIntegerField()
    score_halves = models.PositiveSmallIntegerField()
    formula = models.CharField(max_length=20)
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
            models.CheckConstraint(
                condition=Q(kind="game", revision=1, reverses__isnull=True)
                | Q(kind="reversal", reverses__isnull=False)
                | Q(kind="replay", revision__gte=2, reverses__isnull=True),
                name="ledger_kind_and_revision",
            ),
            models.UniqueConstraint(fields=["pool", "player", "seq"], name="ledger_seq_once"),
            models.CheckConstraint(
                condition=Q(after_centielo=F("before_centielo") + F("delta_centielo")),
                name="ledger_adds_up",
            ),
            models.CheckConstraint(
                condition=Q(side__in=["first", "second"]), name="ledger_side_known"
            ),
            models.CheckConstraint(
                condition=Q(score_halves__in=[0, 1, 2]), name="ledger_score_known"
            ),
            models.CheckConstraint(
                condition=Q(expected_millionths__lte=1_000_000), name="ledger_expectation_in_range"
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
