"""The time in messages: Redis' clock, one for all hosts of a site.

Celery writes the moments of a message by the clock of the sender's host, and compares them with that of the worker's.
A worker whose clock was ten minutes ahead dropped each message with an expiry, and so every tick.

Without Redis there is one machine and its clock. A process asks every few seconds, and counts from there by a clock
that cannot be set, as `tournaments.database_time` does. A worker's main process has no connection to the database.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

_ASK_EVERY_S = 5.0


@dataclass(slots=True)
class _Memory:
    """The last reading of this process, and the moment of it on the monotonic clock.

    Threads may write simultaneously: either reading is right.
    """

    reading: tuple[datetime, float] | None = None
    asked_s: float = -_ASK_EVERY_S


_memory = _Memory()


def now() -> datetime:
    """Return the present moment by Redis' clock, or by the host's as long as Redis has never answered."""
    if not settings.REDIS_URL:
        return timezone.now()
    began_s = time.monotonic()
    if began_s - _memory.asked_s >= _ASK_EVERY_S:
        _memory.asked_s = began_s
        _ask()
    if _memory.reading is None:
        return timezone.now()
    moment, at_s = _memory.reading
    return moment + timedelta(seconds=time.monotonic() - at_s)


def lead_of_host() -> timedelta:
    """Return how far the clock of this host is ahead of Redis'."""
    return timezone.now() - now()


def _ask() -> None:
    # Hidden, as in `live`: a start without Redis does not import its client.
    from tournaments import redis_bus

    began_s = time.monotonic()
    moment = redis_bus.time_of(settings.REDIS_URL)
    if moment is not None:
        _memory.reading = moment, (began_s + time.monotonic()) / 2
