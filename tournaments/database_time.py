"""The time of all decisions: the database's, one for all machines of a site.

A machine whose clock is wrong would take time from players, and give it to others. On SQLite there
is one machine, and its clock is the database's.

A query costs a round trip, so a process asks every few seconds and counts from there by a clock
that cannot be set. The answer is off by at most half the round trip and the drift of a quartz
meanwhile (100 ppm of 5 s are half a millisecond).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

ASK_EVERY_S = 5.0
# A reading that took longer says little: the one before is kept for so long, and without one the
# database is asked once more.
_SLOW_S, _PATIENCE_S = 0.1, 60.0
# A clock that continues while the machine is asleep, if there is one.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A reading of the database's clock at `at_s` of this machine's, within half of `took_s`."""

    moment: datetime
    at_s: float
    took_s: float


@dataclass(slots=True)
class _Memory:
    """The last reading of this process. Threads may write at one moment: either reading is right."""

    reading: _Reading | None = None
    asked_s: float = 0.0


_memory = _Memory()


def now() -> datetime:
    """The present moment by the database's clock. On PostgreSQL a query at most every five seconds."""
    if connection.vendor != "postgresql":
        return timezone.now()
    at_s = _elapsed_s()
    reading = _memory.reading
    if reading is None or at_s - _memory.asked_s >= ASK_EVERY_S:
        _memory.asked_s = at_s
        reading = _renewed(reading)
    return reading.moment + timedelta(seconds=_elapsed_s() - reading.at_s)


def lead_of_host() -> timedelta:
    """Return how far the clock of this host is ahead of the database's."""
    return timezone.now() - now()


def forget() -> None:
    """Ask the database again at the next call."""
    _memory.reading = None


def _renewed(old: _Reading | None) -> _Reading:
    # A transaction that has failed answers no more questions.
    if old is not None and connection.needs_rollback:
        return old
    reading = _ask()
    if reading.took_s > _SLOW_S:
        if old is not None and reading.at_s - old.at_s < _PATIENCE_S:
            return old
        reading = min(reading, _ask(), key=lambda each: each.took_s)
    _memory.reading = reading
    return reading


def _ask() -> _Reading:
    """Ask the database without Django's cursor: the query does not belong to the caller."""
    connection.ensure_connection()
    began_s = _elapsed_s()
    with connection.wrap_database_errors, connection.connection.cursor() as cursor:
        # Not now(), which is when the transaction began.
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    ended_s = _elapsed_s()
    return _Reading(moment, (began_s + ended_s) / 2, ended_s - began_s)


def _elapsed_s() -> float:
    return time.clock_gettime(_CLOCK)
