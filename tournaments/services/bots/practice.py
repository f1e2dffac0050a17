"""Games of a bot in its author's browser: a start, the levels as opponents, and samples of programs."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

import games
from engine import referee, sdk
from engine.kernel import LEVELS
from tournaments.errors import RefusedError

_SAMPLES = Path(sdk.__file__).parent / "samples" / "javascript"


@dataclass(frozen=True, slots=True)
class PracticeGame:
    """A game that a page begins.

    Attributes:
        position_line: the referee's line for the start, to which the page adds the moves.
        levels: numbers of the kernel's levels.
    """

    start: games.Position
    position_line: str
    levels: range = LEVELS

    @property
    def ruleset(self) -> str:
        """Return the key of its rule set."""
        return self.start.ruleset.key

    @property
    def family(self) -> str:
        """Return the name of its game."""
        return self.start.ruleset.family


def begin(ruleset_key: str) -> PracticeGame:
    """Return a game with a start that is drawn where the rules draw one. Raises RefusedError `ruleset-bad`."""
    try:
        ruleset = games.load(ruleset_key)
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    start = ruleset.initial(seed=secrets.randbelow(1 << 32))
    return PracticeGame(start, referee.position_line(ruleset, start))


def sample(family: str) -> str:
    """Return a program in JavaScript that plays a game, or one that only speaks the protocol."""
    own = _SAMPLES / f"{family}.js"
    return (own if own.exists() else _SAMPLES / "empty.js").read_text()
