"""Elo difference with its error and LOS, from counts of games or of pairs of games.

A pair is two games from one start with the sides exchanged. Its five outcomes vary less than
two single games would, and the advantage of a side cancels out, so matches are counted in pairs
wherever they are played in pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from engine.stats.elo import EloDifference

if TYPE_CHECKING:
    from typing import Self

_NORMAL = NormalDist()
_Z95 = _NORMAL.inv_cdf(0.975)
# The count for an outcome that has not happened yet: a likelihood of zero would be a certainty.
_ZERO_COUNT = 0.001
_EXTREME = 0.001


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The number of each outcome, the worst for the player first.

    Three counts are games: lost, drawn, won. Five are pairs of games: 0, 1/2, 1, 3/2 and 2 points.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse another number of outcomes, and negative counts."""
        if len(self.counts) not in (3, 5) or min(self.counts) < 0:
            raise ValueError(f"three or five counts, none negative: {self.counts}")

    @classmethod
    def no_pairs(cls) -> Self:
        """Before the first pair."""
        return cls((0, 0, 0, 0, 0))

    @property
    def is_pairs(self) -> bool:
        """Return whether pairs are counted, and not single games."""
        return len(self.counts) == 5

    @property
    def games(self) -> int:
        """Games played, two for a pair."""
        return sum(self.counts) * (2 if self.is_pairs else 1)

    def plus(self, *, halves: int) -> Self:
        """Return the counts after another game or pair that gave `halves` half points."""
        if not 0 <= halves < len(self.counts):
            raise ValueError(f"{halves} half points in one of {len(self.counts)} outcomes")
        counts = list(self.counts)
        counts[halves] += 1
        return type(self)(tuple(counts))


@dataclass(frozen=True, slots=True)
class Sample:
    """The distribution of one game's or pair's score, as points per game.

    `weight` is the number of games or pairs, `scores` the possible scores from 0 to 1, `shares` how
    often each came.
    """

    weight: float
    scores: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Points per game."""
        return sum(p * x for x, p in zip(self.scores, self.shares, strict=True))

    @property
    def variance(self) -> float:
        """Return the variance of one game's score, or of half a pair's."""
        mean = self.mean
        return sum(p * (x - mean) ** 2 for x, p in zip(self.scores, self.shares, strict=True))


def sample(outcomes: Outcomes) -> Sample:
    """Return the distribution of `outcomes`, in which a count of zero is a thousandth."""
    counts = [float(count) or _ZERO_COUNT for count in outcomes.counts]
    weight, most = sum(counts), len(counts) - 1
    return Sample(
        weight, tuple(n / most for n in range(most + 1)), tuple(count / weight for count in counts)
    )


def elo_difference(outcomes: Outcomes) -> EloDifference:
    """Return the Elo difference of the mean score, with its 95 % interval.

    The interval is the normal approximation.

    Scores are held within .001 and .999, so that every end is finite: at most 1,200 points.
    """
    distribution = sample(outcomes)
    margin = _Z95 * math.sqrt(distribution.variance / distribution.weight)
    return EloDifference(
        _elo(distribution.mean), _elo(distribution.mean - margin), _elo(distribution.mean + margin)
    )


def score_interval_difference(outcomes: Outcomes) -> EloDifference:
    """Return the Elo difference of the mean score, with the 95 % interval for few games.

    The ends are the means that the observed mean does not contradict: (x - m)^2 = z^2 f m (1 - m) /
    n (Wilson 1927). Here f is how much the scores vary in relation to single games without draws,
    with two pseudo-observations of f = 1 so that equal scores are no certainty. A clean score
    determines only one end. The other end is the limit of 1,200 points, within which differences
    are held as in `elo_difference`.

    Raises ValueError before the first game.
    """
    number, most = sum(outcomes.counts), len(outcomes.counts) - 1
    if not number:
        raise ValueError("no game has been played")
    scores = [points / most for points in range(most + 1)]
    mean = sum(c * x for x, c in zip(scores, outcomes.counts, strict=True)) / number
    middle = (number * mean + 1) / (number + 2)
    squares = sum(c * (x - mean) ** 2 for x, c in zip(scores, outcomes.counts, strict=True))
    largest = middle * (1 - middle)
    factor = min(1.0, (squares + 2 * largest) / ((number + 1) * largest))
    spread = _Z95**2 * factor / number
    centre = (mean + spread / 2) / (1 + spread)
    margin = math.sqrt(spread * mean * (1 - mean) + spread**2 / 4) / (1 + spread)
    return EloDifference(_elo(mean), _elo(centre - margin), _elo(centre + margin))


def likelihood_of_superiority(outcomes: Outcomes) -> float:
    """LOS, the probability that the player is stronger: Phi of the distance from one half."""
    distribution = sample(outcomes)
    return _NORMAL.cdf(
        (distribution.mean - 0.5) / math.sqrt(distribution.variance / distribution.weight)
    )


NORMALIZED_PER_DEVIATION = 800 / math.log(10)


def _elo(score: float) -> float:
    score = min(1 - _EXTREME, max(_EXTREME, score))
    return -400 * math.log10(1 / score - 1)
