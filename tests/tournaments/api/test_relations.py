"""Mutes and follows by the API."""

from __future__ import annotations

import pytest

from tests.tournaments.api import event_world
from tests.tournaments.api.conftest import program_of
from tournaments.models import User


@pytest.mark.parametrize("kind", ["mutes", "follows"])
def test_a_player_is_added_once_listed_and_removed(ana: User, ben: User, kind: str) -> None:
    program, path = program_of(ana), f"/me/{kind}/{ben.player.pk}"
    for _ in range(2):
        assert program("PUT", path).json()["name"] == "Ben"
    assert [row["id"] for row in program("GET", f"/me/{kind}").json()["items"]] == [ben.player.pk]
    assert program_of(ben)("GET", f"/me/{kind}").json()["items"] == []
    for _ in range(2):
        assert program("DELETE", path).status_code == 204
    assert program("GET", f"/me/{kind}").json()["items"] == []


@pytest.mark.parametrize(
    ("kind", "code"), [("mutes", "not-yourself-mute"), ("follows", "not-yourself-follow")]
)
def test_oneself_is_refused(ana: User, kind: str, code: str) -> None:
    answer = program_of(ana)("PUT", f"/me/{kind}/{ana.player.pk}")
    assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_a_mute_holds_for_private_messages(ana: User, ben: User) -> None:
    program_of(ana)("PUT", f"/me/mutes/{ben.player.pk}")
    answer = program_of(ben)("POST", "/me/messages", {"player": ana.player.pk, "text": "Hello"})
    assert (answer.status_code, answer.json()["code"]) == (422, "message-unwilling")


def test_lines_of_a_muted_player_are_left_out_of_the_chat_of_an_event(ana: User, ben: User) -> None:
    event = event_world.board_event(ana, "Open", chat="members")
    one, other = program_of(ana), program_of(ben)
    path = f"/events/{event.slug}/chat"
    for program in (one, other):
        assert program("POST", path, {"text": "Hello"}).status_code == 201
    one("PUT", f"/me/mutes/{ben.player.pk}")
    assert [row["player"]["name"] for row in one("GET", path).json()["items"]] == ["Ana"]
    assert len(other("GET", path).json()["items"]) == 2
