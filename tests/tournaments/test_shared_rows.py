"""Rows that a file makes once are new to each of its tests, in the database and as objects."""

from __future__ import annotations

import pytest

from tests.tournaments import shared_rows
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.shared_rows import EventRows
from tournaments.models import Event, Player, User

_EVENTS: list[Event] = []


def _event(ana: User, bots: list[Player]) -> Event:
    event = event_of(ana, name="As it was")
    enter(event, *bots)
    _EVENTS.append(event)
    return event


rows_of_file = shared_rows.of_bots(["Uno", "Dos"], _event)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


@pytest.mark.parametrize("attempt", [1, 2])
def test_what_a_test_changes_is_put_back_for_the_next(event: Event, attempt: int) -> None:
    row = Event.objects.get()
    assert (row.name, event.name, row.entries.count()) == ("As it was", "As it was", 2)
    event.name = f"Changed {attempt}"
    event.save()
    event.entries.all()[0].delete()


@pytest.mark.parametrize("attempt", [1, 2])
def test_the_rows_are_made_once_and_belong_together(
    event: Event, ana: User, rows: EventRows, attempt: int
) -> None:
    (first,) = _EVENTS
    assert event == first
    assert event is not first
    assert event is rows.event
    assert event.organiser is ana
