"""Invitations by the API."""

from __future__ import annotations

import pytest

from tests.tournaments.api.conftest import Program, program_of
from tournaments.models import User

_GAME = {"ruleset": "morlox(size=5)", "clock": "300+5"}


def test_the_second_player_begins_the_game(anybody: Program, ana: User, ben: User) -> None:
    row = program_of(ana)("POST", "/invitations", {**_GAME, "side": "first"}).json()
    assert (row["is_open"], row["player"]["name"], row["game"]) == (True, "Ana", None)
    path = f"/invitations/{row['token']}"
    assert anybody("GET", path).json() == row
    joined = program_of(ben)("POST", f"{path}/join").json()
    assert not joined["is_open"]
    game = anybody("GET", f"/games/{joined['game']}").json()
    assert (game["first"]["name"], game["second"]["name"]) == ("Ana", "Ben")


def test_an_invitation_of_two_others_has_no_player_at_first(ana: User) -> None:
    row = program_of(ana)("POST", "/invitations", {**_GAME, "is_player": False}).json()
    assert row["player"] is None


def test_the_host_alone_withdraws(ana: User, ben: User) -> None:
    program = program_of(ana)
    path = f"/invitations/{program('POST', '/invitations', _GAME).json()['token']}"
    refused = program_of(ben)("DELETE", path)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-invitation")
    assert program("DELETE", path).status_code == 204
    late = program_of(ben)("POST", f"{path}/join")
    assert (late.status_code, late.json()["code"]) == (409, "invitation-over")


def test_a_game_from_a_study_has_its_rules(ana: User) -> None:
    program = program_of(ana)
    body = {"ruleset": _GAME["ruleset"], "tree": "a1;b2", "at": 2}
    study = program("POST", "/studies", body).json()
    row = program("POST", "/invitations", {"clock": "300+5", "study": study["key"]}).json()
    assert (row["ruleset"], row["study"]) == (study["ruleset"], study["key"])


@pytest.mark.parametrize(
    ("change", "status"),
    [({"ruleset": "go"}, 422), ({"side": "third"}, 422), ({"study": "none"}, 404)],
    ids=str,
)
def test_a_wrong_invitation_is_refused(ana: User, change: dict[str, str], status: int) -> None:
    assert program_of(ana)("POST", "/invitations", {**_GAME, **change}).status_code == status
