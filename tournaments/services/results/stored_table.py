"""The standings of an event as they are stored: a large event's for all who look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, overload

from tournaments.models import Entry, Event
from tournaments.queries.results import tables
from tournaments.queries.results.standings import EventRow, EventTable
from tournaments.services.results import computations
from tournaments.services.results.computations import Answer, computable
from tournaments.standings import tie_break

_AT_ONCE = 500
# A page shows no more rows.
_MOST_KEPT = 100
# The columns of a stored row behind the number of its entry.
_COLUMNS = [field.name for field in fields(EventRow)][1:]


class StoredRows(Sequence[EventRow]):
    """Rows of a stored table. They read their players when a page shows them, a hundred at a time.

    With the `state` of the event a process keeps the players of a page for it.

    Attributes:
        entry_ids, ranks: of the rows, in their order.
    """

    def __init__(self, stored: Sequence[Sequence[Any]], event: Event, state: str) -> None:
        self._stored, self._event, self._state = stored, event, state
        self.entry_ids: Sequence[int] = [row[0] for row in stored]
        self.ranks: Sequence[int] = [row[1] for row in stored]

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, index: int) -> EventRow: ...
    @overload
    def __getitem__(self, index: slice) -> list[EventRow]: ...
    def __getitem__(self, index: int | slice) -> EventRow | list[EventRow]:
        if isinstance(index, slice):
            return self._rows(self._stored[index])
        return self._rows([self._stored[index]])[0]

    def at(self, indices: Sequence[int]) -> list[EventRow]:
        """Return the rows with these indices, whose players are read together."""
        return self._rows([self._stored[index] for index in indices])

    def __iter__(self) -> Iterator[EventRow]:
        for start in range(0, len(self), _AT_ONCE):
            yield from self[start : start + _AT_ONCE]

    def _rows(self, stored: Sequence[Sequence[Any]]) -> list[EventRow]:
        numbers = [row[0] for row in stored]
        if self._state and len(numbers) <= _MOST_KEPT:
            entries = computations.recall(_entries, self._event, self._state, numbers)
        else:
            entries = _entries(self._event, numbers)
        return [EventRow(entries[pk], *columns) for pk, *columns in stored]


def _entries(_event: Event, numbers: Sequence[int]) -> dict[int, Entry]:
    return Entry.objects.select_related("player").in_bulk(numbers)


@computable(may_lag=True)
def _table(event: Event) -> list[Any]:
    table = tables.event_table(event)
    rows = [[row.entry.pk, *(getattr(row, name) for name in _COLUMNS)] for row in table.rows]
    return [rows, table.rounds, [each.name for each in table.tie_breaks]]


def answer(event: Event, state: str = "") -> Answer[EventTable]:
    """Return the table for a visitor, and its age. Raises ComputingError.

    `state` is that of `computations.state_of`, if the caller knows it.
    """
    state = state or computations.state_of(event)
    stored = _table.answer(event, state=state)
    table = stored.value
    if stored.lag_s:
        table = _without_removed(event, table)
    return Answer(_read(table, event, state), stored.lag_s)


def _without_removed(event: Event, stored: list[Any]) -> list[Any]:
    """The table without entries that were removed since, as by undoing them."""
    rows, *rest = stored
    present = set(event.entries.values_list("pk", flat=True))
    return [[row for row in rows if row[0] in present], *rest]


def of(event: Event) -> EventTable:
    """Return the table for a visitor. Raises ComputingError."""
    return answer(event).value


def current(event: Event) -> EventTable:
    """Return the table of the present state: the stored one, or computed."""
    if not computations.is_large(event):
        return tables.event_table(event)
    return _read(_table.current(event), event)


def renew(event_id: int) -> None:
    """Have the table of a large event computed again after a result, if it is time."""
    event = Event.objects.filter(pk=event_id).exclude(state=Event.State.REGISTRATION).first()
    if event is not None:
        _table.renew(event)


def _read(stored: list[Any], event: Event, state: str = "") -> EventTable:
    rows, rounds, names = stored
    tie_breaks = tuple(tie_break(name, of_teams=True) for name in names)
    return EventTable(StoredRows(rows, event, state), rounds, tie_breaks)
