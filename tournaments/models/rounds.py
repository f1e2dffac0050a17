"""Rounds of events, the pairings in them and their sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entries import Entry
from tournaments.models.events import (
    ARMAGEDDON_IN_RANGE,
    MAX_EXTRA_GAMES,
    MAX_ROUNDS_OF_TABLES,
    MAX_TIE_GAMES,
    Event,
)
from tournaments.pairing.renumbering import Renumbering


class Round(models.Model):
    """A round of an event.

    The pairing system drafts it. It is public once it is published. It closes when every game has
    ended.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    # The engine of imported rounds.
    PAIRED_ELSEWHERE = "elsewhere"

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    # Rounds of continuous formats overlap: each is a draw among those who waited.
    is_continuous = models.BooleanField(default=False)
    # The input, output and version of the pairing system: any round can be paired again (law 4).
    # Swiss rounds were paired from this FIDE report file, which has the answer in its comments. The
    # others were paired from `problem`.
    report = models.TextField(blank=True)
    problem = models.JSONField()
    evidence = models.JSONField()
    # Pairs of numbers of players who have other pairing numbers since: the number in `report`,
    # `problem` and `evidence`, and the present one.
    renumbered = models.JSONField(default=list, blank=True)
    engine = models.CharField(max_length=40)
    # All boards of a round share one set-up, so that no player has an easier one.
    setup = models.CharField(max_length=300, blank=True)
    # The round's seed in the event's seed chain, which drew the set-up: its hash was public before
    # the pairing.
    setup_seed = models.CharField(max_length=64, blank=True)
    # The number of its first board on pages and sheets. Sections of a festival can share one series of
    # boards.
    first_board = models.PositiveSmallIntegerField(default=1)
    drafted_at = models.DateTimeField()
    # Changes by hand since the engine paired the draft, in the words of `services.rounds.edits`.
    edits = models.JSONField(default=list)
    published_at = models.DateTimeField(null=True, blank=True)
    # The planned start of the games. Immediately if empty.
    starts_at = models.DateTimeField(null=True, blank=True)
    # The start of the games.
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    # The end of the time for its games, None without one. The two others are the moments at which
    # the players were reminded of it, and at which the rule of the event was applied.
    deadline_at = models.DateTimeField(null=True, blank=True)
    deadline_reminded_at = models.DateTimeField(null=True, blank=True)
    deadline_passed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_number_once"),
            models.UniqueConstraint(
                fields=["event"],
                condition=~Q(state="closed") & Q(is_continuous=False),
                name="round_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1)
                & (Q(number__lte=MAX_ROUNDS_OF_TABLES) | Q(is_continuous=True)),
                name="round_number_in_range",
            ),
            models.CheckConstraint(
                condition=Q(state="draft", published_at__isnull=True, closed_at__isnull=True)
                | Q(state="published", published_at__isnull=False, closed_at__isnull=True)
                | Q(state="closed", published_at__isnull=False, closed_at__isnull=False),
                name="round_state_and_times",
            ),
            models.CheckConstraint(
                condition=Q(state="published")
                | Q(state="draft", started_at__isnull=True)
                | Q(state="closed", started_at__isnull=False),
                name="round_started_when_published",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}, round {self.number}"

    @cached_property
    def numbers(self) -> Renumbering:
        """The present pairing numbers by those that the round was paired with."""
        return Renumbering(dict(self.renumbered))

    @property
    def evidence_by_pair(self) -> dict[tuple[int, int], Mapping[str, Any]]:
        """The evidence of each board by the present numbers of its players, the first side first."""
        now = self.numbers.now
        boards = self.evidence.get("boards", ())
        return {(now(board["first"]), now(board["second"])): board for board in boards}


_ENTERED = [
    *("", "first", "second", "draw"),
    *("first-forfeit", "second-forfeit", "double-forfeit"),
    *("draw-loss", "loss-draw", "both-lost"),
    *("short-first", "short-second", "short-draw"),
]


