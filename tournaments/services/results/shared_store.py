"""What is kept for all processes and machines: answers as bytes, in Django's cache (`config.caches`).

Nothing here is the truth: what was dropped, or cannot be read, is computed again.
"""

from __future__ import annotations

import json
import logging
import secrets
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, overload

from django.core.cache import caches

from tournaments.models import Entry
from tournaments.services import database_time
from tournaments.services.results.standings import EventRow, EventTable
from tournaments.standings import StandingsError, tie_break

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# A claim of somebody who was killed ends by itself.
_CLAIM_S = 120
_STORE = "results"
_QUICK = 1
_AT_ONCE = 500
# What reading raises of bytes that were cut, or that another build wrote.
_UNREADABLE = (zlib.error, ValueError, TypeError, LookupError, StandingsError)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptPage:
    """The body of a page, and its headers."""

    content: bytes
    headers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it lies in the store.

    Attributes:
        mark: what it was computed for.
        made_at_s: when it was right, by the database's clock, in seconds since 1970.
        cost_s: CPU seconds that it took.
        value: the answer.
    """

    mark: str
    made_at_s: float
    cost_s: float
    value: object


def is_storable(value: object) -> bool:
    """Whether the value can be kept for others; what cannot is kept by each process for itself."""
    return value is None or isinstance(value, str | bytes | KeptPage | EventTable)


def now_s() -> float:
    """The database's time, in seconds since 1970."""
    return database_time.now().timestamp()


def read(key: str) -> StoredAnswer | None:
    """What is kept under the key; None where there is nothing, or what cannot be read."""
    stored = caches[_STORE].get(key)
    if stored is None:
        return None
    try:
        head, _, body = zlib.decompress(stored).partition(b"\n")
        known = json.loads(head)
        return StoredAnswer(value=_value(known.pop("kind"), body), **known)
    except _UNREADABLE as error:
        log.warning("store.unreadable key=%s error=%r", key, error)
        return None


def write(key: str, answer: StoredAnswer, lasts_s: float) -> None:
    """Keep it for so many seconds."""
    kind, body = _body(answer.value)
    head = {
        "kind": kind,
        "mark": answer.mark,
        "made_at_s": answer.made_at_s,
        "cost_s": answer.cost_s,
    }
    text = json.dumps(head).encode() + b"\n" + body
    caches[_STORE].set(key, zlib.compress(text, _QUICK), lasts_s)


def claim(key: str) -> bytes | None:
    """The token of this caller, who is to compute it while nobody else does; None where somebody does."""
    token = secrets.token_bytes(16)
    return token if caches[_STORE].add(f"{key}-claim", token, _CLAIM_S) else None


def is_claimed(key: str) -> bool:
    """Whether somebody is computing it. Looking takes nothing from anybody."""
    return caches[_STORE].get(f"{key}-claim") is not None


def release(key: str, token: bytes) -> None:
    """Let others compute it again; a claim that ran out, and is somebody else's now, stays."""
    if caches[_STORE].get(f"{key}-claim") == token:
        caches[_STORE].delete(f"{key}-claim")


def note(key: str, words: Mapping[str, Any], lasts_s: float, *, is_first: bool = False) -> bool:
    """Keep a few words; with `is_first` only where none are kept. Returns whether they are."""
    text = json.dumps(words).encode()
    if is_first:
        return caches[_STORE].add(key, text, lasts_s)
    caches[_STORE].set(key, text, lasts_s)
    return True


def noted(key: str) -> dict[str, Any] | None:
    """The words that were noted under the key; None where there are none, or none that can be read."""
    text = caches[_STORE].get(key)
    try:
        return None if text is None else json.loads(text)
    except _UNREADABLE:
        return None


def forget(key: str) -> None:
    """Drop what is kept or noted under the key."""
    caches[_STORE].delete(key)


def _body(value: object) -> tuple[str, bytes]:
    match value:
        case None:
            return "none", b""
        case str():
            return "text", value.encode()
        case bytes():
            return "bytes", value
        case KeptPage():
            return "page", json.dumps(value.headers).encode() + b"\n" + value.content
        case EventTable():
            return "table", _table_text(value).encode()
        case _:
            raise TypeError(f"{type(value)} cannot be kept")


def _value(kind: str, body: bytes) -> object:
    match kind:
        case "none":
            return None
        case "text":
            return body.decode()
        case "bytes":
            return body
        case "page":
            headers, _, content = body.partition(b"\n")
            return KeptPage(content, tuple((name, value) for name, value in json.loads(headers)))
        case "table":
            return _table(json.loads(body))
        case _:
            raise ValueError(f"{kind!r} is no kind of answer")


def _table_text(table: EventTable) -> str:
    names = _columns()
    rows = [[row.entry.pk, *(getattr(row, name) for name in names)] for row in table.rows]
    return json.dumps([names, table.rounds, [each.name for each in table.tie_breaks], rows])


def _columns() -> list[str]:
    """What is stored of a row besides its entry."""
    return [field.name for field in fields(EventRow)][1:]


class StoredRows(Sequence[EventRow]):
    """Rows of a stored table, which look their players up when they are asked for: pages show a hundred of them.

    Attributes:
        entry_ids, ranks: whose rows they are, and their ranks, in their order.
    """

    def __init__(self, stored: Sequence[Sequence[Any]]) -> None:
        self._stored = stored
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

    def __iter__(self) -> Iterator[EventRow]:
        for start in range(0, len(self), _AT_ONCE):
            yield from self[start : start + _AT_ONCE]

    def _rows(self, stored: Sequence[Sequence[Any]]) -> list[EventRow]:
        entries = Entry.objects.select_related("player").in_bulk([row[0] for row in stored])
        return [EventRow(entries[pk], *columns) for pk, *columns in stored]


def _table(stored: Any) -> EventTable:  # noqa: ANN401 - what JSON has
    columns, rounds, names, rows = stored
    if columns != _columns():
        raise ValueError(f"rows of other columns: {columns}")
    return EventTable(StoredRows(rows), rounds, tuple(map(tie_break, names)))
