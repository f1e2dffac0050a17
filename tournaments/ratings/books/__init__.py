"""Ratings of a pool from its games alone, one after the other: what a ledger must say."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from tournaments.ratings.books import casual, lists, running
from tournaments.ratings.books.casual import CasualBook, read
from tournaments.ratings.books.core import Inputs, Line, RatedGame, RatingSystem, Standing, System
from tournaments.ratings.books.lists import ListsBook, month_of, next_month
from tournaments.ratings.books.running import RunningBook

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

__all__ = [
    "FORMULAS",
    "CasualBook",
    "Inputs",
    "Line",
    "ListsBook",
    "RatedGame",
    "RatingSystem",
    "RunningBook",
    "Standing",
    "System",
    "month_of",
    "new_book",
    "next_month",
    "read",
    "replay",
]


# The names the books put on their lines, and on predictions.
FORMULAS = {
    System.LISTS: lists.FORMULA,
    System.GLICKO2: casual.FORMULA,
    System.RUNNING: running.FORMULA,
}


def new_book(system: System, standings: dict[int, Standing] | None = None) -> RatingSystem:
    """A book for a pool of that system, with the standings so far; whoever is not in it begins at 1500."""
    known = {} if standings is None else standings
    match system:
        case System.LISTS:
            return ListsBook(known)
        case System.GLICKO2:
            return CasualBook(known)
        case System.RUNNING:
            return RunningBook(known)
        case _:  # pragma: no cover
            assert_never(system)


def replay(games: Iterable[RatedGame], book: RatingSystem, *, closed_until: date) -> Iterator[Line]:
    """The lines of all the games, told in the order of their entry; `book` has the standings after them.

    Periods that ended before the month of `closed_until` are closed.
    """
    for game in sorted(games, key=book.order):  # stable: within a period the order of entry stays
        yield from book.enter(game)
    yield from book.close(closed_until)
