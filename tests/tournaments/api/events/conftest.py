"""The world of events, made once for each file, and Ana and Ben in it."""

from __future__ import annotations

import pytest

from tests.tournaments import shared_rows
from tests.tournaments.api.event_world import EventWorld
from tournaments.services.accounts import players


@pytest.fixture(scope="module", autouse=True)
def rows_of_file(transaction_of_file: None) -> EventWorld:
    ana, ben = (players.sign_up(name=name, password="rayuela-1963") for name in ("Ana", "Ben"))
    return EventWorld(ana, ben)


event_world = shared_rows.part()
ana = shared_rows.part("ana")
ben = shared_rows.part("ben")
