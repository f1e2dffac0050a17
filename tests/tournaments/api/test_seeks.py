"""Quick pairing by the API."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tournaments.api.conftest import Program, program_of
from tournaments.models import Seek, User
from tournaments.queries.lobby import open_seeks

_GAME = {"ruleset": "morlox(size=5)", "clock": "300+5", "is_rated": False}


def test_two_programs_with_equal_seeks_get_one_game(ana: User, ben: User, anybody: Program) -> None:
    one, other = program_of(ana), program_of(ben)
    waiting = one("POST", "/me/seek", _GAME)
    assert (waiting.status_code, waiting.json()["state"]) == (201, "waiting")
    [group] = anybody("GET", "/seeks").json()["items"]
    assert (group["ruleset"], group["clock"]["text"]) == ("morlox(size=5,swap=on)", "300+5")
    assert (group["waiting"], group["is_own"], group["is_rated"]) == (1, False, False)
    assert one("GET", "/seeks").json()["items"][0]["is_own"]
    paired = other("POST", "/me/seek", _GAME).json()
    assert paired["state"] == "paired"
    assert one("GET", "/me/seek").json()["game"] == paired["game"]
    assert one("GET", f"/games/{paired['game']}").status_code == 200
    assert anybody("GET", "/seeks").json()["items"] == []


def test_a_read_seek_remains_and_a_cancelled_one_ends(ana: User) -> None:
    program = program_of(ana)
    assert program("GET", "/me/seek").status_code == 404
    program("POST", "/me/seek", _GAME)
    row = Seek.objects.get(player=ana.player)
    long_ago = row.seen_at - 2 * open_seeks.PRESENT
    Seek.objects.filter(pk=row.pk).update(seen_at=long_ago)
    assert program("GET", "/seeks").json()["items"] == []
    assert program("GET", "/me/seek").json()["state"] == "waiting"
    row.refresh_from_db()
    assert row.seen_at - long_ago > timedelta(seconds=0)
    assert len(program("GET", "/seeks").json()["items"]) == 1
    assert program("DELETE", "/me/seek").status_code == 204
    assert program("GET", "/me/seek").json()["state"] == "left"


def test_a_later_seek_replaces_the_earlier_one(ana: User) -> None:
    program = program_of(ana)
    program("POST", "/me/seek", _GAME)
    program("POST", "/me/seek", {**_GAME, "clock": "600+5"})
    [waiting] = Seek.objects.waiting().filter(player=ana.player)
    assert waiting.clock_initial_ms == 600_000


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ruleset": "go"}, "ruleset-bad"),
        ({"clock": "unlimited"}, "clock-bad"),
        ({"clock": "fast"}, "clock-bad"),
    ],
    ids=str,
)
def test_a_wrong_game_is_refused(ana: User, change: dict[str, str], code: str) -> None:
    answer = program_of(ana)("POST", "/me/seek", {**_GAME, **change})
    assert (answer.status_code, answer.json()["code"]) == (422, code)
