"""Games in their present state: sides, clocks, positions and results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from types import MappingProxyType

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.starts import POSITION
from tournaments.models.bots import Match
from tournaments.models.events import ARMAGEDDON_IN_RANGE, MAX_BOARDS
from tournaments.models.players import Player
from tournaments.models.pools import Pool
from tournaments.models.rounds import Pairing
from tournaments.models.timing import ClockKind, Timed, clock_constraints

# Long enough for a position that a game was given to begin from.
MAX_SETUP = 4096 + len(POSITION)
# The number of games of one pairing or match, and at one board of a match of teams. Ties of knock-outs
# may have more.
MAX_GAMES = 9


class Side(models.TextChoices):
    """The two sides, as `games.Side` names them."""

    FIRST = "first", _("first")
    SECOND = "second", _("second")


class GameQuerySet(models.QuerySet["Game"]):
    def ongoing(self) -> GameQuerySet:
        return self.filter(result__isnull=True)

    def finished(self) -> GameQuerySet:
        return self.filter(result__isnull=False)

    def of(self, player: Player | int) -> GameQuerySet:
        return self.filter(Q(first=player) | Q(second=player))

    def not_of(self, player: Player | None) -> GameQuerySet:
        """Return the games of other players; all games without a player."""
        if player is None:
            return self.all()
        return self.exclude(Q(first=player) | Q(second=player))

    def at_ply_of(self, game: Game) -> GameQuerySet:
        """Return the row of `game` if it is in progress and at the ply at which `game` was read."""
        rows = self.ongoing().filter(pk=game.pk, attempt=game.attempt, ply=game.ply)
        return rows.filter(stopped_at__isnull=True)

    def flagged(self, now: datetime) -> GameQuerySet:
        """Ongoing games whose side to move has used its time."""
        return self.ongoing().filter(deadline_at__lte=now)

    def with_players(self) -> GameQuerySet:
        games = self.select_related("first", "second", "pairing__round", "pairing__event")
        # The input of a pairing is large, and is not needed here.
        return games.defer(
            "pairing__round__problem", "pairing__round__evidence", "pairing__round__report"
        )


# `Side.values` makes a new list on each access, and tables ask for thousands of games.
_SIDES = frozenset(Side.values)


def winner_side(result: str | None) -> str | None:
    """Return the side that a result gives the game to; None for a draw or without a result."""
    side = (result or "").removesuffix("-forfeit").removeprefix("short-")
    return side if side in _SIDES else None


class Game(Timed):
    """A game.

    Plies and results are only ever added. The other columns mirror the last ply for quick reading.
    """

    class Result(models.TextChoices):
        FIRST = "first", _("first player won")
        SECOND = "second", _("second player won")
        DRAW = "draw", _("draw")
        # Not played: neither rated nor a meeting of the two, as `+` and `-` in a FIDE report.
        FIRST_FORFEIT = "first-forfeit", _("first player won by forfeit")
        SECOND_FORFEIT = "second-forfeit", _("second player won by forfeit")
        DOUBLE_FORFEIT = "double-forfeit", _("both lost by forfeit")
        VOID = "void", _("not counted")
        # Over the board: played, and the arbiter gives less than a whole game.
        DRAW_LOSS = "draw-loss", _("first player drew, second player lost")
        LOSS_DRAW = "loss-draw", _("first player lost, second player drew")
        BOTH_LOST = "both-lost", _("both lost a game that was played")
        # Over the board: decided before a move was made. A meeting of the two that is not rated, as `W`, `D` and `L`.
        SHORT_FIRST = "short-first", _("first player won before a move")
        SHORT_SECOND = "short-second", _("second player won before a move")
        SHORT_DRAW = "short-draw", _("draw before a move")

    class Ending(models.TextChoices):
        RULES = "rules", _("on the board")
        AGREEMENT = "agreement", _("by agreement")
        RESIGNATION = "resignation", _("by resignation")
        DRAW_AGREED = "draw-agreed", _("agreed by both")
        TIME = "time", _("on time")
        ABSENCE = "absence", _("by absence")
        NO_SHOW = "no-show", _("by forfeit")
        FORFEIT = "forfeit", _("forfeited by the arbiter's decision")
        ADJUDICATION = "adjudication", _("adjudicated")
        OVER_BOARD = "over-board", _("over the board")
        ABORTED = "aborted", _("aborted before it began")
        CRASH = "crash", _("the bot crashed")
        ILLEGAL_MOVE = "illegal-move", _("by an illegal move")
        FLOOD = "flood", _("the bot sent too much output")
        PROTOCOL = "protocol", _("the bot broke the protocol")
        FAULT = "fault", _("by a fault of the service")

    # The moving part of a game, in the groups that services write together. A new column that a
    # ply, a clock or an offer changes belongs in one of them. A test compares them with the fields.
    POSITION_COLUMNS = ("attempt", "ply", "position", "side_to_move")
    CLOCK_COLUMNS = ("first_ms", "second_ms")
    TURN_COLUMNS = ("turn_started_at", "deadline_at", "paused_at", "stopped_at", "resumes_at")
    CREDIT_COLUMNS = ("outage_ms", "vacation_ms", "grace_ms")
    REPLY_COLUMNS = ("agreement_offered_by", "reply_lease_until", "reply_attempts")
    PRESENCE_COLUMNS = ("first_present_at", "second_present_at", "waits_for_both", "no_show_at")
    STATE_COLUMNS = (
        *POSITION_COLUMNS,
        *CLOCK_COLUMNS,
        *TURN_COLUMNS,
        *CREDIT_COLUMNS,
        *REPLY_COLUMNS,
        *PRESENCE_COLUMNS,
    )
    RESULT_COLUMNS = ("result", "ending", "ending_detail", "ended_at", "moves_digest")

    FORFEITS = MappingProxyType(
        {Side.FIRST: Result.FIRST_FORFEIT, Side.SECOND: Result.SECOND_FORFEIT}
    )
    # Results of games that were not played, with or without a point.
    UNPLAYED = (
        Result.FIRST_FORFEIT,
        Result.SECOND_FORFEIT,
        Result.DOUBLE_FORFEIT,
        Result.VOID,
    )

    # Results that no game here has by its own rules: an arbiter gives them over the board.
    SHORT = (Result.SHORT_FIRST, Result.SHORT_SECOND, Result.SHORT_DRAW)
    UNUSUAL = (Result.DRAW_LOSS, Result.LOSS_DRAW, Result.BOTH_LOST, *SHORT)

    # A forfeit for that player in a game with the sides exchanged.
    EXCHANGED = MappingProxyType(
        {
            Result.FIRST_FORFEIT: Result.SECOND_FORFEIT,
            Result.SECOND_FORFEIT: Result.FIRST_FORFEIT,
            Result.DOUBLE_FORFEIT: Result.DOUBLE_FORFEIT,
        }
    )

    # Every game is in one pool of rules, the canonical key of `games`.
    ruleset = models.CharField(max_length=120)
    setup = models.CharField(max_length=MAX_SETUP, blank=True)
    # Without indexes of their own: others below begin with them, and every move writes into each index.
    first = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="games_as_first", db_index=False
    )
    second = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="games_as_second", db_index=False
    )
    pairing = models.ForeignKey(
        Pairing,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="games",
        db_index=False,
    )
    match = models.ForeignKey(
        Match,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="games",
        db_index=False,
    )
    # Counts from 1. The second of a pair has the sides exchanged, and so on. Drawn ties of a
    # knock-out are played again.
    number = models.PositiveSmallIntegerField(default=1)
    # The second side's time in percent of the first side's, in the armageddon game of a tie, which the
    # second side wins with a draw. None in all other games.
    armageddon_percent = models.PositiveSmallIntegerField(null=True, blank=True)
    is_rated = models.BooleanField(default=True)
    # A hash of start, moves and result of a game between bots that ended on the board or by
    # resignation. `queries.games.repetitions` finds repetitions by it. Empty for all other games.
    moves_digest = models.CharField(max_length=32, blank=True)
    # The pool of a rated game, decided when the game is created.
    pool = models.ForeignKey(
        Pool, null=True, blank=True, on_delete=models.PROTECT, related_name="games"
    )
    # The first side's expected score before a rated game, in millionths of a point, and its
    # formula.
    predicted_millionths = models.PositiveIntegerField(null=True, blank=True)
    predicted_by = models.CharField(max_length=20, null=True, blank=True)  # noqa: DJ001 - None is no prediction

    # A game of bots that lost its worker is played again from the start. A game with takebacks
    # continues with a copy of the plies before them. The plies of the last attempt count.
    attempt = models.PositiveSmallIntegerField(default=1)
    ply = models.PositiveSmallIntegerField(default=0)
    # The number of given plies at the start. They lead to the first position and were not played.
    opening_plies = models.PositiveSmallIntegerField(default=0)
    position = models.CharField(max_length=4096)
    side_to_move = models.CharField(max_length=6, choices=Side.choices, default=Side.FIRST)

    # Deterministic leagues: the units of fuel that a WebAssembly module may spend on each ply.
    fuel = models.PositiveBigIntegerField(null=True, blank=True)
    # The meter that counted the fuel, as `engine.programs.fuel_game.meter` names it. Other meters
    # may count otherwise.
    fuel_meter = models.CharField(max_length=60, null=True, blank=True)  # noqa: DJ001 - None is nobody
    first_ms = models.PositiveIntegerField()
    second_ms = models.PositiveIntegerField()
    turn_started_at = models.DateTimeField(null=True, blank=True)
    # The time at which the person to move loses on time. None while a bot is to move (its worker
    # keeps its clock) or the clock is stopped.
    deadline_at = models.DateTimeField(null=True, blank=True)
    # True if the clock stops while its owner is on vacation: for banks of days, unless their event
    # refuses it.
    allows_vacation = models.BooleanField(default=False)
    paused_at = models.DateTimeField(null=True, blank=True)
    # The time at which the arbiter stopped the clocks. An adjourned game resumes at `resumes_at`.
    stopped_at = models.DateTimeField(null=True, blank=True)
    resumes_at = models.DateTimeField(null=True, blank=True)
    # Games of events: the arrival of each side at the board, whether the clocks begin when both are
    # present, and the time by which they must be present or forfeit.
    first_present_at = models.DateTimeField(null=True, blank=True)
    second_present_at = models.DateTimeField(null=True, blank=True)
    waits_for_both = models.BooleanField(default=False)
    no_show_at = models.DateTimeField(null=True, blank=True)
    # The part of this turn in which the service was away, and the part in which the clock was
    # stopped.
    outage_ms = models.PositiveBigIntegerField(default=0)
    vacation_ms = models.PositiveBigIntegerField(default=0)
    # The free part of this turn, in which a remote bot has yet to hear of the game.
    grace_ms = models.PositiveIntegerField(default=0)
    # The lease of a worker that thinks about the bot's reply, and the number of workers since the
    # last ply.
    reply_lease_until = models.DateTimeField(null=True, blank=True)
    reply_attempts = models.PositiveSmallIntegerField(default=0)
    agreement_offered_by = models.CharField(  # noqa: DJ001 - None is no offer
        max_length=6,
        choices=Side.choices,
        null=True,
        blank=True,
    )

    result = models.CharField(max_length=14, choices=Result.choices, null=True, blank=True)  # noqa: DJ001 - None is ongoing
    ending = models.CharField(max_length=12, choices=Ending.choices, null=True, blank=True)  # noqa: DJ001
    ending_detail = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(first=F("second")), name="game_two_players"),
            models.CheckConstraint(
                condition=Q(result__isnull=True, ending__isnull=True, ended_at__isnull=True)
                | Q(
                    result__in=[
                        *("first", "second", "draw", "void"),
                        *("first-forfeit", "second-forfeit", "double-forfeit"),
                        *("draw-loss", "loss-draw", "both-lost"),
                        *("short-first", "short-second", "short-draw"),
                    ],
                    ending__isnull=False,
                    ended_at__isnull=False,
                ),
                name="game_result_with_its_ending",
            ),
            models.CheckConstraint(
                condition=Q(result__isnull=True) | Q(deadline_at__isnull=True),
                name="game_finished_has_no_deadline",
            ),
            models.CheckConstraint(
                condition=Q(attempt__gte=1), name="game_attempts_count_from_one"
            ),
            models.CheckConstraint(
                condition=Q(side_to_move__in=["first", "second"]), name="game_side_known"
            ),
            models.CheckConstraint(
                condition=Q(position__length__lte=4096, setup__length__lte=MAX_SETUP),
                name="game_text_lengths",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MAX_GAMES * MAX_BOARDS),
                name="game_number_in_pairing",
            ),
            models.CheckConstraint(
                condition=Q(armageddon_percent__isnull=True)
                | (Q(pairing__isnull=False) & ARMAGEDDON_IN_RANGE),
                name="game_armageddon_in_a_tie",
            ),
            models.CheckConstraint(
                condition=Q(predicted_millionths__isnull=True, predicted_by__isnull=True)
                | Q(
                    predicted_millionths__isnull=False,
                    predicted_millionths__lte=1_000_000,
                    predicted_by__isnull=False,
                ),
                name="game_prediction_in_range",
            ),
            models.CheckConstraint(
                condition=Q(is_rated=False) | Q(pool__isnull=False), name="game_rated_in_a_pool"
            ),
            models.CheckConstraint(
                condition=Q(opening_plies=0) | Q(is_rated=False, ply__gte=F("opening_plies")),
                name="game_after_an_opening_is_casual",
            ),
            models.CheckConstraint(
                condition=Q(is_rated=False) | ~Q(setup__startswith=POSITION),
                name="game_from_a_position_is_casual",
            ),
            models.CheckConstraint(
                condition=Q(allows_vacation=False) | Q(clock_kind=ClockKind.BANK),
                name="game_vacation_from_a_bank",
            ),
            models.CheckConstraint(
                condition=Q(paused_at__isnull=True)
                | Q(allows_vacation=True, deadline_at__isnull=True, result__isnull=True),
                name="game_paused_has_no_deadline",
            ),
            models.CheckConstraint(
                condition=Q(stopped_at__isnull=True, resumes_at__isnull=True)
                | Q(stopped_at__isnull=False, deadline_at__isnull=True, result__isnull=True),
                name="game_stopped_has_no_deadline",
            ),
            *clock_constraints("game"),
            # Time classes divide the pools. A game without a clock is in none of them.
            models.CheckConstraint(
                condition=~Q(clock_kind=ClockKind.UNLIMITED)
                | Q(is_rated=False, deadline_at__isnull=True),
                name="game_unlimited_is_casual",
            ),
            models.UniqueConstraint(fields=["pairing", "number"], name="game_once_a_pairing"),
            models.UniqueConstraint(fields=["match", "number"], name="game_once_a_match"),
        ]
        indexes = [
            # A move changes no indexed column, so that PostgreSQL writes it into no index of games.
            # Fallen flags are searched among the games in progress.
            models.Index(
                fields=["created_at"], condition=Q(result__isnull=True), name="game_ongoing"
            ),
            models.Index(
                fields=["no_show_at"],
                condition=Q(result__isnull=True, no_show_at__isnull=False),
                name="game_no_shows",
            ),
            models.Index(fields=["first", "-ended_at"], name="game_of_first"),
            models.Index(fields=["second", "-ended_at"], name="game_of_second"),
            models.Index(
                fields=["-ended_at"], condition=Q(result__isnull=False), name="game_latest_results"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first} - {self.second}"

    def get_absolute_url(self) -> str:
        return reverse("game", args=[self.pk])

    def save_state(self, guard: GameQuerySet, columns: Sequence[str] = STATE_COLUMNS) -> int:
        """Write `columns` of this game to its row if the row is in `guard`.

        The number of rows written, 0 or 1.

        The guard is made before the game is changed, so that it names the row as it was read.
        """
        return guard.filter(pk=self.pk).update(**{name: getattr(self, name) for name in columns})

    def stop_turn(self) -> None:
        """Stop the clocks. The row is not saved."""
        for name in self.TURN_COLUMNS:
            setattr(self, name, None)

    @property
    def is_from_position(self) -> bool:
        """Return whether the game begins with a position that was given, and not with a start of its rules."""
        return self.setup.startswith(POSITION)

    @property
    def winner_side(self) -> str | None:
        """Return the side that has won, on the board or by forfeit; None without a winner."""
        return winner_side(self.result)

    def player_on(self, side: str) -> Player:
        """The player on `side`, `first` or `second`."""
        return self.first if side == Side.FIRST else self.second

    def side_of(self, player: Player | None) -> str | None:
        """The side `player` has, or None for a spectator."""
        if player is None:
            return None
        if player.pk == self.first_id:
            return Side.FIRST
        return Side.SECOND if player.pk == self.second_id else None
