"""The calendar: public events with a start, in the order of their starts, and past events of schedules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import groupby

from django.db.models import Exists, OuterRef, Q

from tournaments.models import Entry, Event, Player, Schedule
from tournaments.models.events import EventQuerySet
from tournaments.queries.events import open_events, schedules
from tournaments.queries.events.open_events import OpenEvent
from tournaments.queries.events.schedules import Start

SPAN = timedelta(days=14)
# Starts of schedules whose registration is not open, which may be many a day.
_LATER = timedelta(days=7)
# Each has its standings computed.
_PAGE = 20


@dataclass(frozen=True, slots=True)
class CalendarRow:
    """An event of the calendar, or a start whose event does not exist yet."""

    starts_at: datetime
    row: OpenEvent | None = None
    start: Start | None = None
    is_entered: bool = False

    @property
    def named(self) -> Event | Schedule:
        """The schedule, whose name has no day, or the event."""
        if self.start is not None:
            return self.start.schedule
        assert self.row is not None, "a row has an event or a start"
        occurrence = getattr(self.row.event, "occurrence", None)
        schedule = occurrence.schedule if occurrence is not None else None
        return schedule if schedule is not None else self.row.event


@dataclass(frozen=True, slots=True)
class Page:
    """Past events, the latest first, and the key for the older ones, None on the last page."""

    events: Sequence[Event]
    older: int | None


def coming(events: EventQuerySet, player: Player | None, now: datetime) -> list[CalendarRow]:
    """Return the future ones of `events`, which have `playing`, and the running ones of schedules."""
    chosen = is_coming(events, now).select_related("occurrence__schedule")
    calendar_rows = [
        CalendarRow(moment, row=row)
        for row in open_events.rows(chosen, now)
        if (moment := row.event.started_at or row.event.starts_at) is not None
    ]
    return marked(sorted(calendar_rows, key=lambda each: each.starts_at), player)


def marked(rows: Sequence[CalendarRow], player: Player | None) -> list[CalendarRow]:
    """Return the rows, with those marked in whose events the player has an entry."""
    own = entered(player, [each.row.event.pk for each in rows if each.row])
    return [
        replace(each, is_entered=True) if each.row and each.row.event.pk in own else each
        for each in rows
    ]


def is_coming(events: EventQuerySet, now: datetime) -> EventQuerySet:
    """Return the future ones of `events`, and the running ones of schedules."""
    is_future = Q(state=Event.State.REGISTRATION, starts_at__range=(now, now + SPAN))
    is_running = Q(state=Event.State.RUNNING, occurrence__isnull=False)
    return events.filter(is_future | is_running)


def entered(player: Player | None, event_ids: Collection[int]) -> set[int]:
    """Return those of the events in which the player has an entry."""
    if player is None:
        return set()
    own = Entry.objects.filter(player=player).exclude(state=Entry.State.WITHDRAWN)
    return set(own.filter(event__in=event_ids).values_list("event", flat=True))


def later(now: datetime) -> list[CalendarRow]:
    """Return the starts of the calendar's days whose registration is not open yet."""
    coming_starts = schedules.later(now, until=now + _LATER)
    return [CalendarRow(each.starts_at, start=each) for each in coming_starts]


def days(rows: Iterable[CalendarRow]) -> Iterator[tuple[date, Sequence[CalendarRow]]]:
    """Yield the days in UTC with their rows."""
    ordered = sorted(rows, key=lambda each: each.starts_at)
    for day, group in groupby(ordered, key=lambda each: each.starts_at.date()):
        yield day, list(group)


def past(events: EventQuerySet, *, before: int | None) -> Page:
    """Return a page of the finished ones of `events` of schedules to which a person came."""
    people = Entry.objects.filter(event=OuterRef("pk"), player__kind=Player.Kind.PERSON)
    finished = events.filter(Exists(people), state=Event.State.FINISHED, occurrence__isnull=False)
    if before is not None:
        finished = finished.filter(pk__lt=before)
    page = list(finished.order_by("-pk")[: _PAGE + 1])
    return Page(page[:_PAGE], page[_PAGE - 1].pk if len(page) > _PAGE else None)
