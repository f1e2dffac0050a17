"""Expected scores, stored with a game before it begins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tournaments import database_time
from tournaments.models import Game, Pool, Rating
from tournaments.queries.ratings import ledger
from tournaments.services.ratings import rating


def store_expected_scores(new_games: Iterable[Game]) -> None:
    """Store the first side's expected score in rated games that are not saved yet.

    In the caller's transaction.
    """
    by_pool: dict[Pool, list[Game]] = defaultdict(list)
    for game in new_games:
        if game.pool is not None:
            by_pool[game.pool].append(game)
    for pool, games in by_pool.items():
        rating.list_in_force(pool, database_time.now())
        players = {player for game in games for player in (game.first_id, game.second_id)}
        ratings = Rating.objects.filter(pool=pool, player__in=players)
        system = ledger.open_system(pool, {row.player_id: ledger.standing(row) for row in ratings})
        for game in games:
            rated_game = ledger.rated_game(game, pool)
            game.predicted_millionths = system.expected_millionths(rated_game)
            game.predicted_by = system.formula_of(rated_game)
