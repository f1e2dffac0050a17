"""The path of a log-likelihood ratio between its bounds, as data that a template draws in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 14, 26
# More points than pixels show no more detail.
_MOST_POINTS = 600


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
    low, high = min(lower, *path), max(upper, *path)
    wide, tall = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def x_of(place: int) -> float:
        return round(_LEFT + wide * place / (len(path) - 1), 1)

    def y_of(ratio: float) -> float:
        return round(_TOP + tall * (high - ratio) / (high - low), 1)

    step = max(1, len(path) // _MOST_POINTS)
    places = [*range(0, len(path) - 1, step), len(path) - 1]
    return LlrChart(
        points=" ".join(f"{x_of(place)},{y_of(path[place])}" for place in places),
        last_x=x_of(len(path) - 1),
        last_y=y_of(path[-1]),
        upper_y=y_of(upper),
        zero_y=y_of(0),
        lower_y=y_of(lower),
        pairs=len(ratios),
    )
