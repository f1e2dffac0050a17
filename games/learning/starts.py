"""The starts of games of an environment."""

from __future__ import annotations

import random

from games.learning.stage import Stage
from games.registry import load
from games.starts import starting_position


class StartDraw:
    """Starts of a rule set: always `setup`, or each drawn by the seed of its environment."""

    def __init__(self, ruleset: str, setup: str | None = None) -> None:
        self._ruleset = load(ruleset)
        self._setup = setup
        self._rng = random.Random()

    def stage(self, seed: int | None = None) -> Stage:
        """Return the next start. A seed begins the sequence of starts again."""
        if seed is not None:
            self._rng.seed(seed)
        if self._setup is None:
            return Stage(self._ruleset.initial(seed=self._rng.getrandbits(32)))
        return Stage(starting_position(self._ruleset, self._setup))
