"""Output of events: files, the public log, prizes, announcements and forecasts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Annotated

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import BaseModel, Field

from tournaments import database_time
from tournaments.api import paging, routes, shapes
from tournaments.api.callers import ApiRequest
from tournaments.api.events import shared
from tournaments.api.operations import Operations
from tournaments.api.paging import Page, PageQuery
from tournaments.edges.files import attachment
from tournaments.models import AuditEntry, Event, Prohibition, StaffMember, User
from tournaments.queries.forecasts import courses
from tournaments.services.arbiter import undo
from tournaments.services.archives import event_files
from tournaments.services.forecasts import requests
from tournaments.services.results.computations import ComputingError
from tournaments.text import audit_log

operations = Operations("Records of events", shared.ROUTER)


class LogEntry(shapes.Shape):
    """An action in an event. The user is null for automatic actions."""

    id: int
    action: str
    sentence: str
    actor: shapes.PlayerName | None
    reason: str
    done_at: datetime
    conflict: Annotated[str, Field(description="That the actor takes part; else empty.")]
    undoes: int | None
    is_undone: bool
    may_be_undone: Annotated[bool, Field(description="True if staff with this task may undo it.")]


class AnnouncementShape(shapes.Shape):
    """An announcement of the staff."""

    id: int
    text: str
    made_at: datetime


class ForbiddenPairs(shapes.Shape):
    """Players who must not meet each other. `last_round` is null for all rounds."""

    id: int
    entries: list[int]
    first_round: int
    last_round: int | None
    note: str


class StaffShape(shapes.Shape):
    """A helper in an event."""

    id: int
    player: shapes.PlayerName | None
    role: Annotated[str, Field(description="deputy, pairings, results or check-in")]


class Chance(shapes.Shape):
    """The chances of a player in an event, by pairing number."""

    number: int
    win: shapes.Estimate
    first_three: shapes.Estimate
    points: shapes.Estimate


class Forecast(BaseModel):
    """A forecast from `simulations` ends of the event, which start from its closed rounds."""

    state: Annotated[str, Field(description="done, or failed with no chances")]
    after_round: int
    simulations: int
    chances: list[Chance]


@operations.get("/events/{slug:event}/log", "event-log", routes.OPEN, answer=Page[LogEntry])
def log(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return every action in an event, the latest first."""
    row = shared.event_of(request, event)
    entries = row.audit.select_related("actor__player", "undone_by", "undoes")
    return paging.answer_together(request, entries, ["-pk"], query, partial(log_entries, row))


@operations.get(
    "/events/{slug:event}/announcements",
    "event-announcements",
    routes.OPEN,
    answer=Page[AnnouncementShape],
)
def announcements(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the announcements of the staff, the latest first."""
    rows = shared.event_of(request, event).announcements.all()
    return paging.answer(request, rows, ["-pk"], query, AnnouncementShape.of)


@operations.get(
    "/events/{slug:event}/forbidden-pairs",
    "event-forbidden-pairs",
    routes.OPEN,
    answer=Page[ForbiddenPairs],
)
def forbidden_pairs(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the players who are not paired with each other."""
    rows = shared.event_of(request, event).prohibitions.prefetch_related("entries")
    return paging.answer(request, rows, ["pk"], query, forbidden_shape)


@operations.get(
    "/events/{slug:event}/staff", "event-staff", routes.PRIVATE, answer=Page[StaffShape]
)
def event_staff(request: ApiRequest, event: str, query: Query[PageQuery]) -> HttpResponseBase:
    """Return the staff of an event. Only the staff may read it."""
    row = shared.event_of(request, event)
    shared.require_staff(request, row)
    rows = row.staff.select_related("user__player")
    return paging.answer(request, rows, ["pk"], query, staff_shape)


@operations.get_later(
    "/events/{slug:event}/export/{slug:kind}",
    "event-export",
    routes.COMPUTED,
    answer=dict,
    example="/events/$EVENT/export/json",
)
def export(request: ApiRequest, event: str, kind: str) -> HttpResponse:
    """Return an event as a file.

    Kinds: `trf` and `trf16` for arbiters' programs, `trf-2025` for those that know the Dutch system
    as `FIDE_DUTCH_2025` only, `json`, `zip` with all data to compute it again, `ics` for calendars,
    and as CSV `standings`, `crosstable`, `pairings`, `prizes`.
    """
    row = shared.event_of(request, event)
    file = event_files.file_of(row, kind, database_time.now())
    if file is None:
        raise Http404
    return attachment(file.content, file.media_type, file.name)


@operations.get_later("/events/{slug:event}/forecast", "event-forecast", routes.COMPUTED)
def forecast(request: ApiRequest, event: str) -> Forecast:
    """Return all players' chances in a running event, simulated by a worker: 202 until it is done.

    404 before the start, after the end, in fields that are too large, and in formats without a
    single winner.
    """
    row = shared.event_of(request, event)
    if not courses.has_forecast(row):
        raise Http404
    asked_for = requests.of_event(row, database_time.now())
    if asked_for is None:
        raise Http404
    if asked_for.state == asked_for.State.OPEN:
        raise ComputingError("forecast")
    answer = requests.answer_of_event(asked_for)
    return Forecast(
        state=asked_for.state,
        after_round=asked_for.request["course"]["problem"]["round_number"] - 1,
        simulations=asked_for.request["events"],
        chances=[Chance.of(each, number=each.tpn) for each in (answer.chances if answer else ())],
    )


def undone(event: Event, actor: User, entry_id: int, reason: str) -> LogEntry:
    """Undo an entry of the event's log, and return the entry of the undoing."""
    undoing = undo.undo(event_id=event.pk, actor=actor, entry_id=entry_id, reason=reason)
    return log_entries(event, [undoing])[0]


def log_entries(event: Event, entries: Sequence[AuditEntry]) -> list[LogEntry]:
    """The entries of the event's log, in words too."""
    words = audit_log.Words.of(event, entries)
    return [_log_entry(event, entry, words) for entry in entries]


def _log_entry(event: Event, entry: AuditEntry, words: audit_log.Words) -> LogEntry:
    return LogEntry.of(
        entry,
        sentence=words.sentence(entry),
        actor=shapes.player_of(entry.actor),
        conflict=words.conflict(entry),
        undoes=entry.undoes_id,
        is_undone=hasattr(entry, "undone_by"),
        may_be_undone=undo.may_undo(entry, event),
    )


def forbidden_shape(row: Prohibition) -> ForbiddenPairs:
    """The players who are kept apart, with their entries."""
    return ForbiddenPairs.of(row, entries=sorted(entry.pk for entry in row.entries.all()))


def staff_shape(row: StaffMember) -> StaffShape:
    """Return a member of the staff."""
    return StaffShape.of(row, player=shapes.player_of(row.user))
