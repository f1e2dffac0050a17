"""What is dear to compute of a large event: computed once, and kept for all who look.

Kept in the process, up to `_MOST_BYTES`, until the event changes; a small event is computed at each
request (law 4). What is kept of an event of `LARGE` or more is kept for all processes
(`shared_store`), and is not computed by a request at all but by a worker (`drawing`). Nothing here is
the truth: a process that forgets computes again.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from django.db import connection

from tournaments.services import audit
from tournaments.services.notifications import news
from tournaments.services.results import builds, shared_store
from tournaments.services.results.shared_store import KeptPage, StoredAnswer
from tournaments.services.results.standings import EventTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tournaments.models import Event

T = TypeVar("T")

# Fields up to here take less than a twentieth of a second.
SMALL = 100
# Of fields from here on tables and files take more than a tenth of a second of the processor.
LARGE = 500
_MOST_BYTES = 96 * 1024 * 1024
# What little changes without the event's being told of it, such as a game's name, is right after so long.
_LASTS_S = 3600.0
# A table that changes with every result is computed for a tenth of the time at most, and a minute
# after the last one at the latest.
_SHARE = 10
_MOST_LAG_S = 60.0
# So long somebody waits for what another request computes.
PATIENCE_S = 0.25
# A worker waits for another worker, looking so often.
_WORKERS_PATIENCE_S = 60.0
_LOOK_EVERY_S = 0.2
# What took a request less is not worth a place in the store.
_LEAST_COST_S = 0.02
_BYTES_A_ROW = 4_000
_BYTES_A_SLIM_ROW = 600

# Has a worker compute what this request needs; False where none does, and nothing in a worker.
_asker: ContextVar[Callable[[Need], bool] | None] = ContextVar("asker", default=None)
_is_worker: ContextVar[bool] = ContextVar("is_worker", default=False)


class ComputingError(Exception):
    """Another request is computing what was asked for, and there is no earlier answer."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """An answer, and how many seconds ago it was right at least; 0 while it still is."""

    value: T
    lag_s: int = 0


@dataclass(frozen=True, slots=True)
class Need:
    """What a request needs that is not kept.

    Attributes:
        key: of the computation, the same for whatever address needs it.
        mark: the state of the event that it is needed for.
        is_one_of_many: whether visitors choose among thousands of its kind.
    """

    key: str
    mark: str
    is_one_of_many: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    mark: str
    value: object
    made_at_s: float
    cost_s: float
    bytes_count: int


class _Memory:
    """Answers by key, the least recently used forgotten first; a lock for each that is computed."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._entries: OrderedDict[tuple[str, ...], _Entry] = OrderedDict()
        self._locks: dict[tuple[str, ...], threading.Lock] = {}
        self._bytes = 0

    def entry(self, key: tuple[str, ...]) -> _Entry | None:
        with self._guard:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def lock(self, key: tuple[str, ...]) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(key, threading.Lock())

    def keep(self, key: tuple[str, ...], entry: _Entry) -> None:
        with self._guard:
            self._drop(key)
            self._entries[key] = entry
            self._bytes += entry.bytes_count
            while self._bytes > _MOST_BYTES and len(self._entries) > 1:
                self._drop(next(iter(self._entries)))

    def _drop(self, key: tuple[str, ...]) -> None:
        old = self._entries.pop(key, None)
        if old is not None:
            self._bytes -= old.bytes_count
            lock = self._locks.get(key)
            if lock is not None and not lock.locked():
                del self._locks[key]

    def clear(self) -> None:
        with self._guard:
            self._entries.clear()
            self._locks.clear()
            self._bytes = 0


_memory = _Memory()
forget = _memory.clear


def mark(event: Event) -> str:
    """What changes when the event does: a hash of its row, its last news and its last audit entry."""
    topic = news.of_event(event.pk)
    row = [str(getattr(event, field.attname)) for field in event._meta.concrete_fields]
    words = [*row, str(news.last_seqs([topic])[topic]), str(audit.mark(event))]
    return hashlib.sha256("\x1f".join(words).encode()).hexdigest()[:24]


def is_large(event: Event) -> bool:
    """Whether what is computed of the event is worth keeping."""
    return event.entries.count() > SMALL


@contextmanager
def asking(asker: Callable[[Need], bool]) -> Iterator[None]:
    """While it lasts, what is dear of a large event is computed by the worker that `asker` sends for."""
    token = _asker.set(asker)
    try:
        yield
    finally:
        _asker.reset(token)


@contextmanager
def working() -> Iterator[None]:
    """While it lasts this is the worker: whatever is needed is computed, and kept for all."""
    token, asker = _is_worker.set(True), _asker.set(None)
    try:
        yield
    finally:
        _is_worker.reset(token)
        _asker.reset(asker)


def is_working() -> bool:
    """Whether a worker draws this, and nobody looks."""
    return _is_worker.get()


def recall(
    event: Event,
    kind: str,
    compute: Callable[[], T],
    *,
    may_lag: bool = False,
    depends_on: str = "",
    is_light: bool = False,
    is_one_of_many: bool = False,
) -> T:
    """What `compute` returns for the event as it stands; of a large event computed once.

    `kind` names the computation and all its arguments but the event. `depends_on` changes with what
    the answer depends on, where that is less than the whole event. What is `is_light` puts together
    what is kept for all: no worker is sent for, and each process keeps it for itself, as there may
    be one for every name that somebody looks for. What `is_one_of_many` visitors choose among
    thousands, such as a board: how many workers are sent for those of an event is limited.

    Raises TooManyError beyond that limit, and ComputingError while another request, or a worker, is at it.
    """
    return answer(
        event,
        kind,
        compute,
        may_lag=may_lag,
        depends_on=depends_on,
        is_light=is_light,
        is_one_of_many=is_one_of_many,
    ).value


