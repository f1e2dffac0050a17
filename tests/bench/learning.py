"""The speed of the learning environments: `python -m tests.bench.learning [KEY ...]`.

Prints random games per second of CPU time without assertions, on one core.
"""

from __future__ import annotations

import functools
import random
import sys
import time
from typing import TYPE_CHECKING

from gymnasium.vector import SyncVectorEnv

import games
from games.learning import Stage
from games.learning.aec import env
from games.learning.solo import RayuelaSolo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

KEYS = (
    "morlox(size=5)",
    "morlox(size=11)",
    "morelli(size=7)",
    "morelli(size=13)",
    "morelli(edition=original,size=7)",
    "perfect()",
)
_SECONDS = 2.0
_VECTOR = 8


def main(keys: Sequence[str] = KEYS) -> None:
    """Print one row a rule set."""
    columns = ("moves", "actions", "PettingZoo", f"vector of {_VECTOR}")
    print(f"{'random games/s':36}" + "".join(f"{column:>13}" for column in columns))
    for key in keys:
        rates = [
            _rate(functools.partial(play, key)) for play in (_moves, _actions, _pettingzoo, _vector)
        ]
        print(f"{key:36}" + "".join(f"{rate:>13,.1f}" for rate in rates))


def _rate(play: Callable[[], int]) -> float:
    """Return the games per second of CPU time. `play` returns the number of its games."""
    started_s, count = time.process_time(), 0
    while (spent_s := time.process_time() - started_s) < _SECONDS:
        count += play()
    return count / spent_s


def _moves(key: str) -> int:
    """Play a game by the rules alone."""
    rng = random.Random(1)
    position = games.load(key).initial(seed=1)
    while position.outcome() is None:
        position = position.play(position.random_move(rng))
    return 1


def _actions(key: str) -> int:
    """Play a game by actions, with the observation and the mask of each."""
    rng = random.Random(1)
    stage = Stage(games.load(key).initial(seed=1))
    while actions := stage.legal_actions:
        stage.planes()
        stage.mask()
        stage = stage.play(rng.choice(actions))
    return 1


def _pettingzoo(key: str) -> int:
    environment = env(key)
    environment.reset(seed=1)
    for agent in environment.agent_iter():
        observation, _, is_over, _, _ = environment.last()
        space = environment.action_space(agent)
        environment.step(None if is_over else space.sample(observation["action_mask"]))
    return 1


def _vector(key: str) -> int:
    """Play games against a random opponent in step, until as many have ended as the vector has."""
    vector = SyncVectorEnv([lambda: RayuelaSolo(key)] * _VECTOR)
    space = RayuelaSolo(key).action_space
    observation, _ = vector.reset(seed=1)
    count = 0
    while count < _VECTOR:
        # After the end of a game its next action is ignored, and its mask is empty.
        masks = observation["action_mask"]
        actions = [space.sample(mask) if mask.any() else 0 for mask in masks]
        observation, _, is_over, _, _ = vector.step(actions)
        count += int(is_over.sum())
    return count


if __name__ == "__main__":
    main(sys.argv[1:] or KEYS)
