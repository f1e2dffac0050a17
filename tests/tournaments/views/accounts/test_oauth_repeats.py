"""Refreshes of OAuth that are repeated: by two tabs at one moment, after a lost answer, and by a thief."""

from __future__ import annotations

import pytest

from tests.tournaments import oauth_client, pages, races
from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.oauth_client import Installation, status
from tournaments.models import User

pytestmark = pytest.mark.engines


@pytest.fixture
def installation(ana: User, ben: User) -> Installation:
    return Installation(oauth_client.registered(ben).application, pages.member(ana))


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("erasable")
def test_tabs_that_refresh_at_one_moment_get_valid_tokens_each(installation: Installation) -> None:
    secret = installation.tokens(scope="read")["refresh_token"]
    answers = races.at_once(lambda _number: installation.refresh(secret))
    bodies = [each.body for each in races.successes(answers)]
    assert [status(body["access_token"]) for body in bodies] == [200] * races.RUNNERS
    assert installation.refresh(bodies[-1]["refresh_token"]).status == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("erasable")
def test_a_code_that_is_exchanged_twice_at_one_moment_ends_the_permission(
    installation: Installation,
) -> None:
    code = installation.code(scope="read")
    answers = races.successes(races.at_once(lambda _number: installation.exchange(code)))
    tokens = [each.body["access_token"] for each in answers if each.status == 200]
    assert len(tokens) <= 1
    assert [status(token) for token in tokens] == [401] * len(tokens)


@pytest.mark.long
def test_the_last_refresh_is_repeated_within_thirty_seconds(
    installation: Installation, clock: FrozenClock
) -> None:
    secret = installation.tokens(scope="read")["refresh_token"]
    first = installation.refresh(secret).body
    clock.sleep(seconds=29)
    again = installation.refresh(secret).body
    assert [status(each["access_token"]) for each in (first, again)] == [200, 200]
    clock.sleep(seconds=1)
    assert installation.refresh(secret).body["error"] == "invalid_grant"
    assert [status(each["access_token"]) for each in (first, again)] == [401, 401]
    assert installation.refresh(again["refresh_token"]).status == 400


def test_an_earlier_refresh_than_the_last_is_no_repeat(
    installation: Installation, clock: FrozenClock
) -> None:
    secret = installation.tokens(scope="read")["refresh_token"]
    second = installation.refresh(secret).body
    clock.sleep(seconds=1)
    third = installation.refresh(second["refresh_token"]).body
    clock.sleep(seconds=1)
    assert installation.refresh(secret).status == 400
    assert status(third["access_token"]) == 401


def test_of_two_answers_to_one_refresh_the_first_to_be_exchanged_continues(
    installation: Installation, clock: FrozenClock
) -> None:
    secret = installation.tokens(scope="read")["refresh_token"]
    owners, thiefs = (installation.refresh(secret).body["refresh_token"] for _ in range(2))
    clock.sleep(hours=8)
    third = installation.refresh(owners).body
    clock.sleep(hours=1)
    assert installation.refresh(thiefs).status == 400
    assert status(third["access_token"]) == 401