def answer(
    event: Event,
    kind: str,
    compute: Callable[[], T],
    *,
    may_lag: bool = False,
    depends_on: str = "",
    is_light: bool = False,
    is_one_of_many: bool = False,
) -> Answer[T]:
    """The same with how old it is.

    With `may_lag` an earlier answer does for a while, so that a table which changes with every result
    is not computed with every result.

    Raises ComputingError, TooManyError.
    """
    count = event.entries.count()
    if count <= SMALL:
        return Answer(compute())
    question = _Question(
        (str(connection.settings_dict["NAME"]), str(event.pk), kind),
        depends_on or mark(event),
        is_for_all=count >= LARGE and not is_light,
        may_lag=may_lag,
    )
    entry = question.known()
    usable: Answer[T] | None = None
    if entry is not None:
        usable = question.usable(entry)
    if usable is not None:
        return usable
    asker = _asker.get()
    if question.is_for_all and asker is not None:
        if asker(Need(question.shared_key, question.mark, is_one_of_many)):
            if entry is not None and may_lag:
                return _lagging(entry)
            raise ComputingError(kind)
        # Who computes by himself does so to the end: no worker is sent for what that needs in turn.
        _asker.set(None)
    return _computed(question, entry, compute)


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, and for which state of the event."""

    key: tuple[str, ...]
    mark: str
    is_for_all: bool
    may_lag: bool

    @property
    def shared_key(self) -> str:
        """The key for all processes of this build; a name in it could be long, or have a blank."""
        words = "\x1f".join((builds.BUILD, *self.key))
        return hashlib.sha256(words.encode(errors="replace")).hexdigest()[:40]

    def known(self) -> _Entry | None:
        """The latest answer of this process, or of another where it is not for this state."""
        entry = _memory.entry(self.key)
        if not self.is_for_all or (entry is not None and entry.mark == self.mark):
            return entry
        stored = shared_store.read(self.shared_key)
        if stored is None or (entry is not None and stored.made_at_s <= entry.made_at_s):
            return entry
        entry = _entry_of(stored)
        _memory.keep(self.key, entry)
        return entry

    def usable(self, entry: _Entry) -> Answer[T] | None:
        """Its answer, if it is that of this state, or of one not long ago where that will do."""
        age = _age(entry)
        if entry.mark == self.mark:
            return Answer(entry.value) if age < _LASTS_S else None  # type: ignore[arg-type]  # of its kind
        if self.may_lag and age < min(_SHARE * entry.cost_s, _MOST_LAG_S):
            return _lagging(entry)
        return None


def _computed(question: _Question, entry: _Entry | None, compute: Callable[[], T]) -> Answer[T]:
    """The answer, computed by one for all. Raises ComputingError."""
    lock = _memory.lock(question.key)
    if not lock.acquire(timeout=PATIENCE_S):
        if entry is not None and question.may_lag:
            return _lagging(entry)
        raise ComputingError(question.key[-1])
    try:
        entry = _memory.entry(question.key)  # somebody may have been quicker
        if entry is not None and entry.mark == question.mark and _age(entry) < _LASTS_S:
            return Answer(entry.value)  # type: ignore[arg-type]  # of the same kind
        token = shared_store.claim(question.shared_key) if question.is_for_all else None
        try:
            if question.is_for_all and token is None and is_working():
                entry = _of_another_worker(question)
                if entry is not None:
                    return Answer(entry.value)  # type: ignore[arg-type]  # of the same kind
            return _compute(question, compute)
        finally:
            if token is not None:
                shared_store.release(question.shared_key, token)
    finally:
        lock.release()


def _compute(question: _Question, compute: Callable[[], T]) -> Answer[T]:
    made_at_s, began = shared_store.now_s(), time.thread_time()
    value = compute()
    cost_s = time.thread_time() - began
    stored = StoredAnswer(question.mark, made_at_s, cost_s, value)
    _memory.keep(question.key, _entry_of(stored))
    # Others have sent for a worker, and look into the store for what it was.
    is_worth_it = is_working() or cost_s > _LEAST_COST_S
    if question.is_for_all and is_worth_it and shared_store.is_storable(value):
        shared_store.write(question.shared_key, stored, _LASTS_S)
    return Answer(value)


def _of_another_worker(question: _Question) -> _Entry | None:
    """What another worker is computing, once it has it; None where that takes too long."""
    deadline = time.monotonic() + _WORKERS_PATIENCE_S
    while time.monotonic() < deadline:
        # Looked at first: who gives the claim up in between has written before.
        is_claimed = shared_store.is_claimed(question.shared_key)
        entry = question.known()
        if entry is not None and entry.mark == question.mark:
            return entry
        if not is_claimed:
            return None
        time.sleep(_LOOK_EVERY_S)
    return None


def _entry_of(stored: StoredAnswer) -> _Entry:
    return _Entry(
        stored.mark, stored.value, stored.made_at_s, stored.cost_s, _bytes_of(stored.value)
    )


def _lagging(entry: _Entry) -> Answer[T]:
    return Answer(entry.value, max(1, round(_age(entry))))  # type: ignore[arg-type]


def _age(entry: _Entry) -> float:
    return max(0.0, shared_store.now_s() - entry.made_at_s)


def _bytes_of(value: object) -> int:
    if value is None or isinstance(value, str | bytes):
        return len(value or b"")
    if isinstance(value, KeptPage):
        return len(value.content)
    if isinstance(value, EventTable):
        is_slim = isinstance(value.rows, shared_store.StoredRows)
        return (_BYTES_A_SLIM_ROW if is_slim else _BYTES_A_ROW) * len(value.rows)
    return 2_000_000
