"""Entries that may be one person: equal names or ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from tournaments.models import Entry, Event
from tournaments.models.players import canonical_name


class SameBy(StrEnum):
    """The data by which two players may be one person."""

    FIDE_ID = "fide-id"
    NATIONAL_ID = "national-id"
    NAME = "name"


def keys(
    name: str, *, fide_id: str = "", national_id: str = "", federation: str = ""
) -> Mapping[SameBy, str]:
    """Return the values of a player of which another person has none. A national id is one of its federation."""
    values = {
        SameBy.FIDE_ID: fide_id.lstrip("0"),
        SameBy.NATIONAL_ID: national_id and f"{federation} {national_id}",
        SameBy.NAME: canonical_name(name),
    }
    return {kind: value for kind, value in values.items() if value}


def keys_of(entry: Entry) -> Mapping[SameBy, str]:
    """Return the values of the player of an entry."""
    return keys(
        entry.player.name,
        fide_id=entry.fide_id,
        national_id=entry.national_id,
        federation=entry.federation,
    )


def of_event(event: Event) -> list[Mapping[SameBy, str]]:
    """Return the values of all entries of the event."""
    return [keys_of(entry) for entry in _entries(event)]


def pairs(event: Event) -> list[tuple[Entry, Entry]]:
    """Return the entries of the event that may be one person, each with the first such entry."""
    first: dict[tuple[SameBy, str], Entry] = {}
    likely = []
    for entry in _entries(event):
        own = list(keys_of(entry).items())
        earlier = next((first[key] for key in own if key in first), None)
        if earlier is not None:
            likely.append((earlier, entry))
        for key in own:
            first.setdefault(key, entry)
    return likely


def of_player(event: Event, values: Mapping[SameBy, str]) -> list[Entry]:
    """Return the entries of the event that may be the player with these values."""
    own = set(values.items())
    return [entry for entry in _entries(event) if own & set(keys_of(entry).items())]


def _entries(event: Event) -> Iterable[Entry]:
    return event.entries.filter(captain=None).select_related("player").order_by("pk")
