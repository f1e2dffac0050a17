"""What a forecast says, each figure with its 95 % interval."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.ratings.calibration import wilson_interval

# As exact as a few hundred events can be, and short to store.
_DIGITS = 4
_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Share:
    """A probability, 0 to 1, estimated by a share of the events, and the 95 % interval of Wilson (1927).

    Where several share a place each has a part of it, so that the shares add up; then the interval is
    wider than it need be, as with draws in `tournaments.ratings.calibration`.
    """

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, total: float, events: int) -> Share:
        """The share that `total` is of so many events."""
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
        """The mean of one number of each event; of a single event the interval is that number."""
        value = statistics.fmean(numbers)
        spread = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
        margin = _Z95 * spread / math.sqrt(len(numbers))
        return cls(*(round(each, _DIGITS) for each in (value, value - margin, value + margin)))


@dataclass(frozen=True, slots=True)
class Range:
    """What lies in the middle, and between which bounds 19 of 20 events lie."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Range:
        """The median and the 2.5th and 97.5th percentile of one number of each event."""
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
    """What an event may bring one player: to win it, to end among the first three, and its final points."""

    tpn: int
    win: Share
    first_three: Share
    points: Mean


@dataclass(frozen=True, slots=True)
class EventForecast:
    """The chances in an event, those most likely to win first, from so many simulated ends of it."""

    events: int
    chances: tuple[Chance, ...]

    def to_json(self) -> dict[str, Any]:
        """The forecast as JSON data; `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EventForecast:
        """The forecast stored as `data`."""
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
    """What a plan would lead to, from so many simulated events.

    Attributes:
        events: how many.
        strongest_wins: whose true strength is the greatest wins; a shared first place counts in part.
        strongest_in_three: the same one ends among the first three.
        favourite_wins: who has the highest rating wins.
        order: Kendall's tau (1938) between the final ranks and the true strengths: 1 for the true
            order, 0 for none at all; pairs that share a rank count as 0.
        rounds: how many rounds it takes.
        minutes: from the first clock to the last; None where no clock runs.
        absolute, third, idle, rematches: what `tournaments.forecasts.play.Faults` counts, per event.
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
        """The forecast as JSON data; `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PlanForecast:
        """The forecast stored as `data`."""
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
