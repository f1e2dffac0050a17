"""Each failure is a problem of RFC 9457: one row for each way to fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import DataError, OperationalError
from django.test import Client, RequestFactory

from tests.tournaments.api.conftest import Program, program_of
from tournaments import limits
from tournaments.api import problems
from tournaments.errors import NotAllowedError, RefusedError, StaleError, TooManyError
from tournaments.models import Game, User
from tournaments.text import problems as words

POSITIONS = "/positions"


def _assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert (response.status_code, body["status"], body["code"]) == (status, status, code)
    assert body["type"] == f"/api/problems/{code}/"
    assert body["title"]
    assert response["Cache-Control"] == "no-store"
    return body


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (NotAllowedError("not-your-game"), 403, "not-your-game"),
        (StaleError("moved-on"), 409, "moved-on"),
        (RefusedError("abort-late"), 422, "abort-late"),
        (TooManyError(limits.GAMES, 12), 429, "too-many"),
        (OperationalError(), 503, "away"),
        (DataError(), 400, "malformed"),
        *((problems.ProblemError(code), n, code) for code, n in problems.STATUSES.items()),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_every_error_is_a_problem(
    rf: RequestFactory, error: Exception, status: int, code: str
) -> None:
    response = problems.of_exception(rf.get("/api/v1/"), error)
    assert response.status_code == status
    body = json.loads(response.content)
    assert (body["code"], body["type"]) == (code, f"/api/problems/{code}/")


def test_a_fault_of_ours_stays_one(rf: RequestFactory) -> None:
    with pytest.raises(KeyError):
        problems.of_exception(rf.get("/api/v1/"), KeyError("ours"))


def test_every_status_has_its_words() -> None:
    assert set(problems.STATUSES) == set(words.SENTENCES)


@pytest.mark.parametrize(
    ("raw", "code", "status"),
    [
        (b"{", "malformed", 400),
        (b"\xff", "malformed", 400),
        (b"[" * 100_000, "malformed", 400),
        (b'{"ruleset": NaN}', "malformed", 400),
        (b'{"ruleset": ' + b"9" * 5_000 + b"}", "malformed", 400),
        (rb'{"ruleset": "\u0000"}', "malformed", 400),
        (rb'{"ruleset": "\ud800"}', "malformed", 400),
        (b"[]", "invalid", 422),
        (b"null", "invalid", 422),
        (b'{"ruleset": 5}', "invalid", 422),
        (b'{"ruleset": "chess"}', "ruleset-bad", 422),
        (b'{"ruleset": "morlox", "position": "?"}', "bad-position", 422),
        (b'{"ruleset": "morlox", "setup": "?"}', "setup-bad", 422),
    ],
    ids=str,
)
def test_a_body_that_makes_no_sense_is_named(
    anybody: Program, raw: bytes, code: str, status: int
) -> None:
    _assert_problem(anybody("POST", POSITIONS, raw=raw), status, code)


def test_a_large_body_is_refused(anybody: Program) -> None:
    _assert_problem(anybody("POST", POSITIONS, raw=b" " * 1_100_000), 413, "too-large")


def test_a_body_that_is_no_json_is_refused(anybody: Program) -> None:
    response = anybody("POST", POSITIONS, raw=b"a=1", **{"content-type": "text/plain"})
    _assert_problem(response, 415, "type-refused")


def test_an_illegal_move_cites_its_rule(anybody: Program) -> None:
    body = {"ruleset": "morelli(size=5)", "position": None, "moves": ["A2-A2"]}
    answer = _assert_problem(anybody("POST", POSITIONS, body), 422, "illegal-move")
    assert answer["rule"].startswith("morelli-2015/")
    assert answer["rule_url"].startswith("/games/morelli/#")


def test_each_value_that_does_not_fit_has_its_place(anybody: Program) -> None:
    body = _assert_problem(
        anybody("POST", POSITIONS, {"ruleset": 1, "moves": ["a1", 2]}), 422, "invalid"
    )
    assert [error["pointer"] for error in body["errors"]] == ["#/ruleset", "#/moves/1"]
    body = _assert_problem(anybody("GET", "/games?limit=0&size=x"), 422, "invalid")
    assert {error["parameter"] for error in body["errors"]} == {"limit", "size"}


@pytest.mark.parametrize(
    ("method", "path", "code", "status"),
    [
        ("GET", "/nowhere", "not-found", 404),
        ("GET", "/", "not-found", 404),
        ("GET", "/games/999999", "not-found", 404),
        ("GET", f"/games/{10**30}", "malformed", 400),
        ("GET", "/games/%00", "malformed", 400),
        ("DELETE", "/games", "method-refused", 405),
        ("TRACE", "/games", "method-refused", 405),
        ("POST", "/games/1/moves", "token-needed", 401),
        ("GET", "/games?cursor=garbage", "cursor-bad", 400),
    ],
)
def test_no_address_below_the_api_answers_with_a_page(
    anybody: Program, method: str, path: str, code: str, status: int
) -> None:
    response = anybody(method, path)
    body = response.json()
    assert body["code"] in {code, "not-found"} if status == 400 else body["code"] == code
    assert response.status_code in {status, 404}


def test_problems_name_the_request(anybody: Program) -> None:
    response = anybody("GET", "/nowhere")
    assert response.json()["request_id"] == response["X-Request-ID"]


def test_a_token_is_no_cookie(anybody: Program, ana: User) -> None:
    client = Client()
    client.force_login(ana)
    assert client.get("/api/v1/me").status_code == 401
    assert program_of(ana, "read")("GET", "/me").json()["player"]["name"] == "Ana"


@pytest.mark.parametrize(
    "header",
    ["Bearer rayuela_wrong", "Bearer", "Basic YTpi", "Bearer \udcff", "Bearer " + "a" * 5_000],
)
def test_a_wrong_token_is_refused_where_none_is_needed_too(anybody: Program, header: str) -> None:
    header = header.encode("utf-8", "replace").decode("latin-1")
    response = anybody("GET", "/rulesets", Authorization=header)
    _assert_problem(response, 401, "token-refused")
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_a_token_has_no_other_scope_than_its_own(ana: User, game: Game) -> None:
    response = program_of(ana, "read")("POST", f"/games/{game.pk}/resign")
    assert _assert_problem(response, 403, "scope-needed")["detail"] == "games:play"


@pytest.mark.usefixtures("with_limits")
def test_limits_are_told_by_account(ana: User) -> None:
    one, other = program_of(ana), program_of(ana)
    first = one("GET", "/me")
    assert first["RateLimit-Policy"].startswith('"api-reads-by-account";q=18000;w=3600')
    assert first["RateLimit"].startswith('"api-reads-by-account";r=17999;t=')
    assert "r=17998" in other("GET", "/me")["RateLimit"], "counted by account, not by token"


def test_beyond_a_limit_the_answer_says_which_and_how_long(
    ana: User, settings: LazySettings
) -> None:
    program, other = program_of(ana), program_of(ana)
    settings.LIMITS_FACTOR = 1 / limits.API_READS.most
    assert program("GET", "/me").status_code == 200
    response = other("GET", "/me")
    body = _assert_problem(response, 429, "too-many")
    assert body["policy"] == "api-reads-by-account", "of the account, whichever token is sent"
    assert body["quota"] == 1
    assert int(response["Retry-After"]) == body["retry_after_s"] > 0


@pytest.mark.parametrize(("code", "status"), [("moved-on", 200), ("away", 200), ("nothing", 404)])
def test_the_type_of_a_problem_is_a_page(db: None, code: str, status: int) -> None:
    assert Client().get(f"/api/problems/{code}/").status_code == status


def test_a_database_that_is_away_is_named(
    anybody: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError

    monkeypatch.setattr("tournaments.services.accounts.throttles.count", fail)
    response = anybody("GET", "/rulesets")
    _assert_problem(response, 503, "away")
    assert int(response["Retry-After"]) > 0


def test_a_head_is_a_get_and_options_say_what_there_is(anybody: Program) -> None:
    assert anybody("HEAD", "/rulesets").status_code == 200
    response = anybody("OPTIONS", "/rulesets")
    assert (response.status_code, response["Allow"]) == (204, "GET, HEAD, OPTIONS")
