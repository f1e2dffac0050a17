"""Open events on lists: which can be joined, in which order, and their times."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments import database_time
from tournaments.models import Event, Player, User
from tournaments.queries.events import open_events
from tournaments.services.events import entries
from tournaments.services.rounds import lifecycle


def _rows() -> list[open_events.OpenEvent]:
    events = open_events.with_playing(Event.objects.all())
    return open_events.rows(events, database_time.now())


def _enter(event: Event, *players: Player) -> None:
    for player in players:
        assert player.user is not None
        entries.enter(event_id=event.pk, player=player, actor=player.user)


@pytest.mark.parametrize(
    ("settings", "is_joinable"),
    [
        pytest.param({}, True, id="registration"),
        pytest.param({"admits": "bots"}, False, id="bots only"),
        pytest.param({"max_entries": 2}, False, id="full"),
        pytest.param({"max_entries": 2, "has_waiting_list": True}, True, id="waiting list"),
        pytest.param({"access_code": "soup"}, True, id="access code"),
    ],
)
def test_people_may_join_an_event_that_takes_them_and_has_a_place(
    ana: User, ben: User, settings: dict[str, Any], is_joinable: bool
) -> None:
    event = event_of(ana, **settings)
    for player in (ana.player, ben.player):
        event.entries.create(player=player, entered_at=event.created_at)
    assert [row.is_joinable for row in _rows()] == [is_joinable]


def test_an_event_cannot_be_joined_after_the_end_of_registration(ana: User) -> None:
    event = event_of(ana)
    Event.objects.filter(pk=event.pk).update(
        registration_closes_at=database_time.now() - timedelta(minutes=1)
    )
    assert [row.is_joinable for row in _rows()] == [False]


def test_a_running_swiss_can_be_joined_in_its_first_half(ana: User, ben: User) -> None:
    event = event_of(ana, rounds_total=1)
    longer = event_of(ana, rounds_total=3, format="swiss")
    for each in (event, longer):
        _enter(each, ana.player, ben.player)
        lifecycle.start_event(event_id=each.pk, actor=ana)
    rows = {row.event.pk: row for row in _rows()}
    assert [rows[each.pk].is_joinable for each in (event, longer)] == [False, True]
    assert rows[longer.pk].round_number == 1
    assert rows[longer.pk].next_round_at is None


def test_events_to_join_come_first_in_the_order_of_their_times(ana: User, ben: User) -> None:
    now = database_time.now()
    running = event_of(ana, name="running", format="swiss")
    _enter(running, ana.player, ben.player)
    event_of(ana, name="bots", admits="bots")
    event_of(ana, name="no time")
    for name, days in (("soon", 1), ("later", 2)):
        event_of(ana, name=name, starts_at=now + timedelta(days=days))
    lifecycle.start_event(event_id=running.pk, actor=ana)
    assert [row.event.name for row in _rows()] == ["running", "soon", "later", "no time", "bots"]


@pytest.mark.long
def test_an_event_that_is_not_listed_is_on_no_list_but_at_its_address(ana: User) -> None:
    event = event_of(ana, name="Measurement", is_listed=False)
    for client in (Client(), pages.member(ana)):
        assert "Measurement" not in client.get(reverse("events")).content.decode()
        assert client.get(event.get_absolute_url()).status_code == 200
    assert "Measurement" not in Client().get("/").content.decode()
    assert "Measurement" in pages.member(ana).get("/").content.decode()  # she runs it
    assert Client().get("/api/v1/events?q=Measure").json()["items"] == []
