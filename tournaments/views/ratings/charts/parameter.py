"""The course of a number in a tuning, as data that a template draws in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 160, 36
_MARGIN = 4
# More points than pixels show no more detail.
_MOST_POINTS = 160


@dataclass(frozen=True, slots=True)
class CourseChart:
    """Points of the path, the height of its start, and its last point."""

    points: str
    start_y: float
    last_x: float
    last_y: float
    width: int = WIDTH
    height: int = HEIGHT


def course_chart(values: Sequence[float]) -> CourseChart | None:
    """Return the path of `values` from the least to the largest of them, or None for a single value."""
    last = len(values) - 1
    if last < 1:
        return None
    low, high = min(values), max(values)
    range_of_values = high - low or 1.0

    def x_of(place: int) -> float:
        return round(_MARGIN + (WIDTH - 2 * _MARGIN) * place / last, 1)

    def y_of(value: float) -> float:
        return round(_MARGIN + (HEIGHT - 2 * _MARGIN) * (high - value) / range_of_values, 1)

    step = max(1, last // _MOST_POINTS)
    places = [*range(0, last, step), last]
    return CourseChart(
        points=" ".join(f"{x_of(place)},{y_of(values[place])}" for place in places),
        start_y=y_of(values[0]),
        last_x=x_of(last),
        last_y=y_of(values[last]),
    )
