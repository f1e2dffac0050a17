"""Standings of an event, computed from its seats and games whenever they are asked for (law 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.models import Entry, Event, Game, Round, Seat
from tournaments.pairing import RoundKind, RoundRecord
from tournaments.standings import Line, RoundResult, Standing, standings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HALVES = {
    Game.Result.FIRST: {"first": 2, "second": 0},
    Game.Result.SECOND: {"first": 0, "second": 2},
    Game.Result.DRAW: {"first": 1, "second": 1},
    Game.Result.VOID: {"first": 0, "second": 0},
}
_BYE_HALVES = {Seat.Kind.PAIRING_BYE: 2, Seat.Kind.HALF_BYE: 1, Seat.Kind.ZERO_BYE: 0}


@dataclass(frozen=True, slots=True)
class SeatedRound:
    """One round of one entry: its seat, and its game when it sits at a board."""

    seat: Seat
    game: Game | None

    @property
    def score_halves(self) -> int | None:
        """Half points, or None while the game goes on."""
        if self.game is None:
            return _BYE_HALVES.get(Seat.Kind(self.seat.kind))
        if self.game.result is None:
            return None
        return _HALVES[Game.Result(self.game.result)][self.seat.kind]

    @property
    def is_played(self) -> bool:
        """Whether a game was, or is being, played here."""
        return self.game is not None and self.game.result != Game.Result.VOID


@dataclass(frozen=True, slots=True)
class EventRow:
    """A row of an event's standings: the entry and what the table says of it."""

    entry: Entry
    standing: Standing


@dataclass(frozen=True, slots=True)
class EventTable:
    """An event's standings, best first, over the rounds that are published or closed."""

    rows: Sequence[EventRow]
    rounds: int


def event_table(event: Event) -> EventTable:
    """The standings of `event` as they are now, running games left open."""
    entries = list(event.entries.exclude(tpn=None).select_related("player"))
    history = histories(event)
    rounds = Round.objects.filter(event=event).exclude(state=Round.State.DRAFT).count()
    lines = [Line(e.tpn or 0, _results(history.get(e.pk, {}), rounds)) for e in entries]
    by_tpn = {e.tpn: e for e in entries}
    rows = [EventRow(by_tpn[row.number], row) for row in standings(lines)]
    return EventTable(rows, rounds)


def histories(event: Event) -> Mapping[int, Mapping[int, SeatedRound]]:
    """What every entry (by id) did in every round (by number) that is not a draft."""
    seats = (
        Seat.objects.filter(round__event=event)
        .exclude(round__state=Round.State.DRAFT)
        .select_related("round", "pairing__first", "pairing__second")
    )
    games = {game.pairing_id: game for game in Game.objects.filter(pairing__event=event)}
    found: dict[int, dict[int, SeatedRound]] = {}
    for seat in seats:
        game = games.get(seat.pairing_id) if seat.pairing_id else None
        found.setdefault(seat.entry_id, {})[seat.round.number] = SeatedRound(seat, game)
    return found


def _results(history: Mapping[int, SeatedRound], rounds: int) -> tuple[RoundResult, ...]:
    return tuple(_result(history.get(number)) for number in range(1, rounds + 1))


def _result(seated: SeatedRound | None) -> RoundResult:
    if seated is None:  # a late entry was not there yet
        return RoundResult(opponent=None, score_halves=0, is_played=False)
    opponent = opponent_tpn(seated.seat)
    return RoundResult(
        opponent=opponent,
        score_halves=seated.score_halves,
        is_played=seated.is_played,
        is_first=None if opponent is None else seated.seat.kind == Seat.Kind.FIRST,
    )


def pairing_records(history: Mapping[int, SeatedRound], rounds: int) -> tuple[RoundRecord, ...]:
    """The same history as the pairing system wants it: one record for each closed round."""
    return tuple(_record(history.get(number)) for number in range(1, rounds + 1))


def _record(seated: SeatedRound | None) -> RoundRecord:
    if seated is None:
        return RoundRecord(RoundKind.ZERO_BYE, None, 0)
    halves = seated.score_halves or 0
    if seated.game is None:
        return RoundRecord(RoundKind(seated.seat.kind), None, halves)
    kind = RoundKind(seated.seat.kind) if seated.is_played else RoundKind.FORFEIT_LOSS
    return RoundRecord(kind, opponent_tpn(seated.seat), halves)


def opponent_tpn(seat: Seat) -> int | None:
    """The TPN of the entry on the other side, or None without one."""
    pairing = seat.pairing
    if pairing is None:
        return None
    other = pairing.second if seat.kind == Seat.Kind.FIRST else pairing.first
    return other.tpn
