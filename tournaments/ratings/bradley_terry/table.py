"""Results of ordered pairs: the input of a Bradley-Terry fit, and all that a league must store."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.ratings.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Column = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PairCount:
    """Games with `first` on the first side: won, drawn and lost by `first`.

    Negative counts take games back.
    """

    first: str
    second: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Every ordered pair that played, a row each, in columns.

    `first` and `second` are places in `players`. No pair comes twice. Columns may be lists, arrays
    or numpy arrays of whole numbers, which a fit checks. `pair_table` makes a canonical one from
    counts in any order.
    """

    players: tuple[str, ...]
    first: Column
    second: Column
    wins: Column
    draws: Column
    losses: Column

    def counts(self) -> Iterator[PairCount]:
        """Yield the rows by names, in their order."""
        columns = (self.first, self.second, self.wins, self.draws, self.losses)
        for first, second, *results in zip(*columns, strict=True):
            wins, draws, losses = map(int, results)
            yield PairCount(self.players[first], self.players[second], wins, draws, losses)


def pair_table(counts: Iterable[PairCount], *, players: Iterable[str] = ()) -> PairTable:
    """Return the sum of `counts` as a table sorted by names.

    Equal games give equal tables, in any order.

    Pairs with a sum of zero are left out. `players` are in the table even without a game.

    Raises:
        InputError: a player plays himself, or a sum is negative.
    """
    sums: dict[tuple[str, str], tuple[int, int, int]] = {}
    for count in counts:
        pair = (count.first, count.second)
        wins, draws, losses = sums.get(pair, (0, 0, 0))
        sums[pair] = (wins + count.wins, draws + count.draws, losses + count.losses)
    rows = sorted((*pair, *results) for pair, results in sums.items() if any(results))
    for first, second, *results in rows:
        if first == second:
            raise InputError(f"{first[:60]!r} plays against itself")
        if min(results) < 0:
            raise InputError(f"{first[:60]!r} against {second[:60]!r}: {results} games")
    names = tuple(sorted({*players, *(row[0] for row in rows), *(row[1] for row in rows)}))
    place = {name: n for n, name in enumerate(names)}
    numbers = [(place[row[0]], place[row[1]], *row[2:]) for row in rows]
    return PairTable(names, *(_column(numbers, n) for n in range(5)))


def _column(rows: Sequence[tuple[int, ...]], n: int) -> array[int]:
    return array("q", [row[n] for row in rows])
