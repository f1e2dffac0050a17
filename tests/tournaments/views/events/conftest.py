"""An evening over the board for the tests of its pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tournaments.models import Event, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.events import listed_players
from tournaments.services.rounds import lifecycle, publication


@pytest.fixture
def event(new_event: Callable[..., Event]) -> Event:
    return new_event(
        is_over_the_board=True,
        board_time="25 minutes each",
        clock=Clock.read("unlimited"),
        admits="people",
        is_rated=False,
        is_automatic=False,
    )


@pytest.fixture
def started(event: Event, ana: User) -> Event:
    """Round 1 of four players is published."""
    rows = [ListedPlayer(name, 1500) for name in ("Alba", "Bruno", "Celia", "Dario")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    return event
