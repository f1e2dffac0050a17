"""The calendar: coming events by day, past ones of schedules, and the file for other calendars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.context_processors import csrf
from django.template.loader import render_to_string
from django.utils import translation

from tournaments import database_time
from tournaments.edges.files import attachment
from tournaments.models import AuditEntry, Entry, Event, Player, User
from tournaments.models.events import EventQuerySet
from tournaments.queries.events import calendar, conditions, open_events
from tournaments.queries.events.calendar import CalendarRow
from tournaments.queries.results import calendars, tables
from tournaments.views import common_lists, preferences
from tournaments.views.access import account_player_of, user_of

_LONGEST_KEY = 15
_DAYS = "events/_calendar_days.html"
# The first places of past events, which a process stores for a day.
_PLACES, _KEPT_S = 3, 24 * 3600


@dataclass(frozen=True, slots=True)
class PodiumRow:
    """A player of the first three places, with the score in half points as standings have it."""

    rank: int
    player: Player
    points_halves: int


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
    context = {"page": rows, "podiums": _podiums(rows.events)}
    return render(request, "events/calendar_past.html", context)


def file(request: HttpRequest) -> HttpResponse:
    """Return the coming public events for other calendars."""
    now = database_time.now()
    with translation.override(preferences.language_of(request)):
        text = calendars.starts_of(calendar.coming(_listed(None), None, now), now)
    return attachment(text, "text/calendar; charset=utf-8", "rayuela.ics")


def _listed(reader: User | None) -> EventQuerySet:
    return open_events.with_playing(conditions.visible(Event.objects.listed(), reader))


def _podiums(events: Iterable[Event]) -> Mapping[int, Sequence[PodiumRow]]:
    """Return the first three of each finished event by its number. Expelled players are left out.

    They are computed again when the log of the event has another entry: a correction of a result is one.
    """
    by_id = {event.pk: event for event in events}
    logs = AuditEntry.objects.filter(event__in=by_id).order_by().values_list("event")
    keys = {pk: f"podium:{pk}:{last}" for pk, last in logs.annotate(last=Max("pk"))}
    known = cache.get_many(keys.values())
    fresh = {
        keys[pk]: _places(event)
        for pk, event in by_id.items()
        if pk in keys and keys[pk] not in known
    }
    cache.set_many(fresh, _KEPT_S)
    places = {pk: {**known, **fresh}[key] for pk, key in keys.items()}
    entry_ids = [entry_id for rows in places.values() for _, entry_id, _ in rows]
    entries = Entry.objects.select_related("player").in_bulk(entry_ids)
    return {
        pk: [PodiumRow(rank, entries[entry_id].player, points) for rank, entry_id, points in rows]
        for pk, rows in places.items()
    }


def _places(event: Event) -> list[tuple[int, int, int]]:
    """Return rank, entry and half points."""
    rows = [row for row in tables.event_table(event).rows if row.place is not None]
    return [(row.rank, row.entry.pk, row.points_halves) for row in rows[:_PLACES]]
