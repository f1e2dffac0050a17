"""The card of the engine on pages with a board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import games
from tournaments.errors import NotAllowedError
from tournaments.models import Game, Player
from tournaments.queries.records import engine_use
from tournaments.text import refusals

# The number that the script asks for.
_LINES = 3


@dataclass(frozen=True, slots=True)
class EngineCard:
    """The data of the card.

    Attributes:
        sentence: the reason for a missing engine, empty if the engine is available.
        running_game: the visitor's current game, which forbids the engine.
        plays_lines: whether a click on a line plays its first move.
    """

    sentence: str = ""
    running_game: Game | None = None
    plays_lines: bool = False
    line_numbers: range = range(_LINES)

    @property
    def is_open(self) -> bool:
        """Return whether the engine may be turned on."""
        return not self.sentence


def card(
    *,
    player: Player | None,
    ruleset: str,
    game: Game | None = None,
    positions: Iterable[games.Position] = (),
    plays_lines: bool = False,
) -> EngineCard:
    """The card for `player`, or a visitor when None, over `positions` of `ruleset`, which are of `game` if it is given."""
    try:
        engine_use.require(player=player, ruleset=ruleset, game=game, positions=positions)
    except engine_use.OwnGameError as refusal:
        return EngineCard(refusals.sentence(refusal), refusal.game)
    except NotAllowedError as refusal:
        return EngineCard(refusals.sentence(refusal))
    return EngineCard(plays_lines=plays_lines)
