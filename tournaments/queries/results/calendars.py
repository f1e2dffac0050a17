"""The rounds of an event, and the calendar of the site, as iCalendar (RFC 5545)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from tournaments.models import Event, Round
from tournaments.queries.events.calendar import CalendarRow
from tournaments.text.house import event_name

# RFC 5545 3.1: a line has at most 75 octets. The rest continues after a blank.
_OCTETS = 75
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def rounds_of(event: Event, now: datetime) -> str:
    """The published rounds of the event, one VEVENT each, in UTC, with CRLF line ends.

    A round begins when its games have begun, or are to begin. Its UID is equal in every copy,
    so that a calendar that fetches the file again moves the round and does not double it.
    """
    rounds = event.rounds.exclude(state=Round.State.DRAFT).order_by("number")
    rows = (line for round_ in rounds for line in _round(event, round_, now))
    return _calendar("Rounds of an event", event_name(event), rows)


def starts_of(rows: Iterable[CalendarRow], now: datetime) -> str:
    """The events of the calendar, one VEVENT each. Starts without an event are left out."""
    events = (each.row.event for each in rows if each.row is not None)
    lines = (line for event in events for line in _event(event, now))
    return _calendar("Events", "Rayuela", lines)


def _calendar(product: str, name: str, lines: Iterable[str]) -> str:
    whole = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//Rayuela//{product}//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{_escaped(name)}",
        *lines,
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in whole)


def _event(event: Event, now: datetime) -> Iterator[str]:
    begin = event.started_at or event.starts_at
    assert begin is not None, "the calendar has events with a start"
    yield "BEGIN:VEVENT"
    yield f"UID:event-{event.pk}@{_host()}"
    yield f"DTSTAMP:{_utc(now)}"
    yield f"DTSTART:{_utc(begin)}"
    if event.duration_s:
        yield f"DTEND:{_utc(begin + timedelta(seconds=event.duration_s))}"
    yield f"SUMMARY:{_escaped(event_name(event))}"
    yield f"URL:{settings.SITE_URL}{event.get_absolute_url()}"
    yield "END:VEVENT"


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "rayuela"


def _round(event: Event, round_: Round, now: datetime) -> Iterator[str]:
    begin = round_.started_at or round_.starts_at or round_.published_at
    assert begin is not None, "a published round has been published at a time"
    url = settings.SITE_URL + reverse("event-round", args=[event.slug, round_.number])
    yield "BEGIN:VEVENT"
    yield f"UID:event-{event.pk}-round-{round_.number}@{_host()}"
    yield f"DTSTAMP:{_utc(now)}"
    yield f"DTSTART:{_utc(begin)}"
    if round_.closed_at is not None and round_.closed_at > begin:
        yield f"DTEND:{_utc(round_.closed_at)}"
    yield f"SUMMARY:{_escaped(f'{event_name(event)}: {round_.number}/{event.rounds_total}')}"
    yield f"URL:{url}"
    yield "END:VEVENT"


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """The text as a value of type TEXT (RFC 5545 3.3.11)."""
    text = _CONTROLS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    for character in ("\\", ";", ","):
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """The line in parts of at most 75 octets, no character cut in two."""
    parts, part, size = [], "", 0
    for character in line:
        octets = len(character.encode())
        if size + octets > _OCTETS:
            parts.append(part)
            part, size = " ", 1
        part += character
        size += octets
    return "\r\n".join([*parts, part])
