"""What the ratings expect of a game, stored with it before it begins, so that it can be held against the outcome."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tournaments.models import Rating
from tournaments.ratings import FORMULA, INITIAL_CENTIELO, expected_millionths
from tournaments.services import pools

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tournaments.models import Game


def foresee(made: Iterable[Game]) -> None:
    """Give rated games that are not saved yet the first side's expected score by the ratings now: one query a pool."""
    by_pool: dict[str, list[Game]] = defaultdict(list)
    for game in made:
        if game.is_rated:
            by_pool[pools.key_of(game.ruleset)].append(game)
    for pool, games in by_pool.items():
        known = _ratings(pool, games)
        for game in games:
            game.predicted_millionths = expected_millionths(
                known.get(game.first_id, INITIAL_CENTIELO),
                known.get(game.second_id, INITIAL_CENTIELO),
            )
            game.predicted_by = FORMULA


def _ratings(pool: str, games: Sequence[Game]) -> Mapping[int, int]:
    players = {player for game in games for player in (game.first_id, game.second_id)}
    rows = Rating.objects.filter(pool__key=pool, player__in=players)
    return dict(rows.values_list("player_id", "centielo"))
