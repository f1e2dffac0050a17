"""Challenges by the API."""

from __future__ import annotations

import pytest

from tests.tournaments.api.conftest import program_of
from tournaments.models import Challenge, Player, User

BODY = {"ruleset": "morlox(size=5)", "clock": "300+5"}


def test_a_challenge_becomes_a_game(ana: User, ben: User) -> None:
    one, other = program_of(ana), program_of(ben)
    challenge = one(
        "POST", "/challenges", {**BODY, "opponent": ben.player.pk, "side": "first"}
    ).json()
    assert [each["id"] for each in other("GET", "/challenges").json()["items"]] == [challenge["id"]]
    accepted = other("POST", f"/challenges/{challenge['id']}/accept", {}).json()
    assert accepted["state"] == "accepted"
    game = one("GET", f"/games/{accepted['game']}").json()
    assert (game["first"]["name"], game["second"]["name"]) == ("Ana", "Ben")
    assert other("POST", f"/challenges/{challenge['id']}/accept", {}).status_code == 409


def test_a_bot_accepts_at_once(ana: User, bots: list[Player]) -> None:
    body = {**BODY, "opponent": bots[0].pk}
    challenge = program_of(ana)("POST", "/challenges", body).json()
    assert challenge["state"] == "accepted"
    assert challenge["game"] is not None


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"ruleset": "chess"}, 422, "ruleset-bad"),
        ({"clock": "soon"}, 422, "clock-bad"),
        ({"side": "left"}, 422, "side-bad"),
        ({"vote": "x"}, 422, "vote-bad"),
        ({"opponent": 999_999}, 404, "not-found"),
        ({"opponent": "me"}, 422, "not-yourself"),
    ],
)
def test_a_challenge_that_makes_no_sense_is_refused(
    ana: User, change: dict[str, object], status: int, code: str
) -> None:
    if change.get("opponent") == "me":
        change = {"opponent": ana.player.pk}
    response = program_of(ana)("POST", "/challenges", {**BODY, **change})
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert not Challenge.objects.exists()


def test_a_challenge_is_declined(ana: User, ben: User) -> None:
    body = {**BODY, "opponent": ben.player.pk}
    challenge = program_of(ana)("POST", "/challenges", body).json()
    path = f"/challenges/{challenge['id']}"
    assert program_of(ben)("POST", f"{path}/decline").json()["state"] == "declined"


def test_only_its_challenger_withdraws_a_challenge(ana: User, ben: User) -> None:
    body = {**BODY, "opponent": ben.player.pk}
    challenge = program_of(ana)("POST", "/challenges", body).json()
    path = f"/challenges/{challenge['id']}"
    assert program_of(ben)("DELETE", path).status_code == 403
    answer = program_of(ana)("DELETE", path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert program_of(ana)("GET", path).json()["state"] == "withdrawn"
    assert program_of(ana)("DELETE", path).status_code == 409
