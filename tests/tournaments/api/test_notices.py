"""Notices by the API."""

from __future__ import annotations

from tests.tournaments.api.conftest import program_of
from tournaments.models import User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.lobby import challenges
from tournaments.services.notifications import inbox


def _challenge(one: User, other: User) -> int:
    row = challenges.challenge(
        challenger=one.player,
        opponent=other.player,
        ruleset="morlox(size=5)",
        clock=Clock(300_000, 5_000),
    )
    return row.pk


def test_a_program_reads_its_notices_one_by_one(ana: User, ben: User) -> None:
    program = program_of(ana)
    numbers = [_challenge(ben, ana) for _ in range(2)]
    later, earlier = program("GET", "/me/notices").json()["items"]
    assert [earlier["challenge"], later["challenge"]] == numbers
    assert (later["kind"], later["is_unread"], later["is_stale"]) == ("challenge", True, False)
    assert "Ben" in later["text"]
    answer = program("POST", "/me/notices/read", {"seq": earlier["seq"]})
    assert answer.json() == {"unread": 1}
    [unread] = program("GET", "/me/notices?unread=true").json()["items"]
    assert unread["seq"] == later["seq"]
    assert program("POST", "/me/notices/read").json() == {"unread": 0}
    assert program("GET", "/me/notices?unread=true").json()["items"] == []
    assert len(program("GET", "/me/notices").json()["items"]) == 2


def test_a_number_of_the_future_reads_no_later_notice(ana: User, ben: User) -> None:
    _challenge(ben, ana)
    assert program_of(ana)("POST", "/me/notices/read", {"seq": 10**9}).json() == {"unread": 0}
    _challenge(ben, ana)
    assert inbox.unread(ana) == 1


def test_a_smaller_number_takes_no_reading_back(ana: User, ben: User) -> None:
    program = program_of(ana)
    _challenge(ben, ana)
    program("POST", "/me/notices/read")
    assert program("POST", "/me/notices/read", {"seq": 1}).json() == {"unread": 0}


def test_notices_are_in_the_language_of_the_reader(ana: User, ben: User) -> None:
    _challenge(ben, ana)
    program = program_of(ana)
    english, japanese = (
        program("GET", "/me/notices", **{"Accept-Language": language}).json()["items"][0]["text"]
        for language in ("en", "ja")
    )
    assert english != japanese
