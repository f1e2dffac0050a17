"""The score of a pair of games that a match has played, as comparisons of bots count it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.models import Game

if TYPE_CHECKING:
    from collections.abc import Iterable

_FIRST_HALVES = {Game.Result.FIRST: 2, Game.Result.DRAW: 1, Game.Result.SECOND: 0}


def halves_of(player_id: int, pair: Iterable[Game]) -> int:
    """The half points of the player in both games, 0 to 4. The games have ended, and neither is void."""
    total = 0
    for game in pair:
        first = _FIRST_HALVES[Game.Result(game.result or "")]
        total += first if game.first_id == player_id else 2 - first
    return total
