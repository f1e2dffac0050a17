"""Who may have the engine look at a position: nobody whom it could help at a board.

The engine runs in the browser, and pages are all that the service can refuse it. Whoever brings a
program of their own is a matter for arbiters, as everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import games
from tournaments.models import Game
from tournaments.services.errors import NotAllowedError
from tournaments.services.records import evaluations

if TYPE_CHECKING:
    from tournaments.models import Player


def require(*, player: Player | None, ruleset: str, game: Game | None = None) -> None:
    """Let `player`, or a visitor when None, have positions of `ruleset` looked at, here those of `game`.

    Raises:
        NotAllowedError: `engine-running-game`, the position is of a game that goes on, and not of
            programs boxed here; `engine-own-game`, they sit at a game of this family.
    """
    if game is not None and not evaluations.are_open(game):
        raise NotAllowedError("engine-running-game")
    if player is not None and own_running_game(player, ruleset) is not None:
        raise NotAllowedError("engine-own-game")


def own_running_game(player: Player, ruleset: str) -> Game | None:
    """A game of the rule set's family at which `player` sits, or None.

    Of the whole family, since the boards of two sizes or two editions are nearly the same.
    """
    family = games.family_of(ruleset).name
    return Game.objects.ongoing().of(player).filter(ruleset__startswith=f"{family}(").first()
