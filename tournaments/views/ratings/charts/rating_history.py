"""Small pictures of numbers, as data that a template draws in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.text.house import event_name

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT = 44, 12
_TOP, _BOTTOM = 14, 24
_STEP = 50
_MARKS = 24


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale: its y in the picture, and its rating."""

    y: float
    elo: int


@dataclass(frozen=True, slots=True)
class Scale:
    """The ratings from the foot of a picture to its top, in whole steps."""

    low: int
    high: int

    @classmethod
    def of(cls, values_centielo: Sequence[int]) -> Scale:
        """Return the scale that contains the values, at least one step high."""
        low = min(values_centielo) // 100 // _STEP * _STEP
        high = -(-max(values_centielo) // 100 // _STEP) * _STEP
        return cls(low, max(high, low + _STEP))

    def y_of(self, elo: float) -> float:
        """Return the height of a rating in the picture."""
        share = (self.high - elo) / (self.high - self.low)
        return round(_TOP + share * (HEIGHT - _TOP - _BOTTOM), 1)

    @property
    def ticks(self) -> Sequence[Tick]:
        """Return about four lines."""
        step = _STEP * max(1, (self.high - self.low) // _STEP // 4)
        return [Tick(self.y_of(elo), elo) for elo in range(self.low, self.high + 1, step)]


@dataclass(frozen=True, slots=True)
class EventStart:
    """An event, and the number of the player's game that was the first of it."""

    game: int
    slug: str
    name: str
    ruleset: str


@dataclass(frozen=True, slots=True)
class Mark:
    """An event on the graph, at its start."""

    x: float
    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class RatingChart:
    """A rating over a player's games: SVG points, the scale, the last point and event starts."""

    points: str
    area: str
    ticks: Sequence[Tick]
    last_x: float
    last_y: float
    last_elo: int
    games: int
    marks: Sequence[Mark]
    width: int = WIDTH
    height: int = HEIGHT


def rating_chart(
    history: Sequence[int], event_starts: Sequence[EventStart] = ()
) -> RatingChart | None:
    """Return the graph of a rating in hundredths of a point: before the first game, then after each.

    Return None without a game. The latest of `event_starts` are marked, up to the number that fits.
    """
    if len(history) < 2:
        return None
    scale = Scale.of(history)

    def x_of(index: int) -> float:
        return round(LEFT + index / (len(history) - 1) * (WIDTH - LEFT - RIGHT), 1)

    points = [f"{x_of(i)},{scale.y_of(value / 100)}" for i, value in enumerate(history)]
    floor = HEIGHT - _BOTTOM
    return RatingChart(
        points=" ".join(points),
        area=" ".join([f"{x_of(0)},{floor}", *points, f"{x_of(len(history) - 1)},{floor}"]),
        ticks=scale.ticks,
        last_x=x_of(len(history) - 1),
        last_y=scale.y_of(history[-1] / 100),
        last_elo=round(history[-1] / 100),
        games=len(history) - 1,
        marks=[
            Mark(x_of(event.game), event.slug, event_name(event))
            for event in event_starts[-_MARKS:]
        ],
    )
