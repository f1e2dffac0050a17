"""Schedules of an administrator: they are stored, paused and deleted, and their open events follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import time
from zoneinfo import available_timezones

from django.db import transaction

import games
from tournaments import database_time
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Occurrence, Schedule, User
from tournaments.models.schedules import MAX_FIELD, MAX_OPEN_H, NAME_LENGTH
from tournaments.queries import formats
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.queries.events import schedules as queries
from tournaments.services import audit
from tournaments.services.accounts import house_account
from tournaments.services.events import settings
from tournaments.services.rounds import interruptions
from tournaments.text import house

MAX_SCHEDULES = 50
_EVERY_DAY = 127
# Saturday, Sunday and Friday, for one game each.
_SWISS_DAYS = (5, 6, 4)
_COLUMNS = ("name", "ruleset", "format", "rounds_total", "duration_s", "is_rated")
_CLOCK_COLUMNS = ("clock_kind", "clock_initial_ms", "clock_increment_ms", "clock_cap_ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timetable:
    """The columns of a schedule that an event does not have, with the meaning of the model's."""

    time_of_day: time
    zone: str
    weekdays: int
    field_size: int
    opens_before_h: int


def create(*, actor: User | None, plan: plans.EventPlan, timetable: Timetable) -> Schedule:
    """Return a new schedule. The next look of the service creates its events.

    Raises RefusedError: `schedule-bad`, `schedule-zone`, `schedules-many`, and those of `plans.check`.
    """
    columns = _checked(plan, timetable)
    with transaction.atomic():
        # One row, so that two simultaneous requests do not both find room.
        User.objects.select_for_update(no_key=True).get(pk=house_account.account().pk)
        if Schedule.objects.count() >= MAX_SCHEDULES:
            raise RefusedError("schedules-many", str(MAX_SCHEDULES))
        schedule = Schedule.objects.create(**columns, created_at=database_time.now())
        audit.note("schedule-create", actor=actor, schedule=schedule.name)
        return schedule


def change(
    *, schedule_id: int, actor: User, plan: plans.EventPlan, timetable: Timetable
) -> Schedule:
    """Change a schedule, and its future events that no player has entered.

    Raises RefusedError as `create`, StaleError `schedule-deleted`.
    """
    columns = _checked(plan, timetable)
    with transaction.atomic():
        schedule = _lock(schedule_id)
        for name, value in columns.items():
            setattr(schedule, name, value)
        schedule.save()
        audit.note("schedule-change", actor=actor, schedule=schedule.name)
        _renew(schedule)
        return schedule


def pause(*, schedule_id: int, actor: User) -> None:
    """Create no further event, and cancel future ones that no player has entered.

    Raises StaleError `schedule-deleted`.
    """
    with transaction.atomic():
        schedule = _lock(schedule_id)
        schedule.paused_at = schedule.paused_at or database_time.now()
        schedule.save(update_fields=["paused_at"])
        audit.note("schedule-pause", actor=actor, schedule=schedule.name)
        _cancel(_unjoined(schedule))


def resume(*, schedule_id: int, actor: User) -> None:
    """Create events again. Raises StaleError `schedule-deleted`."""
    with transaction.atomic():
        schedule = _lock(schedule_id)
        schedule.paused_at = None
        schedule.save(update_fields=["paused_at"])
        audit.note("schedule-resume", actor=actor, schedule=schedule.name)


def delete(*, schedule_id: int, actor: User) -> None:
    """Delete a schedule. Its events stay, apart from future ones that no player has entered.

    Raises StaleError `schedule-deleted`.
    """
    with transaction.atomic():
        schedule = _lock(schedule_id)
        audit.note("schedule-delete", actor=actor, schedule=schedule.name)
        _cancel(_unjoined(schedule))
        schedule.delete()


def add_usual(*, actor: User | None = None) -> int:
    """Add a daily arena and a weekly Swiss of each game. Return the number of new schedules.

    A schedule whose name exists is not added again. Raises RefusedError `schedules-many`.
    """
    known = set(Schedule.objects.values_list("name", flat=True))
    missing = [each for each in _usual() if each[0].name not in known]
    for plan, timetable in missing:
        create(actor=actor, plan=plan, timetable=timetable)
    return len(missing)


