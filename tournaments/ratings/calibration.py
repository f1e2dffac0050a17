"""Were the predictions right?

Expected scores against outcomes, in bins with intervals, and two proper scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.ratings.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

BINS = 20
_MILLION = 1_000_000
_Z95 = 1.959963984540054
# A failed prediction of 0 or 1 would cost an infinity.
_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class Forecast:
    """A prediction stored before the game, and its outcome.

    Both are of the first side, in millionths and in half points.
    """

    expected_millionths: int
    score_halves: int


@dataclass(frozen=True, slots=True)
class Bin:
    """Games with a prediction from `from_millionths` to below the next bin's.

    The last bin includes a million.

    `predicted` and `observed` are means, points per game. `low` and `high` are the 95 % interval of
    the observed one by Wilson (1927) with the score as the proportion. Draws make the true interval
    narrower, so it errs on the safe side. All four are None in an empty bin.
    """

    from_millionths: int
    games: int
    predicted: float | None
    observed: float | None
    low: float | None
    high: float | None

    @property
    def is_right(self) -> bool:
        """Return whether the prediction lies within the interval. An empty bin is right too."""
        if self.predicted is None or self.low is None or self.high is None:
            return True
        return self.low <= self.predicted <= self.high


@dataclass(frozen=True, slots=True)
class Calibration:
    """Quality of a set of predictions.

    Attributes:
        games: the number of games.
        bins: 20 of equal width.
        log_loss: mean of -(s ln p + (1 - s) ln(1 - p)), s the score, in nats. A coin has ln 2.
        brier: mean of (p - s)^2 (Brier 1950). A coin has 1/4 without draws.
        draws: share of drawn games.
        bias: mean score minus mean prediction, points per game: the error of the side advantage.
        bias_error: its standard error.
    """

    games: int
    bins: tuple[Bin, ...]
    log_loss: float
    brier: float
    draws: float
    bias: float
    bias_error: float


def calibration(forecasts: Iterable[Forecast]) -> Calibration:
    """Return the calibration of `forecasts`, in any order: sums are exact.

    Raises:
        InputError: no games, a prediction outside 0 to a million, or a score that is not 0, 1 or 2
            halves.
    """
    games = list(forecasts)
    if not games:
        raise InputError("no predictions")
    for game in games:
        if not 0 <= game.expected_millionths <= _MILLION or game.score_halves not in (0, 1, 2):
            raise InputError(f"{game}")
    binned: list[list[Forecast]] = [[] for _ in range(BINS)]
    for game in games:
        binned[min(BINS - 1, game.expected_millionths * BINS // _MILLION)].append(game)
    number = len(games)
    misses = [game.score_halves * _MILLION // 2 - game.expected_millionths for game in games]
    bias = sum(misses) / number / _MILLION
    brier = sum(miss * miss for miss in misses) / number / _MILLION**2
    return Calibration(
        games=number,
        bins=tuple(_bin(n, members) for n, members in enumerate(binned)),
        log_loss=math.fsum(map(_loss, games)) / number,
        brier=brier,
        draws=sum(game.score_halves == 1 for game in games) / number,
        bias=bias,
        bias_error=math.sqrt(max(0.0, brier - bias * bias) / number),
    )


def wilson_interval(score: float, *, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a mean score, within 0 and 1 (Wilson 1927).

    `score` is in points per game, over `games` games.

    Raises:
        InputError: no games, or a score outside 0 to 1.
    """
    if games < 1 or not 0 <= score <= 1:
        raise InputError(f"{score} points per game in {games} games")
    square = _Z95**2 / games
    middle = (score + square / 2) / (1 + square)
    margin = _Z95 * math.sqrt(score * (1 - score) / games + square / (4 * games)) / (1 + square)
    return max(0.0, middle - margin), min(1.0, middle + margin)


def _bin(n: int, games: list[Forecast]) -> Bin:
    start = n * _MILLION // BINS
    if not games:
        return Bin(start, 0, None, None, None, None)
    number = len(games)
    observed = sum(game.score_halves for game in games) / (2 * number)
    predicted = sum(game.expected_millionths for game in games) / number / _MILLION
    return Bin(start, number, predicted, observed, *wilson_interval(observed, games=number))


def _loss(game: Forecast) -> float:
    expected = min(1 - _LEAST, max(_LEAST, game.expected_millionths / _MILLION))
    score = game.score_halves / 2
    return -(score * math.log(expected) + (1 - score) * math.log(1 - expected))
