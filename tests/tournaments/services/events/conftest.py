"""Common fixtures of the tests of events."""

from __future__ import annotations

import pytest

from tournaments.models import Player
from tournaments.services.accounts import players


@pytest.fixture
def eight(db: None) -> list[Player]:
    return [players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 9)]
