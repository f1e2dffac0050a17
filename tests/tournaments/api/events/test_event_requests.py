"""Events by the API: refusals and their places, dry runs, large fields, and hostile requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.apps import apps
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournaments import large_events
from tests.tournaments.api.conftest import PASSWORD, Program, program_of
from tests.tournaments.api.event_world import NAMES, EventWorld
from tests.tournaments.api.test_hostile_requests import ANYTHING, names_of
from tournaments import tasks
from tournaments.api import openapi
from tournaments.api.v1 import v1
from tournaments.models import Event, Game, User
from tournaments.queries.arbiter import round_verification
from tournaments.queries.results import pairing_input
from tournaments.services import enqueue
from tournaments.services.games import play
from tournaments.services.results import computations
from tournaments.services.rounds import lifecycle

_ROWS = {row["operationId"]: (m, row) for m, _, row in openapi.operations(openapi.document(v1))}
_EVENT_NAMES = sorted(
    name
    for name, (_, row) in _ROWS.items()
    if "/events" in row["x-example"]["path"] or name in {"game-act", "game-correct"}
)
_DRY = sorted(
    name
    for name in _EVENT_NAMES
    if any(each["name"] == "dry_run" for each in _ROWS[name][1]["parameters"])
)


def _filled(path: str, values: dict[str, str]) -> str:
    for name in sorted(values, key=len, reverse=True):
        path = path.replace(f"${name}", values[name])
    return path


def _counts() -> dict[str, object]:
    """Every row of every table, but for counts of requests and the last use of tokens."""
    skipped = {"Throttle", "AccessToken"}
    return {
        model.__name__: list(model._base_manager.order_by("pk").values())
        for model in apps.get_app_config("tournaments").get_models()
        if model.__name__ not in skipped
    }


@pytest.mark.long
def test_there_are_dry_runs() -> None:
    assert {"event-create", "event-change", "round-draft", "round-edit", "game-correct"} <= set(
        _DRY
    )


@pytest.mark.long
def test_no_dry_run_changes_anything(ana: User, values_of: Callable[[str], dict[str, str]]) -> None:
    program = program_of(ana)
    for name in _DRY:
        method, row = _ROWS[name]
        path = _filled(row["x-example"]["path"].partition("?")[0], values_of(name))
        before = _counts()
        response = program(
            method.upper(),
            f"{path}?dry_run=true",
            raw=row["x-example"]["body"].encode(),
            **{"If-Match": "*"},
        )
        assert response.status_code in {200, 201}, (name, response.content)
        assert _counts() == before, name


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"ruleset": "morlox"}, "invalid", "#/name"),
        ({"name": "A", "ruleset": "chess"}, "ruleset-bad", "#/ruleset"),
        ({"name": "A", "ruleset": "morlox", "clock": "x"}, "clock-bad", "#/clock"),
        ({"name": "A", "ruleset": "morlox", "clock": "10+0"}, "clock-short", "#/clock"),
        ({"name": "A", "ruleset": "morlox", "format": "x"}, "format-bad", "#/format"),
        ({"name": "A", "ruleset": "morlox", "rounds_total": 31}, "invalid", "#/rounds_total"),
        ({"name": "A", "ruleset": "morlox", "win_halves": 0}, "points-bad", "#/win_halves"),
        ({"name": "A", "ruleset": "morlox", "tie_breaks": ["X"]}, "tie-breaks-bad", "#/tie_breaks"),
        (
            {"name": "A", "ruleset": "morlox", "is_private": True},
            "access-code-bad",
            "#/access_code",
        ),
        ({"name": "A", "ruleset": "morlox", "starts_at": "now"}, "invalid", "#/starts_at"),
        (
            {"name": "A", "ruleset": "morlox", "is_over_the_board": True, "is_rated": True},
            "board-event-bad",
            "#/is_over_the_board",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_no_event_can_be_is_named_with_its_place(
    ana: User, body: object, code: str, pointer: str
) -> None:
    before = Event.objects.count()
    response = program_of(ana)("POST", "/events", body)
    answer = response.json()
    assert (response.status_code, answer["code"]) == (422, code), answer
    assert [each["pointer"] for each in answer["errors"]] == [pointer]
    assert Event.objects.count() == before


def test_an_event_is_made_with_its_entries_or_not_at_all(ana: User) -> None:
    program, before = program_of(ana), Event.objects.count()
    event = {"name": "Club evening", "ruleset": "morlox", "is_over_the_board": True}
    entries = {"text": "Name;Elo\nAlba;1900\nBruno;1800", "listed": [{"name": "Celia"}]}
    dry = program("POST", "/events?dry_run=true", {**event, "entries": entries})
    assert (dry.status_code, Event.objects.count()) == (201, before)
    answer = program("POST", "/events", {**event, "entries": entries})
    names = [
        each["player"]["name"]
        for each in program("GET", f"/events/{answer.json()['slug']}/entries").json()["items"]
    ]
    assert sorted(names) == ["Alba", "Bruno", "Celia"]
    faulty = {**entries, "text": "Name;Elo\nAlba;1900\n;1800"}
    answer = program("POST", "/events", {**event, "entries": faulty})
    assert (answer.status_code, answer.json()["code"]) == (422, "form-bad")
    assert Event.objects.count() == before + 1


def test_a_change_is_of_what_was_read(ana: User, event_world: EventWorld) -> None:
    program, path = program_of(ana), f"/events/{event_world.registering.slug}"
    tag = program("GET", path)["ETag"]
    assert program("PATCH", path, {"name": "B"}).status_code == 428
    assert program("PATCH", path, {"name": "B"}, **{"If-Match": tag}).status_code == 200
    assert program("PATCH", path, {"name": "C"}, **{"If-Match": tag}).status_code == 412


def test_a_result_changes_the_tag_of_its_round_and_not_that_of_the_event(
    ana: User, event_world: EventWorld
) -> None:
    program, path = program_of(ana), f"/events/{event_world.open.slug}"
    tag, round_before = program("GET", path)["ETag"], program("GET", f"{path}/rounds/1")
    assert round_before.json()["missing"] == 0
    result = {"result": None, "before": "first"}
    assert program("PUT", f"{path}/rounds/1/boards/1/result", result).status_code == 200
    round_after = program("GET", f"{path}/rounds/1")
    assert round_after.json()["missing"] == 1
    assert round_after["ETag"] != round_before["ETag"]
    assert program("GET", path, **{"If-None-Match": tag}).status_code == 304
    change = program("PATCH", path, {"description": "In room 2."}, **{"If-Match": tag})
    assert change.status_code == 200
    assert program("GET", path)["ETag"] != tag


def test_the_end_of_a_game_leaves_the_tag_of_its_event(
    ana: User, ben: User, event_world: EventWorld
) -> None:
    path = f"/events/{event_world.online.slug}"
    tags = [program_of(user)("GET", path)["ETag"] for user in (ana, ben)]
    game = Game.objects.get(pairing__event=event_world.online)
    play.resign(game_id=game.pk, player=ben.player)
    assert [program_of(user)("GET", path)["ETag"] for user in (ana, ben)] == tags


def test_a_setting_that_matters_already_stays(ana: User, event_world: EventWorld) -> None:
    path = f"/events/{event_world.open.slug}"
    response = program_of(ana)("PATCH", path, {"format": "swiss"}, **{"If-Match": "*"})
    assert (response.status_code, response.json()["code"]) == (409, "setting-fixed")


def test_an_unknown_game_is_no_setting(ana: User, event_world: EventWorld) -> None:
    path = f"/events/{event_world.registering.slug}"
    response = program_of(ana)("PATCH", path, {"ruleset": "no-game"}, **{"If-Match": "*"})
    assert (response.status_code, response.json()["code"]) == (422, "ruleset-bad")


def test_a_list_with_a_fault_is_entered_whole_or_not_at_all(
    ana: User, event_world: EventWorld
) -> None:
    program, path = program_of(ana), f"/events/{event_world.empty.slug}/entries"
    body = {"text": "Egon Falk; 1800\nFay Gold; tall"}
    dry = program("POST", f"{path}?dry_run=true", body).json()
    assert [line["fault"] for line in dry["lines"]] == [None, "rating"]
    assert program("POST", path, body).status_code == 422
    assert event_world.empty.entries.count() == len(NAMES)


def test_roles_of_the_staff_are_those_of_the_pages(
    ana: User, ben: User, event_world: EventWorld
) -> None:
    helper, organiser = program_of(ben), program_of(ana)
    path = f"/events/{event_world.open.slug}"
    result = f"{path}/rounds/1/boards/1/result"
    assert helper("PUT", result, {"result": "draw"}).status_code == 403
    member = organiser("POST", f"{path}/staff", {"name": "Ben", "role": "results"}).json()
    assert helper("PUT", result, {"result": "draw"}).status_code == 200
    assert helper("POST", f"{path}/rounds/1/take-back", {"reason": "x"}).status_code == 403
    assert helper("GET", path).json()["own"]["tasks"] == ["results"]
    organiser("DELETE", f"{path}/staff/{member['id']}")
    assert helper("PUT", result, {"result": "first"}).status_code == 403


def test_players_need_another_scope_than_organisers(
    ana: User, ben: User, event_world: EventWorld
) -> None:
    path = f"/events/{event_world.empty.slug}"
    player = program_of(ben, "events:enter")
    assert player("POST", f"{path}/enter", {}).json()["state"] == "active"
    assert player("POST", f"{path}/byes", {"round": 2}).json()["byes"][0]["kind"] == "half"
    assert player("DELETE", f"{path}/byes/2").status_code == 204
    assert player("POST", f"{path}/leave", {}).json()["state"] == "withdrawn"
    assert player("POST", "/events", {"name": "A", "ruleset": "morlox"}).status_code == 403
    organiser = program_of(ana, "events:write")
    assert organiser("POST", f"{path}/enter", {}).status_code == 403


def test_an_account_that_does_not_play_writes_no_line(event_world: EventWorld) -> None:
    clerk = User.objects.create_user("clerk", password=PASSWORD)
    path = f"/events/{event_world.registering.slug}/chat"
    answer = program_of(clerk)("POST", path, {"text": "Good luck!"})
    assert (answer.status_code, answer.json()["code"]) == (403, "account-needed")


@pytest.mark.long
def test_prizes_are_given_by_the_standings(ana: User, event_world: EventWorld) -> None:
    program, path = program_of(ana), f"/events/{event_world.open.slug}"
    assert program("GET", f"{path}/prizes").status_code == 404
    program("PUT", f"{path}/prizes/rules", {"currency": "eur", "rounding": 100})
    division = {"total": 10_000, "percents": [60, 40]}
    assert program("PUT", f"{path}/prizes/division", division).status_code == 200
    body = program("POST", f"{path}/prizes", {"kind": "people", "words": "a book"}).json()
    assert body["currency"] == "EUR"
    assert [each["amount"] for each in body["prizes"]] == [6_000, 4_000, 0]
    book = body["prizes"][-1]["id"]
    assert program("DELETE", f"{path}/prizes/{book}").status_code == 204
    assert program("POST", f"{path}/prizes/award").json()["code"] == "not-finished"
    program("POST", f"{path}/rounds/1/close")
    program("POST", f"{path}/steps", {"step": "finish"})
    awards = program("POST", f"{path}/prizes/award").json()
    assert sum(each["amount"] for each in awards["awards"]) == 10_000
    assert awards["confirmed_at"]


def test_an_entry_of_a_list_becomes_an_accounts(
    ana: User, ben: User, event_world: EventWorld
) -> None:
    organiser, path = program_of(ana), f"/events/{event_world.empty.slug}"
    entry = organiser("GET", f"{path}/entries").json()["items"][0]["entry"]
    claim = program_of(ben)("POST", f"{path}/entries/{entry}/claim").json()
    assert organiser("GET", f"{path}/claims").json()["items"] == [claim]
    answer = organiser("POST", f"{path}/claims/{claim['id']}/answer", {"is_accepted": True})
    assert answer.json()["state"] == "accepted"
    row = organiser("GET", f"{path}/entries/{entry}").json()
    assert row["player"]["id"] == ben.player.pk


@pytest.mark.long
def test_the_arbiter_acts_in_games(ana: User, ben: User, event_world: EventWorld) -> None:
    arbiter = program_of(ana, "events:write")
    board = arbiter("GET", f"/events/{event_world.online.slug}/rounds/1").json()["boards"][0]
    path = f"/games/{board['games'][0]['id']}/acts"
    reason = {"reason": "The light went out."}
    assert program_of(ben)("POST", path, {"act": "resume"}).json()["code"] == "not-organiser"
    before = arbiter("GET", f"/games/{board['games'][0]['id']}").json()["turn"]["first_ms"]
    more = arbiter("POST", path, {"act": "add-time", "seconds": 60, **reason}).json()
    assert more["turn"]["first_ms"] > before
    assert arbiter("POST", path, {"act": "stop", **reason}).json()["turn"]["is_stopped"]
    assert not arbiter("POST", path, {"act": "resume"}).json()["turn"]["is_stopped"]
    assert arbiter("POST", path, {"act": "decide", "result": "draw"}).json()["code"] == "reason-bad"
    decision = {"act": "decide", "result": "first-forfeit", **reason}
    assert arbiter("POST", path, decision).json()["result"] == "first-forfeit"
    replayed = arbiter("POST", path, {"act": "replay", **reason}).json()
    assert (replayed["result"], replayed["ply"]) == (None, 0)


def test_a_large_field_is_drafted_by_a_worker(
    ana: User, event_world: EventWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_input, "LARGE_FIELD", 3)
    program, path = program_of(ana), f"/events/{event_world.between.slug}"
    response = program("POST", f"{path}/rounds", {"number": 2})
    assert (response.status_code, response.json()["round"]) == (202, None)
    assert response["Location"] == f"/api/v1{path}/rounds/2"
    assert program("GET", path).json()["is_being_paired"]
    lifecycle.advance_event(event_world.between.pk)
    assert program("GET", f"{path}/rounds/2").json()["state"] == "draft"


def test_a_large_round_is_paired_again_for_its_staff_alone(
    anybody: Program, ana: User, event_world: EventWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/events/{event_world.open.slug}/rounds/1/verification"
    assert anybody("GET", path).json()["is_confirmed"]
    monkeypatch.setattr(round_verification, "LARGE_FIELD", 3)
    assert anybody("GET", path).status_code == 403
    assert program_of(ana)("GET", path).json()["is_confirmed"]


@pytest.mark.long
def test_what_is_dear_of_a_large_event_is_computed_by_a_worker(
    anybody: Program, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computations, "LARGE", 20)
    sent: list[int] = []
    monkeypatch.setattr(enqueue, "computation", sent.append)
    event = large_events.published(30, "Large")
    root = f"/events/{event.slug}"
    for path in (
        f"{root}/standings",
        f"{root}/rounds/1/boards/1/explanation",
        f"{root}/export/json",
    ):
        first = anybody("GET", path)
        assert (first.status_code, first["Retry-After"]) == (202, "2"), (path, first.content)
        assert first["Location"] == f"/api/v1{path}"
        assert len(sent) == 1
        while sent:
            tasks.compute(sent.pop())
        assert anybody("GET", path).status_code == 200, path


@settings(
    max_examples=5 * settings().max_examples,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
@pytest.mark.long
def test_no_request_about_an_event_breaks_the_service(
    ana: User, values_of: Callable[[str], dict[str, str]], data: Any
) -> None:
    name = data.draw(st.sampled_from(_EVENT_NAMES))
    method, row = _ROWS[name]
    values = values_of(name)
    for variable in ("NUMBER", "BOARD", "ENTRY", "ACTION"):
        if data.draw(st.booleans()):
            values[variable] = str(data.draw(st.sampled_from([0, 1, 2**31, 2**63, 10**30])))
    body: object = None
    if method != "get":
        members = {
            member: data.draw(ANYTHING) for member in names_of(row) if data.draw(st.booleans())
        }
        body = data.draw(st.sampled_from([members, data.draw(ANYTHING)]))
    query = "&".join(
        f"{each['name']}={quote(str(data.draw(ANYTHING)).encode('utf-8', 'surrogatepass'))}"
        for each in row["parameters"]
        if each["in"] == "query" and data.draw(st.booleans())
    )
    path = _filled(row["x-example"]["path"].partition("?")[0], values)
    with transaction.atomic():
        response = program_of(ana)(method.upper(), f"{path}?{query}", body, **{"If-Match": "*"})
        transaction.set_rollback(True)
    assert response.status_code < 500, (name, body, response.content)
