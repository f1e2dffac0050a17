"""Ratings of two players side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.models import LedgerEntry, Player, Pool, Rating

# A bot has tens of thousands of games.
_MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class SharedPool:
    """A pool in which both players have a rating."""

    pool: Pool
    one: Rating
    two: Rating


@dataclass(frozen=True, slots=True)
class Moment:
    """A rating in hundredths of a point after a game."""

    at: datetime
    centielo: int


def shared_pools(one: Player, two: Player) -> list[SharedPool]:
    """Return the pools of both players, those first in which both have many games."""
    rows = Rating.objects.filter(player__in=[one, two], games__gt=0).select_related("pool")
    own: dict[int, dict[int, Rating]] = {one.pk: {}, two.pk: {}}
    for row in rows:
        own[row.player_id][row.pool_id] = row
    both = own[one.pk].keys() & own[two.pk].keys()
    shared = [SharedPool(own[one.pk][pk].pool, own[one.pk][pk], own[two.pk][pk]) for pk in both]
    return sorted(shared, key=lambda row: (-min(row.one.games, row.two.games), row.pool.key))


def course(player: Player, pool: Pool) -> Sequence[Moment]:
    """Return the ratings of the player after the latest games of the pool, the oldest first."""
    rows = LedgerEntry.objects.filter(player=player, pool=pool).order_by("-seq")
    values = rows.values_list("entered_at", "after_centielo")[:_MOST_ROWS]
    return [Moment(at, centielo) for at, centielo in reversed(values)]