class PairingQuerySet(models.QuerySet["Pairing"]):
    def without_entered_result(self, event: Event) -> PairingQuerySet:
        """Return the pairings of the event that lack the result of a game."""
        if event.is_of_teams:
            return self.filter(boards__entered_result="").distinct()
        missing = Q(entered_result="")
        if event.games_per_pairing > 1:
            missing |= Q(entered_second_result="")
        # The setting can have changed since the ties were paired.
        later = TieGame.objects.filter(pairing=OuterRef("pk"), number__lte=OuterRef("tie_games"))
        return self.filter(missing | Exists(later.filter(entered_result="")))

    def with_entered_result(self, event: Event) -> PairingQuerySet:
        """Return the pairings of the event that have the result of a game."""
        if event.is_of_teams:
            rows = TeamBoard.objects.filter(pairing=OuterRef("pk"))
            return self.filter(Exists(rows.exclude(entered_result="")))
        later_games = TieGame.objects.filter(pairing=OuterRef("pk"))
        later = Exists(later_games.exclude(entered_result=""))
        return self.filter(~Q(entered_result="", entered_second_result="") | later)

    def with_lines(self, event: Event) -> PairingQuerySet:
        """Return the pairings with the rows that `Pairing.lines` needs, and their players."""
        rows = self.select_related("first__player", "second__player")
        if event.is_of_teams:
            return rows.prefetch_related("boards__first__player", "boards__second__player")
        return rows.prefetch_related("later_games") if event.is_over_the_board else rows

    def without_second_game(self) -> PairingQuerySet:
        """Return the mini-matches whose second game, which has an even number, has not begun."""
        return self.exclude(games__number__in=range(2, 10, 2))


