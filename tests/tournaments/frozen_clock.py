"""The clock on the wall, held by a test."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from tournaments.models import Heartbeat

if TYPE_CHECKING:
    import pytest


@dataclass
class Wall:
    """What time it is: it passes when the test says so, with the service awake or away."""

    now: datetime

    def wait(self, **length: float) -> datetime:
        """Let so many `seconds`, `hours` or `days` pass, in which the tick is there."""
        self.sleep(**length)
        Heartbeat.objects.update(beat_at=self.now)
        return self.now

    def sleep(self, **length: float) -> datetime:
        """Let time pass in which nobody ticks."""
        self.now += timedelta(**length)
        return self.now


def hang(monkeypatch: pytest.MonkeyPatch) -> Wall:
    """A clock on the wall that stands at a noon in March until it is told to go on."""
    wall = Wall(datetime(2026, 3, 10, 12, tzinfo=UTC))
    monkeypatch.setattr(timezone, "now", lambda: wall.now)
    return wall
