"""Reads of events by programs: lists with filters, tables of every format, reasons, forecasts, files."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.api import event_world as events
from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.api.event_world import NAMES, EventWorld
from tests.tournaments.conftest import enter, event_of
from tournaments import trf
from tournaments.models import Event, Forecast, Player, User
from tournaments.services.forecasts import computing


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("q=cup", ["Cup"]),
        ("format=knockout", ["Cup"]),
        ("state=finished", ["Fair A", "Feast A", "Over"]),
        ("state=registration&limit=1", ["Prized"]),
        ("state=cancelled", []),
        ("family=perfect", []),
        ("q=between&state=open&family=morlox", ["Between"]),
    ],
)
def test_lists_have_the_filters_of_the_page(
    anybody: Program, event_world: EventWorld, query: str, names: list[str]
) -> None:
    items = anybody("GET", f"/events?{query}").json()["items"]
    assert [each["name"] for each in items] == names


def test_an_own_list_has_what_one_takes_part_in(ben: User, event_world: EventWorld) -> None:
    items = program_of(ben)("GET", "/events?mine=true").json()["items"]
    assert {each["name"] for each in items} == {"Online", "Later", "Postal", "Reported"}
    own = program_of(ben)("GET", f"/events/{event_world.online.slug}").json()["own"]
    assert own["entry_state"] == "active"
    assert own["tasks"] == []
    games = program_of(ben)("GET", "/me/games").json()["items"]
    assert event_world.online.slug in {each["event"] for each in games}


@pytest.mark.parametrize("world_name", ["online", "over"])
def test_changeable_settings_have_the_names_of_the_settings(
    ana: User, event_world: EventWorld, world_name: str
) -> None:
    event = getattr(event_world, world_name)
    seen = program_of(ana)("GET", f"/events/{event.slug}").json()
    assert seen["own"]["changeable"]
    assert set(seen["own"]["changeable"]) <= set(seen["settings"])


@pytest.mark.parametrize(
    ("event_format", "more"),
    [
        (Event.Format.LEAGUE, {"groups": 2}),
        (Event.Format.GROUPS_KNOCKOUT, {"groups": 2, "qualifiers": 1}),
    ],
)
def test_groups_and_divisions_have_their_tables(
    anybody: Program, ana: User, event_format: str, more: dict[str, Any]
) -> None:
    event = events.board_event(ana, "Sections", format=event_format, **more)
    events.close(event, ana)
    sections = anybody("GET", f"/events/{event.slug}/sections").json()["items"]
    assert sorted(each["number"] for each in sections) == [1, 2]
    assert sum(len(each["rows"]) for each in sections) == 4


@pytest.mark.long
def test_a_knock_out_has_its_draw(anybody: Program, event_world: EventWorld) -> None:
    rounds = anybody("GET", f"/events/{event_world.draw.slug}/draw").json()["items"]
    assert [len(each["ties"]) for each in rounds] == [2, 1]
    assert rounds[0]["ties"][0]["upper"]["entry"]["player"]["name"] in NAMES
    assert anybody("GET", f"/events/{event_world.open.slug}/draw").status_code == 404


def test_formats_without_common_rounds_have_no_crosstable(
    anybody: Program, bots: list[Player], ana: User
) -> None:
    ladder = event_of(ana, format=Event.Format.LADDER, admits=Event.Admits.BOTS, is_rated=True)
    enter(ladder, *bots[:3])
    events.start(ladder, ana)
    root = f"/events/{ladder.slug}"
    rows = anybody("GET", f"{root}/standings").json()["items"]
    assert [row["rating_elo"] for row in rows] == [None] * 3, "no game has ended"
    assert anybody("GET", f"{root}/crosstable").status_code == 404
    assert anybody("GET", f"{root}/export/trf").status_code == 404
    assert anybody("GET", f"{root}/export/standings").status_code == 200


def test_a_board_answers_why_not_another_opponent(
    anybody: Program, event_world: EventWorld
) -> None:
    root = f"/events/{event_world.open.slug}/rounds/1"
    boards = anybody("GET", root).json()["boards"]
    who, other = boards[0]["first"]["number"], boards[1]["second"]["number"]
    path = f"{root}/boards/1/explanation?who={who}"
    answer = anybody("GET", f"{path}&other={other}").json()["answer"]
    assert (answer["tpn"], answer["opponent"]) == (who, other)
    assert answer["reason"] in {"criterion", "order", "colour", "completion"}
    assert anybody("GET", f"{path}&other=0").json()["answer"]["reason"] == "even"
    stranger = f"{root}/boards/1/explanation?who={other}&other={who}"
    assert anybody("GET", stranger).status_code == 422
    assert anybody("GET", f"{root}/boards/9/explanation").status_code == 404


@pytest.mark.long
def test_a_forecast_is_computed_by_a_worker(anybody: Program, event_world: EventWorld) -> None:
    path = f"/events/{event_world.open.slug}/forecast"
    first = anybody("GET", path)
    assert (first.status_code, first["Location"]) == (202, f"/api/v1{path}")
    assert anybody("GET", path).status_code == 202
    assert computing.compute(Forecast.objects.get().pk)
    answer = anybody("GET", path).json()
    assert (answer["state"], answer["after_round"]) == ("done", 0)
    total = sum(each["win"]["value"] for each in answer["chances"])
    assert total == pytest.approx(1, abs=1e-3), "each is rounded to four digits"
    assert anybody("GET", f"/events/{event_world.over.slug}/forecast").status_code == 404


@pytest.mark.parametrize(
    ("kind", "media_type"),
    [
        ("trf", "text/plain"),
        ("trf-2025", "text/plain"),
        ("trf16", "text/plain"),
        ("json", "application/json"),
        ("zip", "application/zip"),
        ("ics", "text/calendar"),
        ("standings", "text/csv"),
        ("crosstable", "text/csv"),
        ("pairings", "text/csv"),
        ("prizes", "text/csv"),
    ],
)
def test_events_are_exported(
    anybody: Program, event_world: EventWorld, kind: str, media_type: str
) -> None:
    response = anybody("GET", f"/events/{event_world.over.slug}/export/{kind}")
    assert response.status_code == 200
    assert response["Content-Type"].startswith(media_type)
    assert "attachment" in response["Content-Disposition"]
    if media_type == "text/plain":
        assert trf.faults(response.content.decode()) == []


def test_there_are_no_other_files(anybody: Program, event_world: EventWorld) -> None:
    assert anybody("GET", f"/events/{event_world.over.slug}/export/exe").status_code == 404


def test_a_terms_sum_is_its_value(anybody: Program, event_world: EventWorld) -> None:
    root = f"/events/{event_world.between.slug}"
    for row in anybody("GET", f"{root}/standings").json()["items"]:
        opened = anybody("GET", f"{root}/standings/{row['number']}").json()
        assert opened["rank"] == row["rank"]
        for value in opened["values"]:
            counted = [float(each["contribution"]) for each in value["terms"] if not each["cut"]]
            if value["combination"] == "sum":
                assert sum(counted) == float(value["value"]), value
    assert anybody("GET", f"{root}/standings/99").status_code == 404
