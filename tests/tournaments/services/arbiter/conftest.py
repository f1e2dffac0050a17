"""A Swiss of four people in its first round, which Ana runs step by step."""

from __future__ import annotations

import pytest

from tests.tournaments.conftest import enter, event_of
from tournaments.models import Event, Player, User
from tournaments.services.rounds import lifecycle, publication, rounds


@pytest.fixture
def drafted(people: list[Player], ana: User) -> Event:
    """The first round of five rounds is a draft."""
    event = event_of(ana, is_automatic=False, admits=Event.Admits.PEOPLE, rounds_total=3)
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    return event


@pytest.fixture
def running(drafted: Event, ana: User) -> Event:
    """The first round is being played."""
    publication.publish_round(event_id=drafted.pk, actor=ana)
    drafted.refresh_from_db()
    return drafted
