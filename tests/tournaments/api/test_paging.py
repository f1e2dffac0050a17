"""Pages by cursor: together they are the list, also if rows are added between them."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournaments.api.conftest import Program, program_of
from tournaments.models import Player, User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.accounts import players
from tournaments.services.lobby import challenges


@pytest.fixture
def many(db: None) -> list[str]:
    for number in range(23):
        players.add_bot(name=f"Robot {number}", engine="random")
    return sorted(Player.objects.named().values_list("canonical", flat=True))


def _names(program: Program, limit: int) -> list[str]:
    names: list[str] = []
    path = f"/players?limit={limit}"
    while path and len(names) <= 100:
        response = program("GET", path)
        body = response.json()
        assert len(body["items"]) <= limit
        names += [each["name"].casefold() for each in body["items"]]
        path = f"/players?limit={limit}&cursor={body['next']}" if body["next"] else ""
        assert bool(path) == ("Link" in response)
    return names


@pytest.mark.parametrize("limit", [1, 5, 22, 23, 24, 200])
def test_the_pages_are_the_list(anybody: Program, many: list[str], limit: int) -> None:
    assert _names(anybody, limit) == many


@pytest.mark.parametrize("limit", [1, 3, 7])
def test_the_pages_of_a_list_that_goes_down_are_the_list(ana: User, limit: int) -> None:
    program = program_of(ana)
    numbers = [
        challenges.challenge(
            challenger=ana.player, opponent=None, ruleset="morlox", clock=Clock(300_000)
        ).pk
        for _ in range(7)
    ]
    pages: list[int] = []
    path = f"/challenges?limit={limit}"
    while path and len(pages) <= 7:
        body = program("GET", path).json()
        pages += [each["id"] for each in body["items"]]
        path = f"/challenges?limit={limit}&cursor={body['next']}" if body["next"] else ""
    assert pages == sorted(numbers, reverse=True)


def test_a_row_that_is_added_moves_nothing(anybody: Program, many: list[str]) -> None:
    first = anybody("GET", "/players?limit=10").json()
    players.add_bot(name="Aaa", engine="random")
    second = anybody("GET", f"/players?limit=10&cursor={first['next']}").json()
    assert [each["name"].casefold() for each in second["items"]] == many[10:20]


def test_lines_are_all_rows(anybody: Program, many: list[str]) -> None:
    response = anybody("GET", "/players?limit=2", Accept="application/x-ndjson")
    assert response["Content-Type"] == "application/x-ndjson"
    lines = b"".join(response).decode().splitlines()
    assert [json.loads(line)["name"].casefold() for line in lines] == many


@pytest.mark.long
@pytest.mark.django_db
@given(
    cursor=st.text(max_size=40)
    | st.binary(max_size=30).map(lambda b: base64.urlsafe_b64encode(b).decode())
)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_garbage_cursor_is_a_problem(cursor: str) -> None:
    response = Program()("GET", f"/players?cursor={quote(cursor.encode('utf-8', 'surrogatepass'))}")
    assert response.status_code in {200, 400}, response.content
    if response.status_code == 400:
        assert response.json()["code"] in {"cursor-bad", "malformed"}


@pytest.mark.parametrize("values", [[], [1, 2], [None], [{}], [10**30], ["\x00"], [True], [1.5]])
@pytest.mark.parametrize("path", ["/games", "/players", "/rulesets", "/pools"])
def test_a_cursor_of_another_list_is_a_problem(
    anybody: Program, path: str, values: list[object]
) -> None:
    cursor = base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")
    assert anybody("GET", f"{path}?cursor={cursor}").status_code in {200, 400}
