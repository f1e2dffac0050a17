"""Assignment of games to the pools in which they are rated."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments import database_time
from tournaments.models import Event, Game, Pool
from tournaments.queries.accounts import ownership
from tournaments.queries.ratings import pools
from tournaments.ratings.systems import month_of

_SYSTEMS = {
    Pool.Kind.EVENTS: Pool.System.LISTS,
    Pool.Kind.PEOPLE: Pool.System.GLICKO2,
    Pool.Kind.MIXED: Pool.System.GLICKO2,
    Pool.Kind.BOTS: Pool.System.RUNNING,
    Pool.Kind.REMOTE: Pool.System.GLICKO2,
}


def of_event(event: Event) -> Pool:
    """Return the pool of the event's games, rated or not. Create a missing pool."""
    kind = pools.kind_of_event(event)
    return pool_of(event.ruleset, event.clock_initial_ms, event.clock_increment_ms, kind)


def assign_pools(new_games: Iterable[Game]) -> None:
    """Set the pools of rated games that are not saved yet, with a query or two for each pool.

    A game whose sides share an account or a program is not rated: an author's game against another
    bot of the author's, or that of two accounts with one upload.
    """
    rated_games = [game for game in new_games if game.is_rated]
    ties = ownership.ties_of(player for game in rated_games for player in (game.first, game.second))
    pools_by_key: dict[tuple[str, int, int, Pool.Kind], Pool] = {}
    for game in rated_games:
        game.is_rated = ties[game.first_id].isdisjoint(ties[game.second_id])
        if game.is_rated:
            key = (
                game.ruleset,
                game.clock_initial_ms,
                game.clock_increment_ms,
                pools.kind_of_game(game),
            )
            if key not in pools_by_key:
                pools_by_key[key] = pool_of(*key)
            game.pool = pools_by_key[key]


def pool_of(ruleset_key: str, initial_ms: int, increment_ms: int, kind: Pool.Kind) -> Pool:
    """Return the pool of rated games by this rule set, clock and kind. Create a missing pool."""
    family, edition, size_class = pools.game_class(ruleset_key)
    time = pools.time_class(initial_ms, increment_ms)
    pool, _ = Pool.objects.get_or_create(
        key=pools.key_for(ruleset_key, initial_ms, increment_ms, kind),
        defaults={
            "family": family,
            "edition": edition,
            "size_class": size_class,
            "time_class": time,
            "kind": kind,
            "system": _SYSTEMS[kind],
            "closed_until": month_of(database_time.now().date())
            if kind == Pool.Kind.EVENTS
            else None,
        },
    )
    return pool
