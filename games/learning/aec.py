"""The PettingZoo environment of two agents: `env("morlox(size=5)")`.

Needs `rayuela-games[learning]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from games.core import Side
from games.learning.encodings import encoding_of
from games.learning.stage import Stage, reward
from games.learning.starts import StartDraw

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SIDES = {"player_0": Side.FIRST, "player_1": Side.SECOND}


def env(ruleset: str, setup: str | None = None) -> AECEnv:
    """Return the environment with the usual checks: an illegal action loses the game.

    Args:
        ruleset: a key such as `morlox(size=5)`.
        setup: the text of a start (`games.setup_of`). None draws one from the seed of `reset`.
    """
    checked = wrappers.TerminateIllegalWrapper(RayuelaAEC(ruleset, setup), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class RayuelaAEC(AECEnv):  # type: ignore[misc] # PettingZoo says nothing of its types
    """A game for the agents `player_0`, who makes the first ply, and `player_1`.

    A turn is one action. An agent may act several times in a row. The observation is always that of the agent to move. The
    mask of the other agent is empty.
    """

    metadata: dict[str, Any] = {
        "name": "rayuela_v0",
        "is_parallelizable": False,
        "render_modes": ["ansi"],
    }

    def __init__(self, ruleset: str, setup: str | None = None) -> None:
        super().__init__()
        self.render_mode = "ansi"
        self._starts = StartDraw(ruleset, setup)
        self._encoding = encoding_of(ruleset)
        self.possible_agents = [*_SIDES]
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space(ruleset))
        self.action_spaces = {
            agent: spaces.Discrete(len(self._encoding.actions)) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the planes and the mask. They are equal for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the numbers of `Encoding.actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. A seed draws equal starts again and again."""
        self.stage = self._starts.stage(seed)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_move()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return `observation` and `action_mask`."""
        answer = observation(self.stage)
        if agent != self._agent_to_move():
            answer["action_mask"] = np.zeros_like(answer["action_mask"])
        return answer

    def step(self, action: int | None) -> None:
        """Take an action of the agent to move. Raises IllegalActionError."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None  # only a finished agent has no action
        self.stage = self.stage.play(action)
        self._cumulative_rewards[agent] = 0.0
        outcome = self.stage.position.outcome()
        self.rewards = {agent: reward(outcome, side) for agent, side in _SIDES.items()}
        self.terminations = dict.fromkeys(self.agents, outcome is not None)
        self.agent_selection = self._agent_to_move()
        self._accumulate_rewards()

    def _agent_to_move(self) -> str:
        side = self.stage.position.side_to_move
        return next(agent for agent in _SIDES if _SIDES[agent] is side)

    def render(self) -> str:
        """Return the position as text."""
        return self.stage.position.text()

    def close(self) -> None:
        """Do nothing: there is no window."""


def observation_space(ruleset: str) -> spaces.Dict:
    """Return the space of `observation`."""
    encoding = encoding_of(ruleset)
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, encoding.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (len(encoding.actions),), np.int8),
        }
    )


def observation(stage: Stage) -> dict[str, NDArray[Any]]:
    """Return the planes of the side to move and the mask of its actions."""
    return {"observation": stage.planes(), "action_mask": stage.mask()}
