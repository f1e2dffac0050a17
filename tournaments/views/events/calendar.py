"""The calendar: coming events by day, past ones of schedules, and the file for other calendars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation

from tournaments import database_time
from tournaments.models import Event, User
from tournaments.models.events import EventQuerySet
from tournaments.queries.events import calendar, conditions
from tournaments.queries.events.calendar import CalendarRow
from tournaments.queries.results import calendars, podiums
from tournaments.services.events import entries
from tournaments.views import common_lists, preferences
from tournaments.views.access import account_player_of, user_of

_LONGEST_KEY = 15
_DAYS = "events/_calendar_days.html"


def page(request: HttpRequest) -> HttpResponse:
    """Return the coming days. The page's script sorts the events into the days of the reader's zone."""
    user = user_of(request)
    if user is None:
        days = common_lists.drawn(_DAYS, None, lambda: {"days": _days(_rows(None))})
    else:
        reader = conditions.reader_of_lists(user)
        rows = common_lists.recall("calendar", reader, lambda: _rows(reader))
        own = calendar.entered(
            account_player_of(request), [each.event_id for each in rows if each.event_id]
        )
        marked = [replace(each, is_entered=each.event_id in own) for each in rows]
        days = render_to_string(_DAYS, {"days": _days(marked)}, request)
    return render(request, "events/calendar.html", {"days": days})


def _rows(reader: User | None) -> list[CalendarRow]:
    """Return the coming events that the reader may see, and later starts, without the reader's entries."""
    now = database_time.now()
    events = entries.with_playing(conditions.visible(Event.objects.listed(), reader))
    return [*calendar.coming(events, None, now), *calendar.later(now)]


def _days(rows: Sequence[CalendarRow]) -> list[tuple[date, Sequence[CalendarRow]]]:
    return list(calendar.days(rows))


def past(request: HttpRequest) -> HttpResponse:
    """Return the past events of schedules with their first three, the latest first."""
    before = request.GET.get("before", "")
    if before and not (before.isascii() and before.isdigit() and len(before) <= _LONGEST_KEY):
        raise Http404
    rows = calendar.past(_listed(request), before=int(before) if before else None)
    context = {"page": rows, "podiums": podiums.of_events(rows.events)}
    return render(request, "events/calendar_past.html", context)


def file(request: HttpRequest) -> HttpResponse:
    """Return the coming public events for other calendars."""
    now = database_time.now()
    events = entries.with_playing(conditions.visible(Event.objects.listed(), None))
    with translation.override(preferences.language_of(request)):
        text = calendars.starts_of(calendar.coming(events, None, now), now)
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="rayuela.ics"'
    return response


def _listed(request: HttpRequest) -> EventQuerySet:
    return entries.with_playing(conditions.visible(Event.objects.listed(), user_of(request)))
