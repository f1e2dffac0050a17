"""The Gymnasium environment of one agent against an opponent.

Needs `rayuela-games[learning]`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gymnasium
from gymnasium import spaces

from games.core import Position, Side
from games.learning.aec import observation, observation_space
from games.learning.encodings import encoding_of
from games.learning.stage import IllegalActionError, reward
from games.learning.starts import StartDraw

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Chooses a legal move in a position. `engine.players.opponent` makes one of a built-in bot.
Opponent = Callable[[Position, random.Random], str]

_Observation = dict[str, "NDArray[Any]"]


def random_opponent(position: Position, rng: random.Random) -> str:
    """Return any legal move, each equally likely."""
    return position.random_move(rng)


class RayuelaSolo(gymnasium.Env[Any, Any]):
    """A game against an opponent. The reward at its end is 1, 0 or -1.

    An illegal action loses the game. `info["moves"]` lists the moves since the last action.
    """

    def __init__(
        self,
        ruleset: str,
        *,
        opponent: Opponent = random_opponent,
        side: Side | None = None,
        setup: str | None = None,
    ) -> None:
        """Make the environment.

        Args:
            ruleset: a key such as `morlox(size=5)`.
            opponent: chooses the other side's moves.
            side: the side of the agent. None draws one for each game.
            setup: the text of a start. None draws one for each game.
        """
        self.observation_space = observation_space(ruleset)
        self.action_space = spaces.Discrete(len(encoding_of(ruleset).actions))
        self._opponent = opponent
        self._side = side
        self._starts = StartDraw(ruleset, setup)
        self._rng = random.Random()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Observation, dict[str, Any]]:
        """Begin a game. A seed draws equal starts, sides and moves of the opponent again."""
        super().reset(seed=seed)
        if seed is not None:
            self._rng.seed(seed)
        self.side = self._side or self._rng.choice(list(Side))
        self.stage = self._starts.stage(seed)
        moves = self._reply()
        return observation(self.stage), {"moves": moves}

    def step(self, action: int) -> tuple[_Observation, float, bool, bool, dict[str, Any]]:
        """Take an action, and let the opponent reply if it is to move."""
        before = self.stage
        try:
            self.stage = before.play(action)
        except IllegalActionError:
            return observation(before), -1.0, True, False, {"moves": [], "is_illegal": True}
        own = self.stage.last_move
        is_complete = self.stage.position is not before.position
        moves = [own, *self._reply()] if is_complete and own else []
        outcome = self.stage.position.outcome()
        score = reward(outcome, self.side)
        return observation(self.stage), score, outcome is not None, False, {"moves": moves}

    def _reply(self) -> list[str]:
        """Play the opponent's moves until the agent is to move, and return them."""
        moves: list[str] = []
        while (position := self.stage.position).outcome() is None:
            if position.side_to_move is self.side:
                break
            moves.append(self._opponent(position, self._rng))
            self.stage = self.stage.play_move(moves[-1])
        return moves
