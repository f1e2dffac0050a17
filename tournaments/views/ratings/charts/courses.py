"""Ratings of one or two players over time, as data that a template draws in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.queries.ratings.comparison import Moment
from tournaments.views.ratings.charts.rating_history import (
    HEIGHT,
    LEFT,
    RIGHT,
    WIDTH,
    Scale,
    Tick,
)


@dataclass(frozen=True, slots=True)
class CoursesChart:
    """Lines over the time from `first` to `last`, with the scale."""

    lines: Sequence[str]
    ticks: Sequence[Tick]
    first: datetime
    last: datetime
    width: int = WIDTH
    height: int = HEIGHT


def courses_chart(courses: Sequence[Sequence[Moment]]) -> CoursesChart | None:
    """Return the chart of the courses; None while they lie within one moment."""
    moments = [moment for course in courses for moment in course]
    if not moments:
        return None
    first, last = min(each.at for each in moments), max(each.at for each in moments)
    if first == last:
        return None
    scale = Scale.of([each.centielo for each in moments])

    def point(moment: Moment) -> str:
        x = LEFT + (moment.at - first) / (last - first) * (WIDTH - LEFT - RIGHT)
        return f"{x:.1f},{scale.y_of(moment.centielo / 100)}"

    lines = [" ".join(map(point, course)) for course in courses]
    return CoursesChart(lines, scale.ticks, first, last)
