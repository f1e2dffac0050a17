"""An evening over the board for the tests of its pages."""

from __future__ import annotations

import pytest

from tests.tournaments import over_board
from tournaments.models import Event, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.events import listed_players
from tournaments.services.rounds import lifecycle, publication


@pytest.fixture
def event(ana: User) -> Event:
    return over_board.event_of(ana, board_time="25 minutes each", rounds_total=3)


@pytest.fixture
def started(event: Event, ana: User) -> Event:
    """Round 1 of four players is published."""
    rows = [ListedPlayer(name, 1500) for name in ("Alba", "Bruno", "Celia", "Dario")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    return event
