"""The clock of the site, which tests of bots turn."""

from __future__ import annotations

import pytest

from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.services.clocks import outages


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch, db: None) -> FrozenClock:
    wall = freeze(monkeypatch)
    outages.notice(wall.now)
    return wall
