"""The answers of a forecast, each figure with its 95 % interval."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.ratings.calibration import wilson_interval

# The precision of a few hundred events, and short to store.
_DIGITS = 4
_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Share:
    """A probability, 0 to 1, estimated by a share of the events, and the 95 % interval of Wilson (1927).

    If several share a place each has a part of it, so that the shares add up. Then the interval is
    wider than necessary, as with draws in `tournaments.ratings.calibration`.
    """

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, total: float, events: int) -> Share:
        """Return the share that `total` is of this number of events."""
        value = min(1.0, total / events)
        low, high = wilson_interval(value, games=events)
        return cls(*(round(each, _DIGITS) for each in (value, low, high)))


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over the events, and its 95 % interval by the normal distribution (central limit theorem)."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Mean:
        """Return the mean of one number of each event.

        The interval of a single event is that number.
        """
        value = statistics.fmean(numbers)
        spread = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
        margin = _Z95 * spread / math.sqrt(len(numbers))
        return cls(*(round(each, _DIGITS) for each in (value, value - margin, value + margin)))


@dataclass(frozen=True, slots=True)
class Range:
    """The middle, and the bounds between which 19 of 20 events lie."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Range:
        """Return the median and the 2.5th and 97.5th percentile of one number of each event."""
        ordered = sorted(numbers)
        last = len(ordered) - 1
        places = (last / 2, 0.025 * last, 0.975 * last)
        return cls(*(round(_between(ordered, place), _DIGITS) for place in places))


def _between(ordered: Sequence[float], place: float) -> float:
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


@dataclass(frozen=True, slots=True)
class Chance:
    """The chances of one player in an event: to win it, to end among the first three, and the final points."""

    tpn: int
    win: Share
    first_three: Share
    points: Mean


@dataclass(frozen=True, slots=True)
class EventForecast:
    """The chances in an event, those most likely to win first, from a number of simulated ends of it."""

    events: int
    chances: tuple[Chance, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the forecast as JSON data. `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EventForecast:
        """Return the forecast stored as `data`."""
        return cls(
            data["events"],
            tuple(
                Chance(
                    each["tpn"],
                    Share(**each["win"]),
                    Share(**each["first_three"]),
                    Mean(**each["points"]),
                )
                for each in data["chances"]
            ),
        )


@dataclass(frozen=True, slots=True)
class PlanForecast:
    """The expected result of a plan, from a number of simulated events.

    Attributes:
        events: their number.
        strongest_wins: the player with the greatest true strength wins. A shared first place counts
            in part.
        strongest_in_three: that player ends among the first three.
        favourite_wins: the player with the highest rating wins.
        order: Kendall's tau (1938) between the final ranks and the true strengths: 1 for the true
            order, 0 without any order. Pairs that share a rank count as 0.
        rounds: the number of rounds.
        minutes: from the first clock to the last, or None without a clock.
        absolute, third, idle, rematches: the counts of `tournaments.forecasts.play.Faults`, per
            event.
        stuck: that no legal pairing is left before the last round.
    """

    events: int
    strongest_wins: Share
    strongest_in_three: Share
    favourite_wins: Share
    order: Mean
    rounds: Range
    minutes: Range | None
    absolute: Mean
    third: Mean
    idle: Mean
    rematches: Mean
    stuck: Share

    def to_json(self) -> dict[str, Any]:
        """Return the forecast as JSON data. `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PlanForecast:
        """Return the forecast stored as `data`."""
        return cls(
            events=data["events"],
            strongest_wins=Share(**data["strongest_wins"]),
            strongest_in_three=Share(**data["strongest_in_three"]),
            favourite_wins=Share(**data["favourite_wins"]),
            order=Mean(**data["order"]),
            rounds=Range(**data["rounds"]),
            minutes=None if data["minutes"] is None else Range(**data["minutes"]),
            absolute=Mean(**data["absolute"]),
            third=Mean(**data["third"]),
            idle=Mean(**data["idle"]),
            rematches=Mean(**data["rematches"]),
            stuck=Share(**data["stuck"]),
        )
