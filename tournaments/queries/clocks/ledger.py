"""The ledger of a game's clocks: every charge in its order, with the time that it left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any, NamedTuple

from django.db.models import QuerySet

from tournaments import clocks
from tournaments.models import ClockCharge, Game, Ply, statements
from tournaments.models.games import Side
from tournaments.queries.clocks import game_clocks


@dataclass(frozen=True, slots=True)
class Line:
    """A change of a clock.

    Attributes:
        seq: counts from 1 through the whole game.
        attempt: a take-back ends one and begins the next.
        ply: the ply that the turn was for.
        ms: negative values reduce the time.
        remaining_ms: the time after the change.
        at: the end of the turn, or the moment of a change within it.
    """

    seq: int
    attempt: int
    ply: int
    side: str
    reason: ClockCharge.Reason
    ms: int
    remaining_ms: int
    at: datetime


class LedgerPly(NamedTuple):
    """The columns of a ply that its lines follow from, and that the page of the clocks shows."""

    attempt: int
    number: int
    side: str
    move: str
    spent_ms: int
    remaining_ms: int
    wall_ms: int | None
    cpu_ms: int | None
    made_at: datetime
    charges: str | None


@dataclass(frozen=True, slots=True)
class _Entry:
    """Charges of one row. `before_ms` is the time before them."""

    of: LedgerPly | ClockCharge
    ply: int
    at: datetime
    before_ms: int
    charges: Sequence[clocks.Charge]

    def place(self) -> tuple[int, int, bool]:
        """Return the place in the ledger: a change within a turn comes before the ply that ends it."""
        return self.of.attempt, self.ply, isinstance(self.of, LedgerPly)

    def lines(self, numbers: Iterator[int]) -> Iterator[Line]:
        left_ms = self.before_ms
        for charge in self.charges:
            left_ms += charge.ms
            yield Line(
                seq=next(numbers),
                attempt=self.of.attempt,
                ply=self.ply,
                side=self.of.side,
                reason=ClockCharge.Reason(charge.reason),
                ms=charge.ms,
                remaining_ms=left_ms,
                at=self.at,
            )


def plies_of(game: Game) -> list[LedgerPly]:
    """Return the plies of all attempts in their order."""
    return [LedgerPly(*row) for row in _plies.all(game=game.pk)]


@statements.query
def _plies(game: int) -> QuerySet[Ply, tuple[Any, ...]]:
    plies = Ply.objects.filter(game=game).order_by("attempt", "number")
    return plies.values_list(*LedgerPly._fields)


def of_game(game: Game, plies: Sequence[LedgerPly] | None = None) -> Sequence[Line]:
    """Return the ledger of a game, from its plies if the caller has read them (`plies_of`)."""
    if plies is None:
        plies = plies_of(game)
    entries = [*map(_of_row, _charges.all(game=game.pk)), *_of_plies(plies)]
    entries = sorted(entries, key=_Entry.place) or list(_from_costs(game, plies))
    numbers = count(1)
    return [line for entry in entries for line in entry.lines(numbers)]


@statements.query
def _charges(game: int) -> QuerySet[ClockCharge]:
    return ClockCharge.objects.filter(game=game).order_by("seq")


def _of_row(row: ClockCharge) -> _Entry:
    charge = clocks.Charge(clocks.Reason(row.reason), row.ms)
    return _Entry(row, row.ply, row.at, row.remaining_ms - row.ms, [charge])


def _of_plies(plies: Iterable[LedgerPly]) -> Iterator[_Entry]:
    for ply in plies:
        if ply.charges is not None:
            charges = clocks.read(ply.charges)
            before_ms = ply.remaining_ms - clocks.after(0, charges)
            yield _Entry(ply, ply.number, ply.made_at, before_ms, charges)


def _from_costs(game: Game, plies: Iterable[LedgerPly]) -> Iterator[_Entry]:
    """Yield the turns of a game without charges, such as one between bots, from the costs of its plies."""
    control = clocks.TimeControl(game.clock_initial_ms, game.clock_increment_ms)
    left_ms = {side: game_clocks.initial_ms(game, side) for side in Side.values}
    for ply in plies:
        if ply.attempt == game.attempt and ply.number > game.opening_plies:
            before_ms = left_ms[ply.side]
            charges = clocks.charges_of_ply(control, before_ms, clocks.Turn(ply.spent_ms))
            left_ms[ply.side] = clocks.after(before_ms, charges)
            yield _Entry(ply, ply.number, ply.made_at, before_ms, charges)
