"""The files of an event, for all visitors: for other programs, spreadsheets, calendars and verifiers."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation

from tournaments import database_time
from tournaments.edges.files import attachment
from tournaments.models import Event
from tournaments.services.archives import event_files
from tournaments.views import preferences


def _file(event: Event, kind: str) -> HttpResponse:
    """Return the current file of the event. Raise Http404, ComputingError."""
    file = event_files.file_of(event, kind, database_time.now())
    if file is None:
        raise Http404
    return attachment(file.content, file.media_type, file.name)


def trf_2026(_request: HttpRequest, event: Event) -> HttpResponse:
    """The event as a FIDE report file, for arbiters' programs."""
    return _file(event, "trf")


def trf_2025(_request: HttpRequest, event: Event) -> HttpResponse:
    """The TRF-2026 report for engines that know the Dutch system by its older code only."""
    return _file(event, "trf-2025")


def trf_16(_request: HttpRequest, event: Event) -> HttpResponse:
    """The event as a FIDE report file in the dialect of older programs."""
    return _file(event, "trf16")


def standings(_request: HttpRequest, event: Event) -> HttpResponse:
    return _file(event, "standings")


def category_tables(_request: HttpRequest, event: Event) -> HttpResponse:
    return _file(event, "categories")


def crosstable(_request: HttpRequest, event: Event) -> HttpResponse:
    return _file(event, "crosstable")


def pairings(_request: HttpRequest, event: Event) -> HttpResponse:
    return _file(event, "pairings")


def prizes(_request: HttpRequest, event: Event) -> HttpResponse:
    return _file(event, "prizes")


def document(_request: HttpRequest, event: Event) -> HttpResponse:
    """The whole event as JSON."""
    return _file(event, "json")


def calendar(request: HttpRequest, event: Event) -> HttpResponse:
    """The rounds of the event for a calendar."""
    with translation.override(preferences.language_of(request)):
        return _file(event, "ics")


def archive(_request: HttpRequest, event: Event) -> HttpResponse:
    """The event with everything that is needed to compute it again."""
    return _file(event, "zip")
