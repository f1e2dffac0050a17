"""Programs that act on one event at one moment: each act is done once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.tournaments.api import event_world
from tests.tournaments.api.at_once import at_once
from tests.tournaments.api.conftest import PASSWORD, Program
from tournaments.models import Entry, Event, Game, Round, User
from tournaments.pairing import Solution
from tournaments.services.accounts import players, tokens
from tournaments.services.rounds import rounds

pytestmark = [
    pytest.mark.engines,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("erasable"),
]

_PROGRAMS = 4


def _organiser() -> tuple[User, Program]:
    user = players.sign_up(name="Ana", password=PASSWORD)
    token = tokens.create(
        user=user, password=PASSWORD, name="test", scopes=["events:write"], days=30
    )
    return user, Program(token.secret, user)


def _statuses(ask: Callable[[int], int]) -> list[int]:
    return sorted(at_once(ask, _PROGRAMS))


def _event(user: User) -> Event:
    return event_world.board_event(user, "Evening")


def test_of_programs_that_pair_a_round_one_has_drafted_it() -> None:
    user, program = _organiser()
    event = _event(user)
    event_world.start(event, user)
    path = f"/events/{event.slug}/rounds"
    statuses = _statuses(lambda _: program("POST", path, {"number": 1}).status_code)
    assert statuses == [201] + [409] * (_PROGRAMS - 1)
    assert Round.objects.get(event=event).pairings.count() == 2


def test_a_round_is_paired_outside_the_transaction_of_its_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user, program = _organiser()
    event = _event(user)
    event_world.start(event, user)

    def draft(number: int = 1) -> Any:
        path = f"/events/{event.slug}/rounds"
        return program("POST", path, {"number": number}, **{"Idempotency-Key": "a draft"})

    meanwhile: list[tuple[bool, int, str]] = []
    solve = rounds.solve

    def solve_and_look(*args: Any, **options: Any) -> Solution:
        again = draft()
        meanwhile.append(
            (connection.in_atomic_block, again.status_code, again.json().get("code", ""))
        )
        return solve(*args, **options)

    monkeypatch.setattr(rounds, "solve", solve_and_look)
    first, second = draft(), draft()
    assert meanwhile == [(False, 409, "key-busy")]
    assert (first.status_code, second.status_code) == (201, 201)
    assert (first.content, first["Location"]) == (second.content, second["Location"])
    assert "Idempotency-Replayed" in second
    assert draft(2).json()["code"] == "key-used"
    assert Round.objects.get(event=event).pairings.count() == 2


def test_the_key_of_a_draft_is_free_again_after_a_refusal() -> None:
    user, program = _organiser()
    event = _event(user)
    path, key = f"/events/{event.slug}/rounds", {"Idempotency-Key": "a draft"}
    assert program("POST", path, {"number": 1}, **key).json()["code"] == "not-running"
    event_world.start(event, user)
    assert program("POST", path, {"number": 1}, **key).status_code == 201


def test_of_programs_that_close_a_round_one_has_closed_it() -> None:
    user, program = _organiser()
    event = _event(user)
    event_world.publish(event, user)
    path = f"/events/{event.slug}/rounds/1/close"
    statuses = _statuses(lambda _: program("POST", path).status_code)
    assert statuses == [200] + [409] * (_PROGRAMS - 1)
    assert Game.objects.filter(pairing__event=event).count() == 2
    assert event.audit.filter(action="close").count() <= 1


def test_the_same_list_with_one_key_is_entered_once() -> None:
    user, program = _organiser()
    event = _event(user)
    path = f"/events/{event.slug}/entries"
    body = {"listed": [{"name": "Egon Falk"}, {"name": "Fay Gold"}]}

    def ask(_number: int) -> int:
        status: int = program("POST", path, body, **{"Idempotency-Key": "a list"}).status_code
        return status

    statuses = _statuses(ask)
    # On PostgreSQL a request during the answer to the first gets 409.
    assert set(statuses) <= {201, 409}
    assert 201 in statuses
    assert Entry.objects.filter(event=event).count() == 6


def test_of_two_results_for_what_was_read_one_is_entered() -> None:
    user, program = _organiser()
    event = _event(user)
    event_world.publish(event, user)
    path = f"/events/{event.slug}/rounds/1/boards/1/result"
    results = ("second", "draw", "first-forfeit", "double-forfeit")

    def ask(number: int) -> int:
        body = {"result": results[number], "before": "first"}
        status: int = program("PUT", path, body).status_code
        return status

    assert _statuses(ask) == [200] + [409] * (_PROGRAMS - 1)
