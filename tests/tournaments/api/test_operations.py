"""Common rules of all operations: keys, versions, and the table of routes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import games as rules
from tests.tournaments import pages
from tests.tournaments.api.at_once import RUNNERS, at_once
from tests.tournaments.api.conftest import Program, program_of
from tests.tournaments.uploads import GOOD
from tournaments.api import openapi, routes, uploads
from tournaments.api.operations import ROUTES, Operations
from tournaments.api.v1 import v1
from tournaments.models import Bot, Challenge, FormKey, Game, Ply, User
from tournaments.services.accounts import players, tokens


def _operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    rows = openapi.operations(openapi.document(v1))
    return {row["operationId"]: (method, path, row) for method, path, row in rows}


def test_an_operation_has_a_name_of_its_own() -> None:
    assert set(_operations()) == set(ROUTES)
    with pytest.raises(AssertionError, match="two operations"):
        Operations("Nothing").post("/nothing", "game", routes.OPEN, answer=None)


def _address(path: str) -> str:
    return re.sub(r"\{\w+\}", "1", path.removeprefix(openapi.ROOT))


def _body_schema(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    content = row.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        return None
    schema = content["application/json"]["schema"]
    [reference] = schema.get("allOf", [schema])
    schemas: Mapping[str, Any] = openapi.document(v1)["components"]["schemas"]
    body: Mapping[str, Any] = schemas[reference["$ref"].rpartition("/")[2]]
    return body


def _all(*methods: str) -> list[Any]:
    return [
        pytest.param(method, path, row, id=name)
        for name, (method, path, row) in _operations().items()
        if method in methods
    ]


@pytest.mark.parametrize(("method", "path", "row"), _all("get", "post", "put", "patch", "delete"))
@pytest.mark.part(0.3)
def test_an_unknown_parameter_is_refused_by_its_name(
    ana: User, method: str, path: str, row: Any
) -> None:
    raw = None
    headers = {"If-Match": "*"}
    if row["x-example"]["body"].startswith("@"):
        raw, headers["Content-Type"] = b"x", uploads.FILE
    response = program_of(ana)(method.upper(), f"{_address(path)}?playr=3", raw=raw, **headers)
    assert response.status_code == 422
    assert {"detail": "Unknown parameter", "parameter": "playr"} in response.json()["errors"]


@pytest.mark.parametrize(("method", "path", "row"), _all("post", "put", "patch", "delete"))
def test_an_unknown_member_is_refused_with_its_pointer(
    ana: User, method: str, path: str, row: Any
) -> None:
    content = row.get("requestBody", {"content": {"application/json": {"example": {}}}})["content"]
    if "application/json" not in content:
        pytest.skip("reads a file, whose form is tested below")
    body = {**content["application/json"]["example"], "oponent/": 2}
    headers = {"If-Match": "*"}
    response = program_of(ana)(method.upper(), _address(path), body, **headers)
    assert response.status_code == 422
    assert [each["pointer"] for each in response.json()["errors"]] == ["#/oponent~1"]


def test_the_document_closes_every_value_of_a_request() -> None:
    schemas = openapi.document(v1)["components"]["schemas"]
    open_ones, waiting, seen = set(), [], set()
    for _method, _path, row in _operations().values():
        waiting += _names(row.get("requestBody", {}))
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        waiting += _names(schemas[name])
        is_object = schemas[name]["type"] == "object"
        if is_object and schemas[name].get("additionalProperties") is not False:
            open_ones.add(name)
    assert {"NewSuite", "Openings"} <= seen
    assert open_ones == set()


def _names(value: object) -> list[str]:
    return re.findall(r"#/components/schemas/(\w+)", json.dumps(value))


@pytest.mark.parametrize("form", ["", "form"])
def test_an_upload_knows_no_dry_run(ana: User, form: str) -> None:
    path = "/bots/lines?name=Nilo&filename=main.py&families=morlox"
    if form:
        client = Client(raise_request_exception=False)
        token = {"Authorization": f"Bearer {program_of(ana).token}"}
        file = SimpleUploadedFile("main.py", GOOD)
        data = {"file": file, "dry_run": "true"}
        response: Any = client.post(f"/api/v1{path}", data, headers=token)
    else:
        headers = {"Content-Type": uploads.FILE}
        response = program_of(ana)("POST", f"{path}&dry_run=true", raw=GOOD, **headers)
    assert response.status_code == 422
    assert [each["parameter"] for each in response.json()["errors"]] == ["dry_run"]
    assert not Bot.objects.exists()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        pytest.param(method, path, id=name)
        for name, (method, path, row) in _operations().items()
        if (schema := _body_schema(row)) is not None and not schema.get("required")
    ],
)
def test_no_body_is_an_empty_one_where_nothing_is_required(
    ana: User, method: str, path: str
) -> None:
    program = program_of(ana)
    bodies: list[dict[str, str] | None] = [{}, None]
    answers = [
        program(method.upper(), _address(path), body, **{"If-Match": "*"}) for body in bodies
    ]
    # In most cases event or bot 1 does not exist, so that the body alone has been read.
    assert answers[0].status_code == answers[1].status_code
    first, second = ({**answer.json(), "request_id": ""} for answer in answers)
    assert first == second


def test_whatever_changes_something_asks_for_a_scope() -> None:
    open_to_all = {name for name, route in ROUTES.items() if route.scope is None}
    changing = {name for name, (method, _, _) in _operations().items() if method != "get"}
    assert open_to_all & changing == {"position"}, "which stores nothing"


def test_every_operation_is_limited_by_account_and_by_network() -> None:
    kinds = {name: {limit.by.value for limit in route.limits} for name, route in ROUTES.items()}
    assert {name for name, by in kinds.items() if by != {"account", "network"}} == set()


def _challenge(program: Program, key: str = "", clock: str = "300+5") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return program("POST", "/challenges", {"ruleset": "morlox", "clock": clock}, **headers)


def test_a_key_is_one_effect_and_one_answer(ana: User) -> None:
    program = program_of(ana)
    answers = [_challenge(program, "a key") for _ in range(10)]
    assert [each.status_code for each in answers] == [201] * 10
    assert len({each.content for each in answers}) == 1
    assert {each["Location"] for each in answers} == {answers[0]["Location"]}
    assert ["Idempotency-Replayed" in each for each in answers] == [False] + [True] * 9
    assert Challenge.objects.count() == 1


def test_a_key_with_another_body_is_refused(ana: User) -> None:
    program = program_of(ana)
    _challenge(program, "a key")
    response = _challenge(program, "a key", "600+5")
    assert (response.status_code, response.json()["code"]) == (422, "key-used")


def test_a_key_is_its_accounts_own(ana: User, ben: User) -> None:
    assert _challenge(program_of(ana), "a key").status_code == 201
    assert _challenge(program_of(ben), "a key", "600+5").status_code == 201


def test_what_was_refused_leaves_its_key(ana: User) -> None:
    program = program_of(ana)
    assert _challenge(program, "a key", "nonsense").status_code == 422
    assert not FormKey.objects.exists()
    assert _challenge(program, "a key").status_code == 201


def test_a_dry_run_answers_and_changes_nothing(ana: User) -> None:
    body = {"ruleset": "morlox", "clock": "300+5"}
    response = program_of(ana)("POST", "/challenges?dry_run=true", body)
    assert (response.status_code, response.json()["state"]) == (201, "open")
    assert not Challenge.objects.exists()


def test_what_has_not_changed_is_not_sent_again(anybody: Program, game: Game) -> None:
    first = anybody("GET", f"/games/{game.pk}")
    again = anybody("GET", f"/games/{game.pk}", **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    other = anybody("GET", f"/games/{game.pk}", **{"If-None-Match": '"other"'})
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("tag", "status"), [(None, 428), ('"other"', 412), ("*", 200), ("garbage", 412)]
)
def test_a_change_is_of_what_was_read(ana: User, tag: str | None, status: int) -> None:
    headers = {} if tag is None else {"If-Match": tag}
    response = program_of(ana)("PATCH", "/me", {"email_turns": False}, **headers)
    assert response.status_code == status


def test_what_was_read_compressed_can_be_changed(ana: User) -> None:
    program = program_of(ana)
    read = program("GET", "/me", **{"Accept-Encoding": "gzip"})
    assert read["ETag"].startswith("W/")
    change = program("PATCH", "/me", {"email_turns": False}, **{"If-Match": read["ETag"]})
    assert change.status_code == 200


def test_of_two_changes_the_second_is_told(ana: User) -> None:
    program = program_of(ana)
    tag = program("GET", "/me")["ETag"]
    first = program("PATCH", "/me", {"email_turns": False}, **{"If-Match": tag})
    assert (first.status_code, first.json()["settings"]["email_turns"]) == (200, False)
    second = program("PATCH", "/me", {"email_games": False}, **{"If-Match": tag})
    assert second.status_code == 412


def _signed_in(name: str) -> Program:
    user = players.sign_up(name=name, password="rayuela-1963")
    token = tokens.create(
        user=user,
        password="rayuela-1963",
        name="test",
        scopes=["games:play", "challenges"],
        days=30,
    )
    return Program(token.secret, user)


@pytest.mark.engines
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("erasable")
def test_of_programs_that_play_at_once_one_has_moved() -> None:
    program, other = _signed_in("Ana"), _signed_in("Ben")
    assert program.user is not None
    assert other.user is not None
    game = pages.new_game(program.user.player, other.user.player, "morlox(size=5)", is_rated=False)
    move = rules.load(game.ruleset).parse(game.position).legal_moves()[0]
    answers = at_once(
        lambda _n: program("POST", f"/games/{game.pk}/moves", {"move": move, "ply": 0})
    )
    assert sorted(each.status_code for each in answers) == [201] + [409] * (RUNNERS - 1)
    assert Ply.objects.count() == 1


@pytest.mark.engines
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("erasable")
def test_of_one_key_at_once_there_is_one_effect() -> None:
    program = _signed_in("Ana")
    answers = at_once(lambda _n: _challenge(program, "a key"))
    # While the first is being answered the others are refused. Afterwards they get its answer.
    assert {each.status_code for each in answers} <= {201, 409}
    assert any(each.status_code == 201 for each in answers)
    assert {each.json()["code"] for each in answers if each.status_code == 409} <= {"key-busy"}
    assert Challenge.objects.count() == 1


@pytest.mark.long
@pytest.mark.engines
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("erasable")
def test_a_move_with_a_key_is_one_move_whenever_it_comes() -> None:
    program, other = _signed_in("Ana"), _signed_in("Ben")
    assert program.user is not None
    assert other.user is not None
    game = pages.new_game(program.user.player, other.user.player, "morlox(size=5)", is_rated=False)
    move = rules.load(game.ruleset).parse(game.position).legal_moves()[0]
    body = {"move": move, "ply": 0}
    answers = at_once(
        lambda _n: program("POST", f"/games/{game.pk}/moves", body, **{"Idempotency-Key": "k"})
    )
    assert {each.status_code for each in answers} == {201}
    assert Ply.objects.count() == 1
