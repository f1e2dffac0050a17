"""Starts of games: a start of their rules, or any position that was given to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import BadSetupError, RulesError

if TYPE_CHECKING:
    from games.core import Position, Ruleset

# The beginning of the set-up of a game from a given position. The position's text follows.
POSITION = "position="


def starting_position(ruleset: Ruleset, setup: str) -> Position:
    """Return the position in which a game with the stored `setup` begins.

    Raises:
        BadSetupError: no set-up of `ruleset`, and no position of it.
    """
    if not setup.startswith(POSITION):
        return ruleset.start(setup)
    try:
        return ruleset.parse(setup.removeprefix(POSITION))
    except RulesError as error:
        raise BadSetupError(f"the position of the set-up: {error}") from error


def setup_of(position: Position) -> str:
    """Return the set-up of a game that begins with `position`. `starting_position` reads it back."""
    ruleset = position.ruleset
    setup = ruleset.setup_text(position)
    return setup if ruleset.start(setup) == position else f"{POSITION}{position.text()}"
