"""The first three of finished events, computed once in each process while the log of the event has no more entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Max

from tournaments.models import AuditEntry, Entry, Event, Player
from tournaments.queries.results import tables

_PLACES = 3
_KEPT_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class PodiumRow:
    """A player of the first three places, with the score in half points as standings have it."""

    rank: int
    player: Player
    points_halves: int


def of_events(events: Iterable[Event]) -> Mapping[int, Sequence[PodiumRow]]:
    """Return the first three of each finished event by its number. Expelled players are left out.

    A correction of a result is an entry of the log.
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
