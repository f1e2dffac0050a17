"""Test whether a change is worth elo1, or only elo0.

Wald's sequential test with the exact generalised likelihood ratio (GSPRT).

The ratio compares the likeliest distributions of the scores whose means (or normalised means) are
those of the two hypotheses (Van den Bergh, "The generalised sequential probability ratio test",
after Li, Liu and Xu 2014). The closed form that is often used instead is no ratio of likelihoods
while outcomes are missing: after ten wins in ten games it says 567, while the exact ratio is 0.28.
A test that asks it after every game is wrong in a third of the matches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.stats.outcomes import NORMALIZED_PER_DEVIATION, Sample, sample

if TYPE_CHECKING:
    from engine.stats.outcomes import Outcomes

# No verdict before: early ratios depend on outcomes that have not come yet.
FEWEST_GAMES = 20
_FIXED_POINT_STEPS = 10
_BISECTIONS = 200


class Scale(StrEnum):
    """Unit of the bounds."""

    LOGISTIC = "logistic"  # Elo points of the expected score
    # Elo points in units of the deviation of a game: tests are equally long at all draw rates.
    NORMALIZED = "normalized"


class SprtVerdict(StrEnum):
    """State of a test."""

    GOING_ON = "going on"
    ACCEPTED = "accepted"  # at least as good as elo1, as far as alpha allows
    REJECTED = "rejected"  # no better than elo0, as far as beta allows


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of elo0 against elo1.

    `alpha` is the probability of accepting a change worth elo0, `beta` that of rejecting one worth
    elo1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    scale: Scale = Scale.LOGISTIC

    def __post_init__(self) -> None:
        """Refuse bounds in the wrong order and impossible probabilities."""
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 {self.elo0} is not below elo1 {self.elo1}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha {self.alpha} or beta {self.beta} is not between 0 and 0.5")

    @property
    def lower(self) -> float:
        """Return the log-likelihood ratio at which the change is rejected (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Return the log-likelihood ratio at which it is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def verdict(self, outcomes: Outcomes) -> SprtVerdict:
        """Return the verdict of `outcomes`, or no verdict before the twentieth game."""
        if outcomes.games < FEWEST_GAMES:
            return SprtVerdict.GOING_ON
        ratio = log_likelihood_ratio(self, outcomes)
        if ratio >= self.upper:
            return SprtVerdict.ACCEPTED
        return SprtVerdict.REJECTED if ratio <= self.lower else SprtVerdict.GOING_ON


def log_likelihood_ratio(test: Sprt, outcomes: Outcomes) -> float:
    """Return the log-likelihood ratio of elo1 against elo0 in nats.

    It is exact for three or five outcomes. A count of zero is a thousandth.
    """
    distribution = sample(outcomes)
    if test.scale is Scale.LOGISTIC:
        q0, q1 = (_with_mean(distribution, expected_score(elo)) for elo in (test.elo0, test.elo1))
    else:
        root = math.sqrt(2) if outcomes.is_pairs else 1.0
        q0, q1 = (
            _with_normalized_mean(distribution, root * elo / NORMALIZED_PER_DEVIATION)
            for elo in (test.elo0, test.elo1)
        )
    ratios = (
        share * math.log(other / one)
        for share, one, other in zip(distribution.shares, q0, q1, strict=True)
    )
    return distribution.weight * sum(ratios)


def expected_score(elo: float) -> float:
    """Points per game expected by a player `elo` points stronger (Elo 1978)."""
    return 1 / (1 + math.pow(10, -elo / 400))


def _with_mean(distribution: Sample, mean: float) -> tuple[float, ...]:
    """Return the likeliest distribution with that mean: q = p / (1 + x (score - mean))."""
    return _with_moment(distribution.shares, [score - mean for score in distribution.scores])


def _with_normalized_mean(distribution: Sample, target: float) -> tuple[float, ...]:
    """Return the likeliest distribution whose mean is `target` deviations from one half.

    Its deviation depends on itself, so the constraint is linearised at the last answer, ten times.
    """
    shares: tuple[float, ...] = tuple(1 / len(distribution.scores) for _ in distribution.scores)
    for _ in range(_FIXED_POINT_STEPS):
        last = Sample(distribution.weight, distribution.scores, shares)
        mean, variance = last.mean, last.variance
        deviation = math.sqrt(variance)
        constraint = [
            score - 0.5 - target * deviation * (1 + ((mean - score) / deviation) ** 2) / 2
            for score in distribution.scores
        ]
        shares = _with_moment(distribution.shares, constraint)
    return shares


def _with_moment(shares: tuple[float, ...], values: list[float]) -> tuple[float, ...]:
    """Return the likeliest distribution near `shares` with a mean of 0 over `values`.

    It is p / (1 + x v) with x a root.

    The sum of p v / (1 + x v) falls from +inf to -inf between the poles, so bisection cannot miss.
    """
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _ in range(_BISECTIONS):
        x = (low + high) / 2
        if x in (low, high):
            break
        if sum(p * v / (1 + x * v) for p, v in zip(shares, values, strict=True)) > 0:
            low = x
        else:
            high = x
    return tuple(p / (1 + x * v) for p, v in zip(shares, values, strict=True))
