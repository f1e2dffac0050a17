"""The queue of the bots' matches: its length, and the waits of its matches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Avg, F, Min

from tournaments.models import Match

# Waits are those of the matches that began within this.
_WINDOW = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Queue:
    """Matches that wait for a worker, and matches in progress.

    Attributes:
        wait_s: the mean wait of the matches that began in the last ten minutes; None without one.
        longest_wait_s: the wait of the oldest waiting match; 0 without one.
    """

    waiting: int
    playing: int
    wait_s: int | None
    longest_wait_s: int


def length(now: datetime) -> Queue:
    """Return the queue at `now`, exhibitions left out."""
    matches = Match.objects.filter(pace_ms=0).order_by()
    waiting = matches.filter(state=Match.State.QUEUED, due_at__lte=now)
    recent = matches.filter(began_at__gt=now - _WINDOW, began_at__lte=now)
    wait = recent.aggregate(mean=Avg(F("began_at") - F("due_at")))["mean"]
    first_due_at = waiting.aggregate(first=Min("due_at"))["first"]
    return Queue(
        waiting.count(),
        matches.filter(state=Match.State.LEASED).count(),
        None if wait is None else round(wait.total_seconds()),
        0 if first_due_at is None else round((now - first_due_at).total_seconds()),
    )
