"""The draws of a random tournament."""

from __future__ import annotations

import random


class Chance:
    """Draws, all from one stream."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def share(self) -> float:
        """Return a number from 0 up to 1."""
        return self._random.random()

    def below(self, most: int) -> int:
        """Return a whole number from 0 up to `most`, which is left out."""
        return int(self._random.random() * most)

    def between(self, least: int, most: int) -> int:
        """Return a whole number between these two, both among them."""
        return least + self.below(most - least + 1)

    def one_in(self, rate: int) -> bool:
        """Return True once in `rate` draws, never for 0.

        It draws in any case, so that rates do not shift each other's streams.
        """
        return self.share() * rate < 1 and rate > 0
