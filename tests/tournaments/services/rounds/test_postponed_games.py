"""Postponed games online: the round closes without them, and they end the event."""

from __future__ import annotations

import pytest

from tests.tournaments.conftest import enter, event_of
from tournaments.models import Event, Game, Player, Round, User
from tournaments.queries.results import tables
from tournaments.services.arbiter import results
from tournaments.services.games import play
from tournaments.services.notifications import news
from tournaments.services.rounds import lifecycle

pytestmark = pytest.mark.long


def test_a_game_that_is_still_played_may_outlast_its_round(people: list[Player], ana: User) -> None:
    event = event_of(ana, format="round-robin", rounds_total=3, is_automatic=True)
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    slow = Game.objects.filter(pairing__round__number=1).order_by("pairing__board")[0]
    assert slow.pairing is not None
    results.postpone(event_id=event.pk, actor=ana, round_number=1, board=slow.pairing.board)
    for number in (1, 2, 3):
        for game in Game.objects.ongoing().filter(pairing__round__number=number):
            if game.pk != slow.pk:
                play.resign(game_id=game.pk, player=game.first)
        lifecycle.advance_event(event.pk)
        assert event.rounds.get(number=number).state == Round.State.CLOSED
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    assert {row.points_halves % 2 for row in tables.event_table(event).rows} == {0, 1}
    assert _news(event)[-1] == "closed"
    play.resign(game_id=slow.pk, player=slow.first)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert {row.points_halves % 2 for row in tables.event_table(event).rows} == {0}
    # Open pages of the event show its end. No round closes with it.
    assert _news(event)[-2:] == ["result", "finished"]


def _news(event: Event) -> list[str]:
    return [item.kind for item in news.after(news.of_event(event.pk), 0)]
