"""Tables, files and explanations of large events: a worker computes each once, for all who look.

A request calls a function that is declared with `computable` directly if the event is small. The value
for a large event is a row. A worker of the queue `pages` computes it and marks it with the state of the
event. A request reads the row. If the state has changed since, the request sends for a worker by the
number of the row, and shows the value of a moment ago or answers 202.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, Generic, TypeVar, TypeVarTuple

from django.core.cache import cache
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tournaments import database_time, limits
from tournaments.models import AuditEntry, Computation, Event, Topic, statements
from tournaments.services import enqueue
from tournaments.services.accounts import throttles
from tournaments.services.notifications import news
from tournaments.services.results import builds

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

log = logging.getLogger(__name__)

# The largest number of players for which a request computes a table: that takes a twentieth of a second.
LARGE = 250
# Some changes, such as a game's name, are no news of the event: they are seen after this time.
_LASTS = timedelta(hours=1)
# A table that changes with every result is computed during a tenth of the time at most, and a minute
# after the last computation at the latest.
_SHARE, _MOST_LAG = 10, timedelta(minutes=1)
# A visitor who returns soon after a computation may find the event changed again. This long after the
# first try the request computes.
_SOON, _LONG = timedelta(seconds=5), timedelta(seconds=10)
# A process keeps values of small events for this time, in seconds.
_KEPT_S = 30
# The level of compression: quick.
_LEVEL = 1


class ComputingError(Exception):
    """The value is being computed, and there is no earlier one."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A value, and its age in seconds: the time since it was known to be right, 0 if it still is."""

    value: T
    lag_s: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """The state of an event (`state_of`), and the number of its last news then."""

    state: str
    reached: int


def mark_of(event: Event) -> Mark:
    """Return the mark of the event's present state."""
    [(reached, last_entry)] = _last.all(event_id=event.pk, topic=news.of_event(event.pk))
    row = [str(getattr(event, field.attname)) for field in event._meta.concrete_fields]
    return Mark(hash_of([*row, str(reached), str(last_entry)]), reached)


def state_of(event: Event, *_arguments: object) -> str:
    """Return a hash that changes with the event: of its row, its last news and its last audit entry."""
    return mark_of(event).state


@statements.query
def _last(event_id: int, topic: str) -> QuerySet[Event, tuple[int, int]]:
    """The numbers of the event's last news and its last audit entry, for which every page of an event asks."""
    logged = AuditEntry.objects.filter(event=OuterRef("pk")).order_by().values("event")
    return Event.objects.filter(pk=event_id).values_list(
        Coalesce(Subquery(Topic.objects.filter(name=topic).values("seq")), 0),
        Coalesce(Subquery(logged.annotate(last=Max("pk")).values("last")), 0),
    )


def recall(
    function: Callable[[Event, *Arguments], T], event: Event, state: str, *arguments: *Arguments
) -> T:
    """Return what the function gave this process for this state of the event before, or call it.

    The value must be one that pickle copies.
    """
    key = hash_of([function.__module__, function.__qualname__, state, *arguments])
    value: T | None = cache.get(key)
    if value is None:
        value = function(event, *arguments)
        cache.set(key, value, _KEPT_S)
    return value


def hash_of(words: object) -> str:
    """Return the hash of the parts of a mark."""
    return hashlib.sha256(repr(words).encode(errors="replace")).hexdigest()[:32]


def is_large(event: Event) -> bool:
    """Return whether workers compute for the event."""
    return event.entries.count() > LARGE