def _usual() -> Iterator[tuple[plans.EventPlan, Timetable]]:
    """Yield the usual settings, with hours and days in which the games follow each other."""
    for place, family in enumerate(games.available()):
        ruleset = games.load(family.presentation.lobby_board).key
        arena = plans.EventPlan(
            name=house.stored_name(house.DAILY_ARENA, ruleset),
            ruleset=ruleset,
            format=Event.Format.ARENA,
            clock=Clock(180_000, 2_000),
            duration_s=3600,
            admits=Event.Admits.BOTH,
        )
        swiss = plans.EventPlan(
            name=house.stored_name(house.WEEKLY_SWISS, ruleset),
            ruleset=ruleset,
            format=Event.Format.DUTCH,
            clock=Clock(600_000, 10_000),
            rounds_total=5,
            admits=Event.Admits.BOTH,
        )
        yield (
            arena,
            Timetable(
                time_of_day=time(18 + place),
                zone="UTC",
                weekdays=_EVERY_DAY,
                field_size=8,
                opens_before_h=24,
            ),
        )
        yield (
            swiss,
            Timetable(
                time_of_day=time(15),
                zone="UTC",
                weekdays=1 << _SWISS_DAYS[place % len(_SWISS_DAYS)],
                field_size=8,
                opens_before_h=7 * 24,
            ),
        )


def _checked(plan: plans.EventPlan, timetable: Timetable) -> dict[str, object]:
    """Return the columns of a schedule. Raises RefusedError as `create`."""
    plans.check(plan)
    format_ = formats.FORMATS[plan.format]
    is_in_range = (
        1 <= timetable.weekdays <= _EVERY_DAY
        and 0 <= timetable.field_size <= MAX_FIELD
        and 1 <= timetable.opens_before_h <= MAX_OPEN_H
    )
    if format_.is_of_teams or format_.bots_only or plan.is_over_the_board:
        raise RefusedError("schedule-bad", plan.format)
    if len(plan.name.strip()) > NAME_LENGTH or not is_in_range:
        raise RefusedError("schedule-bad", plan.name[:NAME_LENGTH])
    if plans.is_too_short_for_people(plan.clock, plan.admits):
        raise RefusedError("clock-short")
    if timetable.zone not in available_timezones():
        raise RefusedError("schedule-zone", timetable.zone)
    columns = plans.columns(plan)
    names = ("time_of_day", "zone", "weekdays", "field_size", "opens_before_h")
    return {name: columns[name] for name in (*_COLUMNS, *_CLOCK_COLUMNS)} | {
        name: getattr(timetable, name) for name in names
    }


def _lock(schedule_id: int) -> Schedule:
    schedule = Schedule.objects.select_for_update(no_key=True).filter(pk=schedule_id).first()
    if schedule is None:
        raise StaleError("schedule-deleted", str(schedule_id))
    return schedule


def _unjoined(schedule: Schedule) -> Sequence[Occurrence]:
    """Return the future events that no player has entered, locked against entries."""
    rows = schedule.occurrences.filter(
        event__state=Event.State.REGISTRATION,
        starts_at__gt=database_time.now(),
        event__entries=None,
    )
    event_ids = list(rows.order_by("event").values_list("event", flat=True))
    locked = Event.objects.select_for_update(no_key=True).filter(pk__in=event_ids)
    assert len(locked.order_by("pk")) == len(event_ids), "events are not deleted"
    return list(rows.select_related("event"))


def _renew(schedule: Schedule) -> None:
    """Give the events that no player has entered the new settings, and the nearest free starts."""
    unjoined = _unjoined(schedule)
    taken = set(schedule.occurrences.values_list("starts_at", flat=True))
    due = queries.due(schedule, database_time.now()) if schedule.paused_at is None else []
    free = iter([moment for moment in due if moment not in taken])
    surplus = []
    for row in unjoined:
        moment = row.starts_at if row.starts_at in due else next(free, None)
        if moment is None:
            surplus.append(row)
            continue
        Occurrence.objects.filter(pk=row.pk).update(
            starts_at=moment, field_size=schedule.field_size
        )
        settings.change(row.event_id, house_account.account(), plan=queries.plan(schedule, moment))
    _cancel(surplus)


def _cancel(rows: Sequence[Occurrence]) -> None:
    """Cancel events whose schedule has changed. The start becomes free for another event."""
    for row in rows:
        Occurrence.objects.filter(pk=row.pk).update(schedule=None)
        cancel_event(row.event_id, "schedule-changed")


def cancel_event(event_id: int, code: str) -> None:
    """Cancel an event of a schedule, with the code of the reason for its page. No list has the event."""
    interruptions.cancel(event_id, house_account.account(), reason=house.CANCELLED[code])
    Event.objects.filter(pk=event_id).update(hold_reason=code, is_listed=False)
