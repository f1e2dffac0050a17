"""A desk at which entries can be closed: run by `test_new_action.py` in its copy of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.api.conftest import program_of
from tests.tournaments.conftest import event_of

if TYPE_CHECKING:
    from tournaments.models import Event, User


@pytest.fixture
def event(ana: User) -> Event:
    return event_of(ana)


def _close(event: Event, user: User) -> str:
    """Press the button, and return the text of the next page."""
    address = reverse("event-act", args=[event.slug])
    answer = pages.member(user).post(address, {"action": "close-entries"}, follow=True)
    return pages.text_of(answer.content)


def _log(event: Event, language: str = "en") -> str:
    client = Client(headers={"accept-language": language})
    return pages.text_of(client.get(reverse("event-log", args=[event.slug])).content)


def test_the_desk_has_the_button(event: Event, ana: User) -> None:
    desk = pages.member(ana).get(reverse("event-desk", args=[event.slug]))
    assert "Close the entries" in pages.text_of(desk.content)


def test_the_button_closes_the_entries(event: Event, ana: User) -> None:
    assert "Players can no longer enter." in _close(event, ana)
    event.refresh_from_db()
    assert event.registration_closes_at is not None


def test_others_are_refused(event: Event, ben: User) -> None:
    _close(event, ben)
    event.refresh_from_db()
    assert event.registration_closes_at is None


def test_the_api_closes_them_too(event: Event, ana: User) -> None:
    program = program_of(ana, "events:write")
    answer = program("POST", f"/events/{event.slug}/steps", {"step": "close-entries"})
    assert answer.json()["settings"]["registration_closes_at"] is not None


def test_the_log_tells_it(event: Event, ana: User) -> None:
    _close(event, ana)
    assert "The entries are closed." in _log(event)
    assert "参加登録が締め切られました。" in _log(event, "ja")


def test_the_log_undoes_it(event: Event, ana: User) -> None:
    _close(event, ana)
    action = event.audit.get(action="close-entries")
    undo = reverse("event-undo", args=[event.slug, action.pk])
    pages.member(ana).post(undo, {"reason": "Too early."})
    event.refresh_from_db()
    assert event.registration_closes_at is None
