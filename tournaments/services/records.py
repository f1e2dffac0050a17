"""Games as records in the notation of the rules, for people to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import games
from tournaments.models import Game

if TYPE_CHECKING:
    from collections.abc import Mapping

# A record has a word for every way a game of people ends; what a bot did wrong is a forfeit there.
WORDS: Mapping[str, str] = {
    Game.Ending.RULES: "rules",
    Game.Ending.AGREEMENT: "agreement",
    Game.Ending.DRAW_AGREED: "draw-agreed",
    Game.Ending.RESIGNATION: "resignation",
    Game.Ending.TIME: "time",
}


def record_of(game: Game) -> games.Record:
    """The record of `game` as it stands; a void game counts as not finished."""
    plies = game.plies.filter(attempt=game.attempt).order_by("number")
    result = None if game.result == Game.Result.VOID else game.result
    return games.Record(
        ruleset=game.ruleset,
        setup=game.setup,
        moves=tuple(plies.values_list("move", flat=True)),
        outcome=games.Outcome(result) if result else None,
        ending=WORDS.get(game.ending or "", "forfeit") if result else None,
    )
