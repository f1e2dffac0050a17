"""Diagrams of a rating pool as data that templates draw in SVG: spread, error bars, calibration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.queries.ratings.calibrations import Bin
from tournaments.queries.ratings.distribution import STEP_ELO, Distribution

_WIDTH, _HEIGHT = 640, 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 26, 26, 24
_MOST_BARS = 40
_LABELS = 8

BAR_WIDTH = 160
_BAR_MARGIN = 6

_SQUARE, _FRAME, _EDGE = 340, 44, 14
_LARGEST, _SMALLEST = 9.0, 3.0


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a histogram: its place in the picture, its ratings and its number of players."""

    x: float
    y: float
    width: float
    height: float
    from_elo: int
    to_elo: int
    players: int
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Label:
    """A number under or beside the picture."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """The spread of a pool's ratings. `here_x` is the position of the visitor."""

    columns: Sequence[Column]
    labels: Sequence[Label]
    here_x: float | None
    width: int = _WIDTH
    height: int = _HEIGHT
    floor: int = _HEIGHT - _BOTTOM


@dataclass(frozen=True, slots=True)
class ErrorBar:
    """A value with its 95 % interval on the scale of its list. `middle_x` is the pool's mean."""

    x: float
    low_x: float
    high_x: float
    middle_x: float
    width: int = BAR_WIDTH


@dataclass(frozen=True, slots=True)
class Dot:
    """A bin of predictions: its position, the bounds of its interval, and its size."""

    x: float
    y: float
    low_y: float
    high_y: float
    radius: float
    is_right: bool


@dataclass(frozen=True, slots=True)
class CalibrationDiagram:
    """Predicted against observed scores in a square. On the diagonal they agree."""

    dots: Sequence[Dot]
    labels: Sequence[Label]
    left: int = _FRAME
    right: int = _SQUARE - _EDGE
    top: int = _EDGE
    bottom: int = _SQUARE - _FRAME
    size: int = _SQUARE

    @property
    def rows(self) -> Sequence[Label]:
        """The labels of the upright scale."""
        return [Label(round(self.size - label.at, 1), label.text) for label in self.labels]


def histogram(spread: Distribution) -> Histogram | None:
    """Return the spread as columns, at most 40 of them, or None without players."""
    if not spread.steps:
        return None
    step = STEP_ELO
    while (max(spread.steps) - min(spread.steps)) // step + 1 > _MOST_BARS:
        step *= 2
    low = min(spread.steps) // step * step
    high = max(spread.steps) // step * step + step
    counts = dict.fromkeys(range(low, high, step), 0)
    for start, players in spread.steps.items():
        counts[start // step * step] += players
    wide, tall = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    # One column alone would be a wall.
    unit = min(wide / len(counts), 80)
    begin = _LEFT + (wide - unit * len(counts)) / 2

    def x_of(elo: float) -> float:
        return round(begin + (elo - low) / step * unit, 1)

    mine = spread.place.centielo / 100 if spread.place else None
    most = max(counts.values())
    columns = [
        Column(
            x=x_of(start),
            y=round(_HEIGHT - _BOTTOM - tall * players / most, 1),
            width=round(unit - 1, 1),
            height=round(tall * players / most, 1),
            from_elo=start,
            to_elo=start + step - 1,
            players=players,
            is_mine=mine is not None and start <= mine < start + step,
        )
        for start, players in counts.items()
    ]
    every = step * -(-(len(counts) + 1) // _LABELS)
    labels = [Label(x_of(elo), str(elo)) for elo in range(low, high + 1, every)]
    return Histogram(columns, labels, None if mine is None else x_of(mine))


def error_bars(values: Sequence[tuple[int, int]]) -> list[ErrorBar]:
    """Bars of values with half of their intervals, in any one unit, around the mean value."""
    if not values:
        return []
    middle = sum(value for value, _ in values) / len(values)
    return interval_bars([(value, value - error, value + error) for value, error in values], middle)


def interval_bars(values: Sequence[tuple[float, float, float]], middle: float) -> list[ErrorBar]:
    """Bars of values with the ends of their intervals, on one scale with the line of `middle`."""
    low = min(middle, *(low for _, low, _ in values))
    high = max(middle, *(high for _, _, high in values))

    def x_of(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return round(_BAR_MARGIN + share * (BAR_WIDTH - 2 * _BAR_MARGIN), 1)

    return [
        ErrorBar(x_of(value), x_of(lower), x_of(upper), x_of(middle))
        for value, lower, upper in values
    ]


def calibration_diagram(bins: Sequence[Bin]) -> CalibrationDiagram:
    """The bins that have games as dots, the larger the more games."""
    frame = CalibrationDiagram((), ())

    def x_of(points: float) -> float:
        return round(frame.left + points * (frame.right - frame.left), 1)

    def y_of(points: float) -> float:
        return round(frame.size - x_of(points), 1)

    most = max((each.games for each in bins), default=1)
    dots = [
        Dot(
            x=x_of(each.predicted),
            y=y_of(each.observed),
            low_y=y_of(each.low),
            high_y=y_of(each.high),
            radius=round(max(_SMALLEST, _LARGEST * math.sqrt(each.games / most)), 1),
            is_right=each.is_right,
        )
        for each in bins
        if each.predicted is not None
        and each.observed is not None
        and each.low is not None
        and each.high is not None
    ]
    labels = [Label(x_of(tenths / 10), f"{tenths / 10:g}") for tenths in range(0, 11, 2)]
    return CalibrationDiagram(dots, labels)