class Computable(Generic[T, *Arguments]):
    """A function of an event whose value is stored for a large event.

    Its arguments are JSON values. Its value is bytes or JSON.

    Attributes:
        mark: returns a text that changes whenever the value may, from its arguments.
        may_lag: whether an earlier value is shown while the next one is computed.
        is_one_of_many: whether visitors choose among thousands of values, such as explanations. A
            limit (`COMPUTATIONS_OF_EVENT`) counts these.
    """

    def __init__(
        self,
        function: Callable[[Event, *Arguments], T],
        mark: Callable[..., str],
        *,
        may_lag: bool,
        is_one_of_many: bool,
    ) -> None:
        self._function = function
        self._name = f"{function.__module__}:{function.__qualname__}"
        self.mark = mark
        self.may_lag = may_lag
        self.is_one_of_many = is_one_of_many
        _DECLARED[self._name] = self

    def __call__(self, event: Event, *arguments: *Arguments) -> T:
        """Compute the value here."""
        return self._function(event, *arguments)

    def of(self, event: Event, *arguments: *Arguments) -> T:
        """Return the value for a visitor. Raises ComputingError, TooManyError."""
        return self.answer(event, *arguments).value

    def answer(self, event: Event, *arguments: *Arguments, state: str = "") -> Answer[T]:
        """Return the value for a visitor with its age. Raises ComputingError, TooManyError.

        The process keeps the value for a small event whose `state` the caller knows (`state_of`).
        """
        if state and not recall(is_large, event, state):
            return Answer(recall(self._function, event, state, *arguments))
        if not is_large(event):
            return Answer(self(event, *arguments))
        now, row = database_time.now(), self._row(event, arguments)
        usable = None if row is None else self._usable(row, now, event, *arguments)
        if usable is not None:
            return usable
        if not self._ask(event, arguments, row, now):
            assert row is not None, "of a first visitor's row a worker is expected"
            return Answer(self.store(row, event))
        if row is not None and row.value is not None and self.may_lag:
            return _lagging(row, now)
        raise ComputingError(self._name)

    def current(self, event: Event, *arguments: *Arguments) -> T:
        """Return the stored value if it is that of the present state, else compute it."""
        row = self._row(event, arguments) if is_large(event) else None
        if row is None or row.value is None or row.mark != self.mark(event, *arguments):
            return self(event, *arguments)
        value: T = _value(row)
        return value

    def renew(self, event: Event, *arguments: *Arguments) -> None:
        """Send for a worker if the stored value of a large event is too old."""
        if not is_large(event):
            return
        now, row = database_time.now(), self._row(event, arguments)
        if row is None or self._usable(row, now, event, *arguments) is None:
            self._ask(event, arguments, row, now)

    def store(self, row: Computation, event: Event) -> T:
        """Compute the value of the row. Raises ComputingError while another process does."""
        # The clocks of two machines differ a little, and a worker begins after it was sent for.
        begun_at = max(database_time.now(), row.asked_at)
        rows = Computation.objects.filter(pk=row.pk)
        if rows.unclaimed(begun_at).update(begun_at=begun_at) != 1:
            raise ComputingError(self._name)
        mark, stored, start = "", None, time.thread_time()
        try:
            arguments = json.loads(row.arguments)
            mark = self.mark(event, *arguments)
            value = self(event, *arguments)
            stored = _stored(value)
            return value
        finally:
            rows.filter(begun_at=begun_at).update(
                mark=mark,
                value=stored,
                cost_s=time.thread_time() - start,
                computed_at=begun_at,
                expires_at=begun_at + _LASTS,
            )

    def _key(self, event: Event, arguments: tuple[*Arguments]) -> dict[str, Any]:
        words = {"name": self._name, "arguments": json.dumps(arguments), "build": builds.BUILD}
        return {"event": event, **words}

    def _row(self, event: Event, arguments: tuple[*Arguments]) -> Computation | None:
        return Computation.objects.filter(**self._key(event, arguments)).first()

    def _usable(
        self, row: Computation, now: datetime, event: Event, *arguments: *Arguments
    ) -> Answer[T] | None:
        """Return the value of the row if it is that of this state, or of a moment ago if that will do."""
        if row.computed_at is None or now >= row.expires_at:
            return None
        if row.mark == self.mark(event, *arguments):
            # If the computation failed, the visitor's request raises the error.
            return Answer(self(event, *arguments) if row.value is None else _value(row))
        most_lag = min(_SHARE * timedelta(seconds=row.cost_s), _MOST_LAG)
        if self.may_lag and row.value is not None and now - row.computed_at < most_lag:
            return _lagging(row, now)
        return None

    def _ask(
        self, event: Event, arguments: tuple[*Arguments], row: Computation | None, now: datetime
    ) -> bool:
        """Send for a worker once, and return whether one is expected. Raises TooManyError."""
        if row is not None and row.is_open:
            return row.is_coming(now)
        is_soon = row is not None and row.computed_at is not None and now < row.computed_at + _SOON
        since = row.wanted_since if row is not None and is_soon else now
        if now - since > _LONG:
            return False
        if self.is_one_of_many:
            throttles.count(throttles.Visitor(event_id=event.pk), limits.COMPUTATIONS_OF_EVENT)
        times = {"asked_at": now, "wanted_since": since}
        if row is None:
            row, is_first = Computation.objects.get_or_create(
                **self._key(event, arguments), defaults={**times, "expires_at": now + _LASTS}
            )
        else:
            rows = Computation.objects.filter(pk=row.pk, asked_at=row.asked_at)
            is_first = rows.update(**times) == 1
        if is_first:
            enqueue.computation(row.pk)
        return True


_DECLARED: dict[str, Computable[Any, *tuple[Any, ...]]] = {}


def computable(
    mark: Callable[..., str] = state_of,
    *,
    may_lag: bool = False,
    is_one_of_many: bool = False,
) -> Callable[[Callable[[Event, *Arguments], T]], Computable[T, *Arguments]]:
    """Declare a function whose value is stored for large events (`Computable`)."""
    return lambda function: Computable(
        function, mark, may_lag=may_lag, is_one_of_many=is_one_of_many
    )


def work(pk: int) -> None:
    """Compute the value of a row that a visitor waits for."""
    rows = Computation.objects.select_related("event").defer("value")
    row = rows.filter(pk=pk, build=builds.BUILD).first()
    if row is None or not row.is_open:
        return
    # A worker that has just begun does not know the function yet.
    import_module(row.name.partition(":")[0])
    try:
        _DECLARED[row.name].store(row, row.event)
    except (ComputingError, ObjectDoesNotExist) as error:
        log.info("computation.left name=%s arguments=%s error=%r", row.name, row.arguments, error)


def _stored(value: object) -> bytes:
    body = b"b" + value if isinstance(value, bytes) else b"j" + json.dumps(value).encode()
    return zlib.compress(body, _LEVEL)


def _value(row: Computation) -> Any:  # noqa: ANN401 - bytes or JSON, of the type that was computed
    assert row.value is not None, "computed"
    body = zlib.decompress(row.value)
    return body[1:] if body[:1] == b"b" else json.loads(body[1:])


def _lagging(row: Computation, now: datetime) -> Answer[Any]:
    assert row.computed_at is not None, "with a value"
    return Answer(_value(row), max(1, round((now - row.computed_at).total_seconds())))
