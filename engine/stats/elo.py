"""An Elo difference with its error, and the likelihood of superiority, from a match score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

# Two-sided 95 %.
_Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Tally:
    """Games of one player against another: wins, draws and losses."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Return the points per game, 0 to 1, or a half before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def plus(self, *, points: float) -> Self:
        """Return the tally after another game that gave 1, 0.5 or 0 points."""
        return type(self)(
            self.wins + (points == 1), self.draws + (points == 0.5), self.losses + (points == 0)
        )


@dataclass(frozen=True, slots=True)
class EloDifference:
    """An Elo difference with the ends of its 95 % interval, infinite if all games were won."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        if not math.isfinite(self.elo):
            return f"unknown, all games {'won' if self.elo > 0 else 'lost'}"
        margin = (self.high - self.low) / 2
        if not math.isfinite(margin):
            return f"{self.elo:+.0f}, too few games for an error"
        return f"{self.elo:+.0f} +/- {margin:.0f}"


def elo_of_score(score: float) -> float:
    """Return the rating difference for an expected `score` (0 to 1) in points per game (Elo 1978)."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def elo_difference(tally: Tally) -> EloDifference:
    """Return the Elo difference that explains `tally`, and its interval.

    The interval is the normal approximation of the mean score.

    Games count as independent. For pairs with exchanged sides that overstates the error a little.
    """
    score, margin = tally.score, _Z95 * standard_error(tally)
    return EloDifference(
        elo_of_score(score), elo_of_score(score - margin), elo_of_score(score + margin)
    )


def standard_error(tally: Tally) -> float:
    """Return the standard error of the mean score, in points per game, infinite before the first game."""
    if not tally.games:
        return math.inf
    score = tally.score
    squares = (
        tally.wins * (1 - score) ** 2 + tally.draws * (0.5 - score) ** 2 + tally.losses * score**2
    )
    return math.sqrt(squares) / tally.games


def likelihood_of_superiority(tally: Tally) -> float:
    """Return the probability that the player is stronger, from decisive games alone.

    It is 0.5 without decisive games.
    """
    decisive = tally.wins + tally.losses
    if not decisive:
        return 0.5
    return NormalDist().cdf((tally.wins - tally.losses) / math.sqrt(decisive))
