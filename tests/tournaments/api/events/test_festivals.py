"""Festivals by the API: created, filled, read with obstacles, entered, changed and deleted."""

from __future__ import annotations

import pytest

from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.festival_events import festival_of, finished_festival, give_prize
from tests.tournaments.series_events import play_round, registered
from tournaments.models import Event, Festival, User


@pytest.mark.long
def test_a_program_makes_a_festival_of_two_sections(anybody: Program, ana: User, ben: User) -> None:
    program = program_of(ana)
    created = program("POST", "/festivals", {"name": "Weekend"})
    assert (created.status_code, created["Location"]) == (201, "/api/v1/festivals/weekend")
    assert anybody("GET", "/festivals/weekend").status_code == 404
    for name in ("Open B", "Open A"):
        event = registered(ana, name)
        program("POST", "/festivals/weekend/acts", {"act": "add", "event": event.slug})
    act = {"act": "earlier", "event": "open-a"}
    sections = program("POST", "/festivals/weekend/acts", act).json()["sections"]
    assert [each["slug"] for each in sections] == ["open-a", "open-b"]
    assert anybody("GET", "/events/open-a").json()["festival"] == "weekend"
    assert anybody("GET", "/festivals").json()["items"][0]["name"] == "Weekend"
    deputy = {"act": "deputy", "name": ben.player.name}
    assert program("POST", "/festivals/weekend/acts", deputy).status_code == 200
    assert ben.staff_roles.count() == 2


def test_a_program_reads_why_it_cannot_enter_a_section(ana: User, ben: User) -> None:
    _, (a, b) = festival_of(ana, 0, 0)
    Event.objects.filter(pk=a.pk).update(min_centielo=180_000)
    program = program_of(ben)
    sections = program("GET", "/festivals/weekend").json()["sections"]
    assert [each["obstacle"] for each in sections] == ["rating-low", None]
    entry = program("POST", f"/events/{b.slug}/enter", {}).json()
    sections = program("GET", "/festivals/weekend").json()["sections"]
    assert [each["obstacle"] for each in sections] == ["section-entered"] * 2
    assert [each["entry"] for each in sections] == [None, entry["entry"]]
    Event.objects.filter(pk=a.pk).update(min_centielo=None)
    refused = program("POST", f"/events/{a.slug}/enter", {})
    assert (refused.status_code, refused.json()["code"]) == (422, "section-entered")


@pytest.mark.long
def test_a_program_moves_a_player(ana: User) -> None:
    _, (a, b) = festival_of(ana, 2, 0)
    entry = a.entries.order_by("pk")[0]
    path = f"/events/{a.slug}/entries/{entry.pk}/acts"
    answer = program_of(ana)("POST", path, {"act": "move", "section": b.slug})
    assert (answer.status_code, answer.json()["entry"]) == (200, entry.pk)
    assert b.entries.filter(pk=entry.pk).exists()


@pytest.mark.long
def test_a_round_has_the_number_of_its_first_board(anybody: Program, ana: User) -> None:
    _, events = festival_of(ana, 4, 4)
    for event in events:
        play_round(event)
    rounds = [anybody("GET", f"/events/{event.slug}/rounds/1").json() for event in events]
    assert [each["first_board"] for each in rounds] == [1, 3]
    assert [board["board"] for board in rounds[1]["boards"]] == [1, 2]


@pytest.mark.long
def test_a_change_keeps_what_it_does_not_name(ana: User) -> None:
    program = program_of(ana)
    program("POST", "/festivals", {"name": "Weekend", "description": "Two days"})
    change = {"has_continuous_boards": False}
    answer = program("PATCH", "/festivals/weekend", change, If_Match="*").json()
    assert (answer["name"], answer["description"], answer["has_continuous_boards"]) == (
        "Weekend", "Two days", False,
    )  # fmt: skip
    assert program("DELETE", "/festivals/weekend").status_code == 204
    assert not Festival.objects.filter(slug="weekend").exists()


@pytest.mark.long
def test_a_program_awards_the_prizes_of_a_festival(ana: User) -> None:
    festival, (a, _) = finished_festival(ana)
    give_prize(a, 50)
    program, path = program_of(ana), f"/festivals/{festival.slug}/prizes"
    assert program("GET", path).status_code == 404
    program("PATCH", f"/festivals/{festival.slug}", {"prizes_by": "points"}, **{"If-Match": "*"})
    program("POST", path, {"amount": 200})
    answer = program("POST", path, {"amount": 40, "kind": "sex", "text": "w"}).json()
    won = [(each["event"], each["number"], each["amount"]) for each in answer["awards"]]
    # The first woman of section A wins the larger prize of that section.
    assert won == [("weekend-a", 1, 200), ("weekend-b", 2, 40)]
    last = answer["prizes"][-1]["id"]
    assert program("DELETE", f"{path}/{last}").status_code == 204
    assert program("POST", f"{path}/award").json()["confirmed_at"] is not None
    assert program("DELETE", f"{path}/award").status_code == 204
    assert program("GET", path).json()["confirmed_at"] is None
