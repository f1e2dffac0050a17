"""Rating of finished games, closing of months, and the ratings that events are seeded by."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from tournaments import database_time
from tournaments.models import Game, Player, Pool, Rating, statements
from tournaments.queries.ratings import estimates, ledger
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.systems import month_of
from tournaments.services.ratings import posting, recomputations


def rate(game: Game) -> None:
    """Enter a finished rated game in the ledger, both sides, in the caller's transaction.

    The database refuses a second entry for a game and side, so a game is rated at most once (law
    2).
    """
    if not game.is_rated or game.pool is None or game.result not in ledger.SCORES:
        return
    pool = game.pool
    rated_game = ledger.rated_game(game, pool)
    players = {"first": rated_game.first, "second": rated_game.second}
    if pool.closed_until is not None:
        pool = _locked_lists(pool, month_of(rated_game.ended_at.date()))
    elif len(_rated.all(pool=pool.pk, **players)) < len(players):
        # Newcomers have no row to lock, and a recomputation of the pool meanwhile must not miss
        # them.
        pool = Pool.objects.locked_by_many(pool.pk)
    recomputations.enter(pool, rated_game)


@statements.query
def _rated(pool: int, first: int, second: int) -> QuerySet[Rating, tuple[int]]:
    of_either = Q(player=first) | Q(player=second)
    return Rating.objects.filter(of_either, pool=pool).values_list("player")


def _locked_lists(pool: Pool, month: date) -> Pool:
    """Lock a pool of lists for a game of this month: alone if the month is not the open one, else with others."""
    if pool.closed_until == month:
        pool = Pool.objects.locked_by_many(pool.pk)
        if pool.closed_until == month:
            return pool
    return Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)


def close_months(now: datetime) -> None:
    """Publish the lists that are due at `now`: of all pools that have an earlier month open."""
    month = month_of(now.date())
    for pool in Pool.objects.filter(closed_until__lt=month):
        with transaction.atomic():
            list_in_force(pool, now)


def list_in_force(pool: Pool, now: datetime) -> None:
    """Publish the list of the month of `now`, if the pool has lists.

    It waits while the pool is computed again. In the caller's transaction.
    """
    month = month_of(now.date())
    if pool.closed_until is None or pool.closed_until >= month:
        return
    locked_pool = Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    assert locked_pool.closed_until is not None, "a pool of lists has closed months"
    if locked_pool.closed_until < month and not recomputations.is_going_on(pool):
        posting.close_months(locked_pool, month)


def seeds(players: Collection[Player], pool: Pool) -> dict[int, int]:
    """Return the ratings that events are seeded by, in hundredths of an Elo point.

    In a pool with lists they are of the list in force.

    In the caller's transaction.
    """
    list_in_force(pool, database_time.now())
    rows = Rating.objects.filter(player__in=players, pool=pool)
    if pool.closed_until is not None:
        elo_rows = rows.values_list("player_id", "listed_elo")
        ratings = {player: 100 * elo for player, elo in elo_rows if elo is not None}
    else:
        ratings = dict(rows.values_list("player_id", "centielo"))
    all_ratings = {
        **estimates.inherited_ratings([p.pk for p in players if p.pk not in ratings], pool),
        **ratings,
    }
    return {player.pk: all_ratings.get(player.pk, INITIAL_CENTIELO) for player in players}
