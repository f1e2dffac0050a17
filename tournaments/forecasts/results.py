"""The model of results: how a game between two strengths ends."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chances:
    """The probability of each result of one game. The three add up to 1."""

    first: float
    draw: float
    second: float

    @property
    def expected(self) -> float:
        """Return the first side's expected score, in points per game (0 to 1)."""
        return self.first + self.draw / 2


@dataclass(frozen=True, slots=True)
class ResultModel:
    """Elo's expectation, with draws that become fewer as the difference grows.

    Attributes:
        draw_share: how many games between equals are drawn, 0 to 1.
        advantage_elo: the value of moving first, in Elo points.
    """

    draw_share: float = 0.0
    advantage_elo: float = 0.0

    def chances(self, first_elo: float, second_elo: float) -> Chances:
        """Return the chances of a game between these strengths.

        The expectation E is the logistic one (Elo 1978), with any share of draws. `draw_share` of
        the games between equals are drawn. Between others it is that times 4E(1 - E), which is the
        variance of a game without draws in units of that between equals. No more games can be drawn
        than twice the smaller expectation.
        """
        difference = first_elo + self.advantage_elo - second_elo
        expected = 1 / (1 + 10 ** (-difference / 400))
        most = 2 * min(expected, 1 - expected)
        draw = min(most, self.draw_share * 4 * expected * (1 - expected))
        return Chances(expected - draw / 2, draw, 1 - expected - draw / 2)

    def first_halves(self, first_elo: float, second_elo: float, rng: random.Random) -> int:
        """Return the first side's score in one game, drawn by these chances: 2, 1 or 0 half points."""
        chances = self.chances(first_elo, second_elo)
        share = rng.random()
        if share < chances.first:
            return 2
        return 1 if share < chances.first + chances.draw else 0
