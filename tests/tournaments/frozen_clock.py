"""The time of day in a test: it passes only when the test says so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tournaments import database_time
from tournaments.models import Heartbeat


@dataclass
class FrozenClock:
    """The time of a test: it passes when the test orders it, with the service awake or away."""

    now: datetime

    def wait(self, **length: float) -> datetime:
        """Advance the time by `seconds`, `hours` or `days`, with ticks."""
        self.sleep(**length)
        Heartbeat.objects.update(beat_at=self.now)
        return self.now

    def sleep(self, **length: float) -> datetime:
        """Advance the time without ticks."""
        self.now += timedelta(**length)
        return self.now


def freeze(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    """Freeze the time of the database and of the machine at a noon in March.

    Return the clock that moves both.
    """
    clock = FrozenClock(datetime(2026, 3, 10, 12, tzinfo=UTC))
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    monkeypatch.setattr(database_time, "now", lambda: clock.now)
    return clock
