"""The calendar: coming events by day, past ones of schedules, and the file for other calendars."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.context_processors import csrf
from django.template.loader import render_to_string
from django.utils import translation

from tournaments import database_time
from tournaments.edges.files import attachment
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
    if request.user.is_authenticated:
        # Django draws the rows faster outside of the page, whose template extends another one.
        reader = conditions.reader_of_lists(user_of(request))
        rows = common_lists.recall("calendar", reader, lambda: _rows(reader))
        days = calendar.days(calendar.marked(rows, account_player_of(request)))
        context = {"days": list(days), "user": request.user, **csrf(request)}
        drawn = render_to_string(_DAYS, context)
    else:
        drawn = common_lists.drawn(_DAYS, None, lambda: {"days": list(calendar.days(_rows(None)))})
    return render(request, "events/calendar.html", {"drawn": drawn})


def _rows(reader: User | None) -> list[CalendarRow]:
    now = database_time.now()
    return [*calendar.coming(_listed(reader), None, now), *calendar.later(now)]


def past(request: HttpRequest) -> HttpResponse:
    """Return the past events of schedules with their first three, the latest first."""
    before = request.GET.get("before", "")
    if before and not (before.isascii() and before.isdigit() and len(before) <= _LONGEST_KEY):
        raise Http404
    rows = calendar.past(_listed(user_of(request)), before=int(before) if before else None)
    context = {"page": rows, "podiums": podiums.of_events(rows.events)}
    return render(request, "events/calendar_past.html", context)


def file(request: HttpRequest) -> HttpResponse:
    """Return the coming public events for other calendars."""
    now = database_time.now()
    with translation.override(preferences.language_of(request)):
        text = calendars.starts_of(calendar.coming(_listed(None), None, now), now)
    return attachment(text, "text/calendar; charset=utf-8", "rayuela.ics")


def _listed(reader: User | None) -> EventQuerySet:
    return entries.with_playing(conditions.visible(Event.objects.listed(), reader))
