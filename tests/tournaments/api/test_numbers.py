"""Numbers of bots: a request accepts a number from an answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments import authors
from tests.tournaments.api import bot_world
from tests.tournaments.api.conftest import Program, program_of
from tournaments.models import Bot, User
from tournaments.services.accounts import players
from tournaments.services.accounts.bot_consents import Consent

RULESET = "morlox(size=5)"


@pytest.fixture
def program(ana: User) -> Program:
    return program_of(ana)


@pytest.fixture
def house(db: None) -> int:
    """A built-in bot, after players who are no bots."""
    return players.add_bot(name="Gate", engine="random").pk


def _created(program: Program, path: str, body: object) -> Any:
    answer = program("POST", path, body)
    assert answer.status_code in {200, 201}, answer.content
    return answer.json()


def test_a_bot_has_one_number_in_every_answer(program: Program, bot: Bot) -> None:
    version = program("GET", f"/bots/versions/{bot.player_id}").json()
    [line] = program("GET", "/bots/lines").json()["items"]
    in_list = [row for row in program("GET", "/bots").json()["items"] if row["id"] == version["id"]]
    rows = [version, *in_list, *line["versions"]]
    assert len(rows) == 4
    assert [row["id"] for row in rows] == [row["player"]["id"] for row in rows]


@pytest.mark.long
def test_the_base_of_a_test_is_that_of_the_next_one(program: Program, bot: Bot, house: int) -> None:
    for base in (None, house):
        body = {"ruleset": RULESET} | ({"base": base} if base else {})
        first = _created(program, f"/bots/versions/{bot.pk}/sprt", body)
        path = f"/bots/versions/{first['candidate']['id']}/sprt"
        second = _created(program, path, {"ruleset": RULESET, "base": first["base"]["id"]})
        for side in ("candidate", "base"):
            assert second[side] == first[side]
            rows = program("GET", f"/sprt?version={first[side]['id']}").json()["items"]
            assert {first["id"], second["id"]} <= {row["id"] for row in rows}
            program("POST", f"/sprt/{first['id']}/stop")
            program("POST", f"/sprt/{second['id']}/stop")


@pytest.mark.long
def test_the_opponents_of_a_gauntlet_are_those_of_the_next_one(
    program: Program, bot: Bot, house: int
) -> None:
    body = {"ruleset": RULESET, "opponents": [house], "pairs_each": 1}
    first = _created(program, f"/bots/versions/{bot.pk}/gauntlets", body)
    numbers = [row["opponent"]["id"] for row in first["opponents"]]
    path = f"/bots/versions/{first['candidate']['id']}/gauntlets"
    second = _created(program, path, {**body, "opponents": numbers})
    assert [row["opponent"] for row in second["opponents"]] == [
        row["opponent"] for row in first["opponents"]
    ]
    public = program("GET", f"/gauntlets?version={numbers[0]}").json()["items"]
    assert {row["id"] for row in public} == {first["id"], second["id"]}


def test_a_bot_that_was_found_is_requested_and_its_consent_read(
    program: Program, ana: User, ben: User
) -> None:
    authors.version(ben, "Askable", consent=Consent())
    [public] = program("GET", f"/bots?author={ben.player.pk}").json()["items"]
    event = bot_world.event(ana, "Escalera")
    answer = _created(program, f"/events/{event.slug}/bot-requests", {"bot": public["id"]})
    assert answer["bot"] == public["player"]
    assert program("GET", f"/bots/{answer['bot']['id']}/consent").status_code == 200


def test_a_bot_that_was_found_is_challenged_and_entered(
    program: Program, ana: User, house: int
) -> None:
    [public] = program("GET", "/bots").json()["items"]
    body = {"ruleset": RULESET, "clock": "300+5", "opponent": public["id"]}
    challenge = _created(program, "/challenges", body)
    assert challenge["opponent"] == public["player"]
    event = bot_world.event(ana, "Escalera")
    answer = _created(program, f"/events/{event.slug}/entries", {"players": [public["id"]]})
    assert [row["player"]["id"] for row in answer["entries"]] == [house]
