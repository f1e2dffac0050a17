"""Ratings of a pool from its games alone, one after the other: the lines of a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from tournaments.ratings.systems.core import (
    Inputs,
    Line,
    RatedGame,
    RatingStanding,
    RatingSystem,
    SystemName,
)
from tournaments.ratings.systems.elo_running import EloSystem
from tournaments.ratings.systems.fide_list import FORMULA as LIST_FORMULA
from tournaments.ratings.systems.fide_list import FideListSystem, month_of, next_month
from tournaments.ratings.systems.glicko2_games import FORMULA as GLICKO2_FORMULA
from tournaments.ratings.systems.glicko2_games import Glicko2System, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

__all__ = [
    "GLICKO2_FORMULA",
    "LIST_FORMULA",
    "EloSystem",
    "FideListSystem",
    "Glicko2System",
    "Inputs",
    "Line",
    "RatedGame",
    "RatingStanding",
    "RatingSystem",
    "SystemName",
    "month_of",
    "new_system",
    "next_month",
    "read",
    "recompute",
]


def new_system(
    name: SystemName, standings: dict[int, RatingStanding] | None = None
) -> RatingSystem:
    """Return the rating system of that name, with the standings so far.

    Players without a standing begin at 1500.
    """
    standings_so_far = {} if standings is None else standings
    match name:
        case SystemName.LISTS:
            return FideListSystem(standings_so_far)
        case SystemName.GLICKO2:
            return Glicko2System(standings_so_far)
        case SystemName.RUNNING:
            return EloSystem(standings_so_far)
        case _:  # pragma: no cover
            assert_never(name)


def recompute(
    games: Iterable[RatedGame], system: RatingSystem, *, closed_until: date
) -> Iterator[Line]:
    """Yield the lines of all the games, in the order of their entry.

    Afterwards `system` has the standings.

    Periods that ended before the month of `closed_until` are closed.
    """
    for game in sorted(games, key=system.order):  # stable: within a period the order of entry stays
        yield from system.enter(game)
    yield from system.close(closed_until)
