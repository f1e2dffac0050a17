"""The published ratings of a pool with their certainty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.models import Pool, Rating
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.services.ratings import bradley_terry_table, certainty

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Published:
    """A player's published rating, in hundredths of an Elo point.

    Attributes:
        rating: the row it comes from, whose `centielo` is where the ledger stands.
        centielo: of the list in force, of Glicko-2, or fitted to all games, as the pool has it.
        error_centielo: half of the 95 % interval; None where nothing is known.
        is_provisional: whether it is a guess yet, and has no place in the ranking.
        rank: from 1; None without a place.
    """

    rating: Rating
    centielo: int
    error_centielo: int | None
    is_provisional: bool = False
    rank: int | None = None

    @property
    def is_live(self) -> bool:
        """Whether the games since the list have moved the ledger away from it."""
        return self.centielo != self.rating.centielo


def published(pool: Pool, now: datetime) -> list[Published]:
    """Every player with a rated game in the pool: the ranked, best first, then provisional ones."""
    rows = Rating.objects.filter(pool=pool, games__gt=0).select_related("player", "pool")
    entries = list(
        _glicko(rows, now) if pool.system == Pool.System.GLICKO2 else _with_fit(pool, rows, now)
    )
    entries.sort(key=lambda p: (p.is_provisional, -p.centielo, p.rating.player.canonical))
    return [
        Published(p.rating, p.centielo, p.error_centielo, p.is_provisional, _rank(p, place))
        for place, p in enumerate(entries, start=1)
    ]


def _rank(row: Published, place: int) -> int | None:
    return None if row.is_provisional else place


def _glicko(rows: Iterable[Rating], now: datetime) -> Iterable[Published]:
    for row in rows:
        known = certainty.of_rating(row, now)
        yield Published(row, row.centielo, known.error_centielo, known.is_provisional)


def _with_fit(pool: Pool, rows: Iterable[Rating], now: datetime) -> Iterable[Published]:
    """Entries with intervals from a fit to all games.

    In bots' pools the fit gives the rating too.
    """
    fit = bradley_terry_table.strengths(pool)
    by_player = {row.player: row for row in fit.rows} if fit else {}
    for row in rows:
        strength = by_player.get(row.player_id)
        if pool.system == Pool.System.LISTS:
            centielo = INITIAL_CENTIELO if row.listed_elo is None else 100 * row.listed_elo
        else:
            centielo = strength.centielo if strength else row.centielo
        is_provisional = certainty.of_rating(row, now).is_provisional
        yield Published(
            row, centielo, strength.error_centielo if strength else None, is_provisional
        )
