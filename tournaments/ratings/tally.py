"""Results of ordered pairs, summed in columns while a file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from tournaments.ratings.bradley_terry import PairTable
from tournaments.ratings.errors import ResultFileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Column = NDArray[np.int64]

# By the first player. A game without a result is counted apart.
_OUTCOMES = {"1-0": 0, "1/2-1/2": 1, "0-1": 2, "*": 3}
_UNFINISHED = _OUTCOMES["*"]
_MOST_NAME = 200
# Rows that wait to be summed, 16 bytes each.
_MOST_ROWS = 500_000


class Tally:
    """The sums of the rows read so far.

    Players have numbers in the order of the file. A code is a pair of numbers and an outcome.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._codes: Column = np.zeros(0, np.int64)
        self._games: Column = np.zeros(0, np.int64)
        self._rows: list[tuple[Column, Column]] = []
        self._waiting = 0

    def number(self, text: str) -> int:
        """Return the number of the player of that name. Raises ResultFileError if it is none."""
        name = text.strip()
        if not name or len(name) > _MOST_NAME:
            raise ResultFileError(f"a name of {len(name)} characters")
        return self._numbers.setdefault(name, len(self._numbers))

    def numbers(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of many players. Raises ResultFileError if a name has blanks around it too."""
        for name in dict.fromkeys(names):
            if name not in self._numbers and name != name.strip():
                raise ResultFileError(f"blanks around {name[:60]!r}")
            self.number(name)
        return [self._numbers[name] for name in names]

    def pair(self, first: str, second: str) -> tuple[int, int]:
        """Return the numbers of two players. Raises ResultFileError if they are one."""
        pair = self.number(first), self.number(second)
        if pair[0] == pair[1]:
            raise ResultFileError(f"{first.strip()[:60]!r} against itself")
        return pair

    def add(self, codes: Sequence[int] | Column, games: Sequence[int] | Column) -> None:
        """Add numbers of games, each to its code. A code may come more than once."""
        self._rows.append((np.asarray(codes, np.int64), np.asarray(games, np.int64)))
        self._waiting += len(codes)
        if self._waiting > max(_MOST_ROWS, self._codes.size):
            self._sum()

    def _sum(self) -> None:
        if not self._rows:
            return
        codes, games = zip((self._codes, self._games), *self._rows, strict=True)
        self._rows, self._waiting = [], 0
        self._codes, places = np.unique(np.concatenate(codes), return_inverse=True)
        self._games = np.zeros(self._codes.size, np.int64)
        np.add.at(self._games, places, np.concatenate(games))

    def unfinished(self) -> int:
        """Return the number of games without a result."""
        self._sum()
        return int(self._games[self._codes & 3 == _UNFINISHED].sum())

    def table(self) -> PairTable:
        """Return the sums as a table sorted by names, of players and pairs with a result."""
        self._sum()
        has_result = (self._codes & 3 != _UNFINISHED) & (self._games != 0)
        codes = self._codes[has_result]
        pairs, rows = np.unique(codes >> 2, return_inverse=True)
        results = np.zeros((3, pairs.size), np.int64)
        results[codes & 3, rows] = self._games[has_result]
        first, second = pairs >> 31, pairs & (1 << 31) - 1
        names = list(self._numbers)
        used = np.union1d(first, second).tolist()
        used.sort(key=names.__getitem__)
        place = np.zeros(len(names), np.int64)
        place[used] = np.arange(len(used))
        first, second = place[first], place[second]
        order = np.lexsort((second, first))
        players = tuple(names[number] for number in used)
        return PairTable(players, first[order], second[order], *results[:, order])


def outcome_of(result: str) -> int:
    """Return the number of a result. Raises ResultFileError if it is none."""
    if result not in _OUTCOMES:
        raise ResultFileError(f"result {result[:60]!r}")
    return _OUTCOMES[result]


@overload
def code_of(first: int, second: int, outcome: int) -> int: ...
@overload
def code_of(first: Column, second: int | Column, outcome: int) -> Column: ...
def code_of(first: int | Column, second: int | Column, outcome: int) -> int | Column:
    """Return the code of a game of players with these numbers."""
    return (first << 31 | second) << 2 | outcome
