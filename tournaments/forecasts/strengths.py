"""The knowledge of the true strengths: ratings with their deviations, and the results of the event itself."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tournaments.forecasts.course import Prior

# Points of the logistic scale: 400 / ln 10.
_UNIT = 400 / math.log(10)
_STEPS = 25
_ENOUGH_ELO = 1e-6


@dataclass(frozen=True, slots=True)
class Encounter:
    """A game of the event: the places of the two among the players, and the first side's score (0, ½, 1)."""

    first: int
    second: int
    score: float


@dataclass(frozen=True, slots=True)
class Strengths:
    """A normal distribution of the true strengths, in Elo points: its mean, and a root of its covariance.

    Without encounters the strengths are independent, and the root is None.
    """

    mean: Sequence[float]
    deviations: Sequence[float]
    root: NDArray[np.float64] | None

    def draw(self, rng: random.Random) -> list[float]:
        """Return one possible truth: a strength for each player."""
        if self.root is None:
            pairs = zip(self.mean, self.deviations, strict=True)
            return [rng.gauss(mean, deviation) for mean, deviation in pairs]
        steps = np.array([rng.gauss(0, 1) for _ in self.mean])
        drawn: list[float] = (np.asarray(self.mean) + self.root @ steps).tolist()
        return drawn


def strengths(
    priors: Sequence[Prior], encounters: Sequence[Encounter], *, advantage_elo: float
) -> Strengths:
    """Return the strengths after `encounters`, with `priors` before the event.

    Laplace's approximation: ratings with normal errors, games by Elo's expectation (a draw is half
    a win, Glickman 1999), the mean at the likeliest strengths (Newton's method, the objective is
    concave) and the covariance from its curvature there. A deviation of 0 remains 0.
    """
    start = np.array([prior.rating_elo for prior in priors], dtype=np.float64)
    deviations = [prior.deviation_elo for prior in priors]
    if not encounters or not any(deviations):
        return Strengths(start.tolist(), deviations, None)
    # A player with a certain strength takes no part in the fit: a very small error does it.
    errors = np.maximum(np.array(deviations, dtype=np.float64), 1e-3)
    mean = start.copy()
    curvature = np.diag(1 / errors**2)
    for _ in range(_STEPS):
        slope, curvature = _derivatives(mean, start, errors, encounters, advantage_elo)
        step = np.linalg.solve(curvature, slope)
        mean += step
        if float(np.abs(step).max()) < _ENOUGH_ELO:
            break
    covariance = np.linalg.inv(curvature)
    root = np.asarray(np.linalg.cholesky((covariance + covariance.T) / 2), dtype=np.float64)
    return Strengths(mean.tolist(), np.sqrt(np.diag(covariance)).tolist(), root)


def _derivatives(
    mean: NDArray[np.float64],
    start: NDArray[np.float64],
    errors: NDArray[np.float64],
    encounters: Sequence[Encounter],
    advantage_elo: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the slope of the log-likelihood at `mean`, and minus its second derivatives."""
    slope = (start - mean) / errors**2
    curvature = np.diag(1 / errors**2)
    for game in encounters:
        difference = float(mean[game.first] + advantage_elo - mean[game.second])
        expected = 1 / (1 + math.exp(-difference / _UNIT))
        pull = (game.score - expected) / _UNIT
        weight = expected * (1 - expected) / _UNIT**2
        slope[game.first] += pull
        slope[game.second] -= pull
        for one, other in ((game.first, game.second), (game.second, game.first)):
            curvature[one, one] += weight
            curvature[one, other] -= weight
    return slope, curvature
