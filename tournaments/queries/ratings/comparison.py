"""Ratings over time, side by side: of two players in a pool, or of one player in several pools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from tournaments.models import LedgerEntry, Player, Pool, Rating
from tournaments.models.ratings import LedgerQuerySet

# A bot has tens of thousands of games.
_MOST_ROWS = 1_000
_MOST_ROWS_TOGETHER = 300
_Values = tuple[int, datetime, datetime, int, int]


@dataclass(frozen=True, slots=True)
class SharedPool:
    """A pool in which both players have a rating."""

    pool: Pool
    one: Rating
    two: Rating


@dataclass(frozen=True, slots=True)
class Moment:
    """A rating in hundredths of a point after a game, or at the beginning of the first one."""

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
    """Return the ratings of the player in the latest games of the pool, the oldest first.

    The first is that at the beginning of the first of these games. One game is a line, too.
    """
    rows = LedgerEntry.objects.filter(player=player, pool=pool).order_by("-seq")
    return _courses(_values(rows)[:_MOST_ROWS][::-1]).get(pool.pk, [])


def courses(ratings: Sequence[Rating]) -> Sequence[Sequence[Moment]]:
    """Return the course of each of the player's ratings over fewer games, read by one query.

    The ledger has a line for each game and those of corrections, so that these lines are enough.
    """
    lines = Q(pk__in=[])
    for row in ratings:
        first = row.games - _MOST_ROWS_TOGETHER
        lines |= Q(pool=row.pool_id, player=row.player_id, seq__gt=first)
    by_pool = _courses(_values(LedgerEntry.objects.filter(lines).order_by("seq")))
    return [by_pool.get(row.pool_id, []) for row in ratings]


def _values(rows: LedgerQuerySet) -> QuerySet[LedgerEntry, _Values]:
    """Return of each row the pool, the begin of the game, the moment, and the rating before and after it."""
    began_at = Coalesce("game__created_at", "entered_at")
    return rows.annotate(began_at=began_at).values_list(
        "pool", "began_at", "entered_at", "before_centielo", "after_centielo"
    )


def _courses(values: Iterable[_Values]) -> Mapping[int, Sequence[Moment]]:
    """Return the moments by the pool's id. A course begins with the rating before its first game."""
    by_pool: dict[int, list[Moment]] = {}
    for pool_id, began_at, at, before_centielo, after_centielo in values:
        course_of_pool = by_pool.setdefault(pool_id, [Moment(began_at, before_centielo)])
        course_of_pool.append(Moment(at, after_centielo))
    return by_pool
