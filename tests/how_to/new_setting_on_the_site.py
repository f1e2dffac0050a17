"""A visit to a site whose events have a venue: run by `test_new_setting.py` in its copy of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of
from tournaments.forms.events import EventForm

if TYPE_CHECKING:
    from tournaments.models import Event, User


@pytest.fixture
def event(ana: User) -> Event:
    """Return an event whose organiser changes the venue by the form."""
    event = event_of(ana)
    initial = {**EventForm.initial_of(event), "venue": "Casa Morelli"}
    data = {
        name: value for name, value in initial.items() if value is not None and value is not False
    }
    address = reverse("event-settings", args=[event.slug])
    pages.member(ana).post(address, {**data, "confirm": "1"})
    event.refresh_from_db()
    return event


def _page(event: Event, name: str, language: str = "en") -> str:
    client = Client(headers={"accept-language": language})
    return pages.text_of(client.get(reverse(name, args=[event.slug])).content)


def test_the_form_changes_it(event: Event) -> None:
    assert vars(event)["venue"] == "Casa Morelli"


def test_the_overview_shows_it(event: Event) -> None:
    assert "Venue Casa Morelli" in _page(event, "event")
    assert "会場 Casa Morelli" in _page(event, "event", "ja")


def test_the_log_shows_the_change(event: Event) -> None:
    assert "Settings changed: Venue: – → Casa Morelli." in _page(event, "event-log")
    assert "会場" in _page(event, "event-log", "ja")


def test_the_api_has_it(event: Event) -> None:
    answer = Client().get(f"/api/v1/events/{event.slug}").json()
    assert answer["settings"]["venue"] == "Casa Morelli"
