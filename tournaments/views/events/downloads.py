"""The files of an event, for everybody: for other programs, spreadsheets, calendars and verifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.utils import timezone

from tournaments.services.archives import event_archive
from tournaments.services.results import calendars, event_document, reports, sheets
from tournaments.views.access import get_event
from tournaments.views.events.pages import event_with_rounds

if TYPE_CHECKING:
    from django.http import HttpRequest

_CSV = "text/csv; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"


def _file(content: str | bytes, *, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def trf_2026(request: HttpRequest, slug: str) -> HttpResponse:
    """The event as a FIDE report file, for arbiters' programs."""
    text = reports.trf_of(event_with_rounds(slug))
    return _file(text, kind=_TEXT, name=f"{slug}.trf")


def trf_16(request: HttpRequest, slug: str) -> HttpResponse:
    """The same in the dialect of older programs."""
    text = reports.trf16_of(event_with_rounds(slug))
    return _file(text, kind=_TEXT, name=f"{slug}-trf16.trf")


def standings(request: HttpRequest, slug: str) -> HttpResponse:
    return _file(sheets.standings(get_event(slug)), kind=_CSV, name=f"{slug}-standings.csv")


def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    text = sheets.crosstable(event_with_rounds(slug))
    return _file(text, kind=_CSV, name=f"{slug}-crosstable.csv")


def pairings(request: HttpRequest, slug: str) -> HttpResponse:
    return _file(sheets.pairings(get_event(slug)), kind=_CSV, name=f"{slug}-pairings.csv")


def document(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole event as JSON."""
    text = event_document.text_of(get_event(slug))
    return _file(text, kind="application/json", name=f"{slug}.json")


def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds of the event for a calendar."""
    text = calendars.rounds_of(event_with_rounds(slug), timezone.now())
    return _file(text, kind="text/calendar; charset=utf-8", name=f"{slug}.ics")


def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """The event with everything that is needed to compute it again."""
    content = event_archive.of_event(event_with_rounds(slug))
    return _file(content, kind="application/zip", name=f"{slug}-archive.zip")
