"""What tests of events share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tournaments.services.accounts import players

if TYPE_CHECKING:
    from tournaments.models import Player


@pytest.fixture
def eight(db: None) -> list[Player]:
    return [players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 9)]