class Pairing(models.Model):
    """Two entries at one board of a round. `first` has the first ply."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="pairings")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="pairings")
    board = models.PositiveSmallIntegerField()
    first = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    # The pair without its colours, so that the database can refuse a rematch.
    low = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    high = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    # The number of this meeting of the two. Always 1 if the format allows one meeting.
    encounter = models.PositiveSmallIntegerField(default=1)
    # Over the board: the result that the organiser has entered, as `Game.Result`. It becomes a game
    # when the round closes, and can be entered again until then.
    entered_result = models.CharField(max_length=14, blank=True)
    # The entered result of a mini-match's second game, whose first player is the second of the pairing.
    entered_second_result = models.CharField(max_length=14, blank=True)
    # The number of games of a tie of a knock-out, without extra games. None for other pairings, and
    # in a match of teams.
    tie_games = models.PositiveSmallIntegerField(null=True, blank=True)
    # True for such a tie whose extra games come in pairs.
    has_extra_pairs = models.BooleanField(default=False)
    # The winner of a level tie of a knock-out, by the arbiter's decision.
    goes_through = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # True for a tie that neither has played, after the decision that neither advances.
    is_lost_by_both = models.BooleanField(default=False)
    # True if its game may end after the round: it counts as a draw until then (C.04.2 3.1).
    is_postponed = models.BooleanField(default=False)
    # False for a pairing that was not played: it may be repeated (C.04.2 3.5).
    is_met = models.BooleanField(default=True)

    objects = PairingQuerySet.as_manager()

    class Meta:
        ordering = ["round", "board"]
        constraints = [
            models.UniqueConstraint(fields=["round", "board"], name="pairing_board_once"),
            models.UniqueConstraint(
                fields=["event", "low", "high", "encounter"],
                condition=Q(is_met=True),
                name="pairing_no_rematch",
            ),
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="pairing_low_below_high"),
            models.CheckConstraint(
                condition=Q(entered_result__in=_ENTERED, entered_second_result__in=_ENTERED),
                name="pairing_entered_result_known",
            ),
            models.CheckConstraint(
                condition=Q(goes_through__isnull=True)
                | Q(goes_through=F("low"))
                | Q(goes_through=F("high")),
                name="pairing_one_of_two_goes_through",
            ),
            models.CheckConstraint(
                condition=Q(tie_games__isnull=True)
                | Q(tie_games__gte=1, tie_games__lte=MAX_TIE_GAMES),
                name="pairing_tie_games_in_range",
            ),
            models.CheckConstraint(
                condition=Q(is_lost_by_both=False) | Q(goes_through__isnull=True),
                name="pairing_one_advances_or_neither",
            ),
            models.CheckConstraint(
                condition=Q(first=F("low"), second=F("high")) | Q(first=F("high"), second=F("low")),
                name="pairing_same_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}, board {self.board}"

    @property
    def board_number(self) -> int:
        """The number of the board on pages and sheets. `board` counts from 1 in the round."""
        return self.round.first_board + self.board - 1

    def lines(self, event: Event, count: int = 0) -> Sequence[PairingLine]:
        """Return its games by their numbers, `count` of them or as many as the event has, with the sides.

        The sides are exchanged in games with even numbers. In a match of teams they are members, and
        None for an empty board. A tie over the board has those of its games that are due.
        """
        if event.is_of_teams:
            return [
                PairingLine(each.number, each.first, each.second, each.entered_result)
                for each in self.boards.all()
            ]
        if self.tie_games is not None and event.is_over_the_board:
            return [
                PairingLine(1, self.first, self.second, self.entered_result),
                *(
                    PairingLine(
                        each.number,
                        *self.sides_of(each.number),
                        each.entered_result,
                        each.armageddon_percent,
                    )
                    for each in self.later_games.all()
                ),
            ]
        results = [self.entered_result, self.entered_second_result]
        results = results[: count or event.games_per_pairing]
        return [
            PairingLine(number, *self.sides_of(number), result)
            for number, result in enumerate(results, start=1)
        ]

    def sides_of(self, number: int) -> tuple[Entry, Entry]:
        """Return the sides of the game with this number over the board: exchanged if it is even."""
        return (self.first, self.second) if number % 2 else (self.second, self.first)


class PairingLine(NamedTuple):
    """A game of a pairing: its number, its sides, and the result that was entered over the board, or empty.

    `armageddon_percent` is as of `Game`.
    """

    number: int
    first: Entry | None
    second: Entry | None
    entered_result: str
    armageddon_percent: int | None = None


class TieGame(models.Model):
    """A game of a tie over the board after its first game. Games with even numbers have the sides exchanged.

    The next game has a row as soon as it is due.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.PROTECT, related_name="later_games")
    number = models.PositiveSmallIntegerField()
    # As of `Pairing`.
    entered_result = models.CharField(max_length=14, blank=True)
    # As of `Game`.
    armageddon_percent = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["pairing", "number"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "number"], name="tie_game_once"),
            models.CheckConstraint(
                condition=Q(armageddon_percent__isnull=True) | ARMAGEDDON_IN_RANGE,
                name="tie_game_armageddon_in_range",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=2, number__lte=MAX_TIE_GAMES + MAX_EXTRA_GAMES + 1),
                name="tie_game_number_in_range",
            ),
            models.CheckConstraint(
                condition=Q(entered_result__in=_ENTERED), name="tie_game_result_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing}.{self.number}"


class TeamBoard(models.Model):
    """A board of a match of teams with its two players.

    The first team has the first ply at the boards with odd numbers. `first` has the first ply here.
    The line-up of a team is its part of these rows, made when the round is published.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.PROTECT, related_name="boards")
    number = models.PositiveSmallIntegerField()
    # None for an empty board, which is lost by forfeit.
    first = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    second = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # As of `Pairing`, and the forfeit of an empty board.
    entered_result = models.CharField(max_length=14, blank=True)

    class Meta:
        ordering = ["pairing", "number"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "number"], name="team_board_once"),
            models.UniqueConstraint(fields=["pairing", "first"], name="team_board_first_once"),
            models.UniqueConstraint(fields=["pairing", "second"], name="team_board_second_once"),
            models.CheckConstraint(
                condition=Q(entered_result__in=_ENTERED), name="team_board_result_known"
            ),
            models.CheckConstraint(
                condition=Q(first__isnull=True) | Q(second__isnull=True) | ~Q(first=F("second")),
                name="team_board_of_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing}.{self.number}"

    @property
    def forfeit(self) -> str:
        """Return the result of a board at which a player is missing; empty with both."""
        if self.first_id is None:
            return "double-forfeit" if self.second_id is None else "second-forfeit"
        return "first-forfeit" if self.second_id is None else ""


class Seat(models.Model):
    """The place of an entry in a round: at a board, on a bye, or absent. Exactly one a round."""

    class Kind(models.TextChoices):
        FIRST = "first", _("first")
        SECOND = "second", _("second")
        PAIRING_BYE = "pairing-bye", _("bye")
        HALF_BYE = "half-bye", _("half-point bye")
        ZERO_BYE = "zero-bye", _("absent")
        FULL_BYE = "full-bye", _("full-point bye")
        FREE = "free", _("no opponent in this round")
        THROUGH = "through", _("bye")
        OUT = "out", _("eliminated")
        FORFEIT_WIN = "forfeit-win", _("the opponent has left")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    pairing = models.ForeignKey(
        Pairing, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    # The opponent by the table of a round robin, or by the draw, who has left.
    absent = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="seat_once_a_round"),
            models.UniqueConstraint(fields=["pairing", "kind"], name="seat_once_a_side"),
            models.CheckConstraint(
                condition=Q(kind__in=["first", "second"], pairing__isnull=False)
                | Q(
                    kind__in=[
                        "pairing-bye",
                        "half-bye",
                        "zero-bye",
                        "full-bye",
                        "free",
                        "through",
                        "out",
                        "forfeit-win",
                    ],
                    pairing__isnull=True,
                ),
                name="seat_at_a_board_or_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, round {self.round.number}: {self.kind}"
