"""The files of an event, for everybody: for other programs, spreadsheets, calendars and verifiers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from django.http import HttpResponse

from tournaments.services import database_time
from tournaments.services.archives import event_archive
from tournaments.services.results import calendars, event_document, memory, reports, sheets
from tournaments.views.access import get_event
from tournaments.views.events.pages import event_with_rounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

    from tournaments.models import Event

Content = TypeVar("Content", str, bytes)

_CSV = "text/csv; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"


def _file(content: str | bytes, *, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _content(event: Event, kind: str, compute: Callable[[Event], Content]) -> Content:
    """The file of the event as it stands; of a large event it is made once. Raises ComputingError."""
    return memory.recall(event, kind, partial(compute, event))


def trf_2026(request: HttpRequest, slug: str) -> HttpResponse:
    """The event as a FIDE report file, for arbiters' programs."""
    text = _content(event_with_rounds(slug), "trf-2026", reports.trf_of)
    return _file(text, kind=_TEXT, name=f"{slug}.trf")


def trf_16(request: HttpRequest, slug: str) -> HttpResponse:
    """The same in the dialect of older programs."""
    text = _content(event_with_rounds(slug), "trf-16", reports.trf16_of)
    return _file(text, kind=_TEXT, name=f"{slug}-trf16.trf")


def standings(request: HttpRequest, slug: str) -> HttpResponse:
    return _file(
        _content(get_event(slug), "standings-csv", sheets.standings),
        kind=_CSV,
        name=f"{slug}-standings.csv",
    )


def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    text = _content(event_with_rounds(slug), "crosstable-csv", sheets.crosstable)
    return _file(text, kind=_CSV, name=f"{slug}-crosstable.csv")


def pairings(request: HttpRequest, slug: str) -> HttpResponse:
    return _file(
        _content(get_event(slug), "pairings-csv", sheets.pairings),
        kind=_CSV,
        name=f"{slug}-pairings.csv",
    )


def prizes(request: HttpRequest, slug: str) -> HttpResponse:
    return _file(sheets.prizes(get_event(slug)), kind=_CSV, name=f"{slug}-prizes.csv")


def document(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole event as JSON."""
    text = _content(get_event(slug), "json", event_document.text_of)
    return _file(text, kind="application/json", name=f"{slug}.json")


def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds of the event for a calendar."""
    text = calendars.rounds_of(event_with_rounds(slug), database_time.now())
    return _file(text, kind="text/calendar; charset=utf-8", name=f"{slug}.ics")


def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """The event with everything that is needed to compute it again."""
    content = _content(event_with_rounds(slug), "archive", event_archive.of_event)
    return _file(content, kind="application/zip", name=f"{slug}-archive.zip")
