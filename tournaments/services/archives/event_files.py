"""The public files of an event or a festival: for other programs, spreadsheets, calendars and verifiers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from tournaments.models import Event, Festival, Round
from tournaments.queries import formats
from tournaments.queries.archives import event_archive, festival_archive
from tournaments.queries.archives.festival_archive import ArchivedFestival
from tournaments.queries.events import festivals
from tournaments.queries.results import calendars, reports
from tournaments.services.results import event_document, sheets
from tournaments.services.results.computations import computable

_CSV = "text/csv; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class EventFile:
    """A file with the name under which it is kept."""

    content: str | bytes
    media_type: str
    name: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """The making of a file. Each request makes a file that `is_light`. TRF16 has no records of teams."""

    compute: Callable[[Event], str | bytes]
    media_type: str
    ending: str
    needs_rounds: bool = True
    is_light: bool = False
    has_teams: bool = True


_KINDS: Mapping[str, _Kind] = {
    "trf": _Kind(reports.trf_of, _TEXT, ".trf"),
    "trf-2025": _Kind(reports.trf_2025_of, _TEXT, "-2025.trf"),
    "trf16": _Kind(reports.trf16_of, _TEXT, "-trf16.trf", has_teams=False),
    "standings": _Kind(sheets.standings, _CSV, "-standings.csv", needs_rounds=False),
    "categories": _Kind(sheets.category_tables, _CSV, "-categories.csv", needs_rounds=False),
    "crosstable": _Kind(sheets.crosstable, _CSV, "-crosstable.csv"),
    "pairings": _Kind(sheets.pairings, _CSV, "-pairings.csv", needs_rounds=False),
    "prizes": _Kind(sheets.prizes, _CSV, "-prizes.csv", needs_rounds=False, is_light=True),
    "json": _Kind(
        lambda event: event_document.text_of(event),
        "application/json",
        ".json",
        needs_rounds=False,
    ),
    "zip": _Kind(event_archive.of_event, "application/zip", "-archive.zip"),
}


def input_of(event: Event, round_: Round) -> EventFile:
    """Return the pairing input of a round: a FIDE report file with the pairings in comments, or JSON."""
    name = f"{event.slug}-{round_.number}"
    if round_.report:
        return EventFile(round_.report, _TEXT, f"{name}.trf")
    whole = {"engine": round_.engine, "problem": round_.problem, "answer": round_.evidence}
    return EventFile(json.dumps(whole, indent=1), "application/json", f"{name}.json")


def file_of(event: Event, kind: str, now: datetime) -> EventFile | None:
    """Return the current file of the event. For a large event it is made once.

    None for an unknown kind, or for a kind that needs common rounds in an event without them, or has no teams.
    Raises ComputingError.
    """
    if kind == "ics":
        if formats.of(event).is_continuous:
            return None
        text = calendars.rounds_of(event, now)
        return EventFile(text, "text/calendar; charset=utf-8", f"{event.slug}.ics")
    file_kind = _KINDS.get(kind)
    if file_kind is None or (file_kind.needs_rounds and formats.of(event).is_continuous):
        return None
    if event.is_of_teams and not file_kind.has_teams:
        return None
    content = _content(event, kind) if file_kind.is_light else _content.of(event, kind)
    return EventFile(content, file_kind.media_type, f"{event.slug}{file_kind.ending}")


@computable()
def _content(event: Event, kind: str) -> str | bytes:
    return _KINDS[kind].compute(event)


def festival_archive_of(festival: Festival, now: datetime) -> bytes:
    """Return the archive of the public sections with common rounds. Raises ComputingError."""
    archives = {}
    for event in festivals.sections_for(festival, None):
        if formats.of(event).is_continuous:
            continue
        file = file_of(event, "zip", now)
        assert file is not None, "an event with common rounds has an archive"
        assert isinstance(file.content, bytes), "a ZIP file"
        archives[event.slug] = file.content
    record = ArchivedFestival(
        schema=festival_archive.SCHEMA,
        name=festival.name,
        slug=festival.slug,
        url=settings.SITE_URL + festival.get_absolute_url(),
        sections=tuple(archives),
        prizes_by=festival.prizes_by,
        prizes=event_archive.prizes_of(festival),
    )
    return festival_archive.packed(record, archives)
