"""The files of an event, for all visitors: for other programs, spreadsheets, calendars and verifiers."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation

from tournaments import database_time
from tournaments.services.archives import event_files
from tournaments.views import preferences
from tournaments.views.access import get_event


def _file(slug: str, kind: str) -> HttpResponse:
    """Return the current file of the event. Raise Http404, ComputingError."""
    file = event_files.file_of(get_event(slug), kind, database_time.now())
    if file is None:
        raise Http404
    response = HttpResponse(file.content, content_type=file.media_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response


def trf_2026(_request: HttpRequest, slug: str) -> HttpResponse:
    """The event as a FIDE report file, for arbiters' programs."""
    return _file(slug, "trf")


def trf_2025(_request: HttpRequest, slug: str) -> HttpResponse:
    """The TRF-2026 report for engines that know the Dutch system by its older code only."""
    return _file(slug, "trf-2025")


def trf_16(_request: HttpRequest, slug: str) -> HttpResponse:
    """The event as a FIDE report file in the dialect of older programs."""
    return _file(slug, "trf16")


def standings(_request: HttpRequest, slug: str) -> HttpResponse:
    return _file(slug, "standings")


def category_tables(_request: HttpRequest, slug: str) -> HttpResponse:
    return _file(slug, "categories")


def crosstable(_request: HttpRequest, slug: str) -> HttpResponse:
    return _file(slug, "crosstable")


def pairings(_request: HttpRequest, slug: str) -> HttpResponse:
    return _file(slug, "pairings")


def prizes(_request: HttpRequest, slug: str) -> HttpResponse:
    return _file(slug, "prizes")


def document(_request: HttpRequest, slug: str) -> HttpResponse:
    """The whole event as JSON."""
    return _file(slug, "json")


def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds of the event for a calendar."""
    with translation.override(preferences.language_of(request)):
        return _file(slug, "ics")


def archive(_request: HttpRequest, slug: str) -> HttpResponse:
    """The event with everything that is needed to compute it again."""
    return _file(slug, "zip")
