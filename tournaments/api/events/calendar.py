"""The calendar: coming events of the next days, with the starts whose registration is not open yet."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from tournaments import database_time
from tournaments.api import routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.operations import Operations
from tournaments.models import Event
from tournaments.queries.events import calendar, conditions, open_events
from tournaments.queries.events.calendar import CalendarRow

operations = Operations("Events", shared.ROUTER)


class CalendarShape(shapes.Shape):
    """A row of the calendar. A start without an event has the time at which registration opens."""

    starts_at: datetime
    name: str
    ruleset: str
    format: str
    clock: shapes.Clock
    is_rated: bool
    event: Annotated[str | None, Field(description="The event's slug.")]
    state: Annotated[str | None, Field(description="registration or running")]
    players: int
    takes_entries: Annotated[bool, Field(description="True if a person may enter now.")]
    is_entered: Annotated[bool, Field(description="True if the caller has an entry.")]
    opens_at: datetime | None


@operations.get("/calendar", "calendar", routes.OPEN)
def coming(request: ApiRequest) -> list[CalendarShape]:
    """Return the events of the next days in the order of their starts."""
    now = database_time.now()
    events = open_events.with_playing(
        conditions.visible(Event.objects.listed(), request.caller.user)
    )
    rows = [*calendar.coming(events, request.caller.player, now), *calendar.later(now)]
    return [_shape(each) for each in sorted(rows, key=lambda each: each.starts_at)]


def _shape(each: CalendarRow) -> CalendarShape:
    event = each.row.event if each.row is not None else None
    settings = event if each.start is None else each.start.schedule
    assert settings is not None, "a row has an event or a start"
    return CalendarShape.of(
        settings,
        starts_at=each.starts_at,
        name=each.named.name,
        clock=shapes.clock(settings),
        event=event.slug if event is not None else None,
        state=event.state if event is not None else None,
        players=getattr(event, "playing", 0),
        takes_entries=each.row is not None and each.row.is_joinable,
        is_entered=each.is_entered,
        opens_at=each.start.opens_at if each.start is not None else None,
    )
