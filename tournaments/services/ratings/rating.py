"""Rating of finished games, closing of months, and the ratings that events are seeded by."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from tournaments.models import Bot, Game, Player, Pool, Rating
from tournaments.models.games import GameQuerySet
from tournaments.ratings import INITIAL_CENTIELO
from tournaments.ratings.systems import month_of
from tournaments.services import database_time
from tournaments.services.ratings import ledger, recomputations


def rate(game: Game) -> None:
    """Enter a finished rated game in the ledger, both sides, in the caller's transaction.

    The database refuses a second entry for a game and side, so a game is rated at most once (law
    2).
    """
    if not game.is_rated or game.pool is None or game.result not in ledger.SCORES:
        return
    pool = game.pool
    rated_game = ledger.rated_game(game, pool)
    players = [rated_game.first, rated_game.second]
    known = Rating.objects.filter(pool=pool, player__in=players)
    if pool.closed_until is not None or known.count() < 2:
        # Newcomers have no row to lock, and a recomputation of the pool meanwhile must not miss
        # them.
        pool = Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    ledger.locked_standings(pool, players)
    recomputations.enter(pool, rated_game)


def rated_in(pool: Pool | None) -> GameQuerySet:
    """The finished games that count in the pool."""
    return Game.objects.filter(pool=pool, is_rated=True, result__in=list(ledger.SCORES))


def close_months(now: datetime) -> None:
    """Publish the lists that are due at `now`: of all pools that have an earlier month open."""
    month = month_of(now.date())
    for pool in Pool.objects.filter(closed_until__lt=month):
        with transaction.atomic():
            list_in_force(pool, now)


def list_in_force(pool: Pool, now: datetime) -> None:
    """See to it that the list of the month of `now` is out, where there are lists.

    It waits while the pool is computed again. In the caller's transaction.
    """
    month = month_of(now.date())
    if pool.closed_until is None or pool.closed_until >= month:
        return
    locked_pool = Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    assert locked_pool.closed_until is not None, "a pool of lists has closed months"
    if locked_pool.closed_until < month and not recomputations.is_going_on(pool):
        ledger.close_months(locked_pool, month)


def deviation_centielo(games: int) -> int:
    """The standard error of a rating from so many games, in hundredths of a point.

    One game between equals tells p(1-p) = 1/4 about the difference in units of 400/ln 10 points:
    after n games its standard error is 2 x 400/ln 10 / sqrt(n).
    """
    return round(200 * 400 / math.log(10) / math.sqrt(max(1, games)))


def seeds(players: Collection[Player], pool: Pool) -> dict[int, int]:
    """The ratings that events are seeded by, in hundredths of an Elo point.

    Where there are lists they are of the list in force.

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
        **inherited_ratings([p.pk for p in players if p.pk not in ratings], pool),
        **ratings,
    }
    return {player.pk: all_ratings.get(player.pk, INITIAL_CENTIELO) for player in players}


def inherited_ratings(players: Collection[int], pool: Pool) -> dict[int, int]:
    """Ratings of earlier versions, by which new versions of authors' bots are paired.

    It is the rating of the last version before each that has games in the pool.

    In hundredths of an Elo point, by player, for those of `players` that have such a one. It is
    worth no more than one game: their own rating begins where everybody's does.
    """
    new = Bot.objects.of_authors().filter(player__in=players)
    versions = list(new.values_list("player_id", "line_id", "version"))
    if not versions:
        return {}
    ratings = Rating.objects.filter(
        pool=pool, player__bot__line__in={line for _, line, _ in versions}
    )
    rated_versions = defaultdict(list)
    for line, version, centielo in ratings.values_list(
        "player__bot__line_id", "player__bot__version", "centielo"
    ):
        rated_versions[line].append((version or 0, centielo))
    centielo_by_player = {}
    for player, line, version in versions:
        earlier = [
            version_rating
            for version_rating in rated_versions[line]
            if version_rating[0] < (version or 0)
        ]
        if earlier:
            centielo_by_player[player] = max(earlier)[1]
    return centielo_by_player
