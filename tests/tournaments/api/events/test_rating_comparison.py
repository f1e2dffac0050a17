"""The comparison of entries with rating lists by the API."""

from __future__ import annotations

import io

import pytest

from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.api.event_world import board_event, start
from tournaments.models import Event, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.events import listed_players, rating_lists

LIST = "Name;Fide_No;Elo\nAlba;101;{alba}\nBea;102;1900\n"


def store(alba: int) -> None:
    rating_lists.replace(name="FIDE", stream=io.BytesIO(LIST.format(alba=alba).encode()))


@pytest.fixture
def event(ana: User) -> Event:
    """An event that began with the ratings of the list."""
    store(2050)
    event = board_event(ana, "Evening", listed=())
    listed = [
        ListedPlayer("Alba", 2000, fide_id="101"),
        ListedPlayer("Bea", 1900, fide_id="102"),
        ListedPlayer("Cid", 1800),
    ]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=listed)
    start(event, ana)
    return event


@pytest.fixture
def staff(ana: User) -> Program:
    return program_of(ana)


def values(answer: dict) -> list[tuple[object, ...]]:
    return [
        (each["player"]["name"], each["field"], each["own"], each["listed"])
        for each in answer["differences"]
    ]


@pytest.mark.long
def test_differences_are_listed_and_chosen_ones_are_stored(staff: Program, event: Event) -> None:
    path = f"/events/{event.slug}/rating-comparison"
    before = staff("GET", path).json()
    assert (before["rating_list"], before["due"]) == ("FIDE", [])
    assert values(before) == [("Alba", "rating_elo", 2000, 2050)]
    assert [each["player"]["name"] for each in before["unknown"]] == ["Cid"]
    body = {"rating_list": "FIDE", "codes": [before["differences"][0]["code"]], "from_round": 2}
    assert values(staff("POST", path, body).json()) == []
    alba = event.entries.get(player__name="Alba")
    entry = staff("GET", f"/events/{event.slug}/entries/{alba.pk}").json()
    assert [(each["from_round"], each["rating"]) for each in entry["later_ratings"]] == [(2, 2050)]
    assert (entry["listed_elo"], entry["rating_source"]) == (2000, "")
    assert (entry["official_elo"], entry["official_list"][:6]) == (2050, "FIDE, ")
    assert staff("POST", path, body).json()["code"] == "rating-list-changed"
    assert staff("GET", f"{path}?rating_list=FEDA").status_code == 404


def test_a_later_list_is_due_and_that_of_the_start_stays(staff: Program, event: Event) -> None:
    path = f"/events/{event.slug}/rating-comparison"
    store(2060)
    assert staff("GET", path).json()["due"] == ["FIDE"]
    at_start = staff("GET", f"{path}?is_start=true").json()
    assert values(at_start) == [("Alba", "rating_elo", 2000, 2050)]
    assert at_start["rating_list"] == ""
