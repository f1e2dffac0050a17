"""The starts of schedules, and the events of which they are the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from tournaments.models import Event, Schedule
from tournaments.queries import formats
from tournaments.queries.clocks import game_clocks
from tournaments.queries.events import plans
from tournaments.text import house

_MAX_ENTRIES = 200
_PAUSE_S = 60
# The opponent of a player who does not come waits for half of the clock at most.
_MOST_GRACE_S = 300


@dataclass(frozen=True, slots=True)
class Start:
    """A start of a schedule whose event does not exist yet."""

    schedule: Schedule
    starts_at: datetime

    @property
    def opens_at(self) -> datetime:
        """The moment at which the event is created."""
        return self.starts_at - timedelta(hours=self.schedule.opens_before_h)


def starts(schedule: Schedule, *, after: datetime, until: datetime) -> Sequence[datetime]:
    """Return the starts later than `after` and not later than `until`, in UTC.

    A time of day that does not exist when the clocks go forward is the moment an hour later by
    the new time. When they go back, the first one of two equal times counts (PEP 495).
    """
    zone = ZoneInfo(schedule.zone)
    day, last = after.astimezone(zone).date(), until.astimezone(zone).date()
    moments = []
    while day <= last:
        moment = datetime.combine(day, schedule.time_of_day, tzinfo=zone).astimezone(UTC)
        if schedule.is_on(day) and after < moment <= until:
            moments.append(moment)
        day += timedelta(days=1)
    return moments


def later(now: datetime, *, until: datetime) -> list[Start]:
    """Return the starts of schedules until then whose registration opens later than now."""
    rows = [
        Start(schedule, moment)
        for schedule in Schedule.objects.filter(paused_at=None)
        for moment in starts(schedule, after=_opened_until(schedule, now), until=until)
    ]
    return sorted(rows, key=lambda row: row.starts_at)


def _opened_until(schedule: Schedule, now: datetime) -> datetime:
    return now + timedelta(hours=schedule.opens_before_h)


def due(schedule: Schedule, now: datetime) -> Sequence[datetime]:
    """Return the starts whose event is to exist now. A past start is not among them."""
    return starts(schedule, after=now, until=_opened_until(schedule, now))


def plan(schedule: Schedule, starts_at: datetime) -> plans.EventPlan:
    """Return the settings of the event of that start. Its name ends with the day in the schedule's zone."""
    day = starts_at.astimezone(ZoneInfo(schedule.zone)).date()
    return plans.EventPlan(
        name=f"{schedule.name}, {day.isoformat()}",
        description=house.SCHEDULED,
        ruleset=schedule.ruleset,
        format=schedule.format,
        clock=game_clocks.clock_of(schedule),
        rounds_total=max(1, schedule.rounds_total),
        duration_s=schedule.duration_s,
        is_rated=schedule.is_rated,
        admits=Event.Admits.BOTH,
        max_entries=_MAX_ENTRIES,
        pause_s=_PAUSE_S,
        starts_at=starts_at,
        grace_s=_grace_s(schedule),
    )


def _grace_s(schedule: Schedule) -> int | None:
    """Return the grace time: half of the clock and five minutes at most, None if the clock alone decides.

    It does so in arenas, and in games with days or without a clock.
    """
    clock = game_clocks.clock_of(schedule)
    is_arena = formats.FORMATS[schedule.format].is_continuous
    if is_arena or clock.kind.is_unlimited or clock.kind.is_over_days:
        return None
    return min(_MOST_GRACE_S, clock.initial_ms // 2000)
