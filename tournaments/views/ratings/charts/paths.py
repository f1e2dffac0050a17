"""Paths of a log-likelihood ratio and of a number in a tuning, as data that templates draw in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 14, 26
_SMALL_WIDTH, _SMALL_HEIGHT, _MARGIN = 160, 36, 4


@dataclass(frozen=True, slots=True)
class _Frame:
    """The place of a path in its picture, in pixels, and the values at its lower and its upper edge."""

    left: int
    top: int
    width: int
    height: int
    low: float
    high: float

    def y(self, value: float) -> float:
        """Return the height of a value, from the top."""
        share = (self.high - value) / ((self.high - self.low) or 1.0)
        return round(self.top + self.height * share, 1)

    def points(self, values: Sequence[float]) -> list[tuple[float, float]]:
        """Return the points of two values or more. More points than pixels show no more detail."""
        last = len(values) - 1
        places = [*range(0, last, max(1, last // self.width)), last]
        return [
            (round(self.left + self.width * place / last, 1), self.y(values[place]))
            for place in places
        ]


@dataclass(frozen=True, slots=True)
class LlrChart:
    """Points of the path, and the heights of the bounds and of 0."""

    points: str
    last_x: float
    last_y: float
    upper_y: float
    zero_y: float
    lower_y: float
    pairs: int
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    width: int = WIDTH
    height: int = HEIGHT


def llr_chart(ratios: Sequence[float], lower: float, upper: float) -> LlrChart | None:
    """Return the path of `ratios` after each pair, or None before the first."""
    if not ratios:
        return None
    path = [0.0, *ratios]
    wide, tall = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    frame = _Frame(_LEFT, _TOP, wide, tall, min(lower, *path), max(upper, *path))
    points = frame.points(path)
    return LlrChart(
        _text(points),
        *points[-1],
        upper_y=frame.y(upper),
        zero_y=frame.y(0),
        lower_y=frame.y(lower),
        pairs=len(ratios),
    )


@dataclass(frozen=True, slots=True)
class CourseChart:
    """Points of the path, the height of its start, and its last point."""

    points: str
    start_y: float
    last_x: float
    last_y: float
    width: int = _SMALL_WIDTH
    height: int = _SMALL_HEIGHT


def course_chart(values: Sequence[float]) -> CourseChart | None:
    """Return the path of `values` from the least to the largest of them, or None for a single value."""
    if len(values) < 2:
        return None
    wide, tall = _SMALL_WIDTH - 2 * _MARGIN, _SMALL_HEIGHT - 2 * _MARGIN
    points = _Frame(_MARGIN, _MARGIN, wide, tall, min(values), max(values)).points(values)
    return CourseChart(_text(points), points[0][1], *points[-1])


def _text(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
