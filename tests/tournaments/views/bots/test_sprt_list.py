"""The list of all SPRT tests: running ones first, by game and state."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.sprt_pairs import open_pairs, plan, play_pair
from tournaments.models import Player, SprtTest, User
from tournaments.services import sprt_tests

pytestmark = pytest.mark.long


@pytest.fixture
def tests(ana: User, bots: Sequence[Player]) -> list[SprtTest]:
    """A running test of Morelli, then one of Morlox that was stopped."""
    rows = [
        sprt_tests.start(ana, plan(bots)),
        sprt_tests.start(ana, plan(bots, ruleset="morlox(size=5)")),
    ]
    play_pair(open_pairs(rows[0])[0], bots[0], (2, 1))
    sprt_tests.advance(rows[0].pk)
    sprt_tests.stop(sprt_test_id=rows[1].pk, actor=ana)
    return rows


def _ids(client: Client, **query: str) -> list[int]:
    rows = client.get(reverse("sprt"), query).context["rows"]
    return [row.sprt_test.pk for row in rows]


def test_running_tests_come_first(client: Client, tests: list[SprtTest]) -> None:
    assert _ids(client) == [row.pk for row in tests]


def test_the_list_is_searched_by_game_and_state(client: Client, tests: list[SprtTest]) -> None:
    running, stopped = (row.pk for row in tests)
    assert _ids(client, family="morlox") == [stopped]
    assert _ids(client, family="morelli", state="running") == [running]
    assert _ids(client, family="morlox", state="running") == []
    assert client.get(reverse("sprt"), {"family": "go"}).status_code == 400


def test_a_row_has_the_score_the_games_and_the_author(
    client: Client, tests: list[SprtTest]
) -> None:
    page = client.get(reverse("sprt"), {"state": "running"}).content.decode()
    for cell in ('data-label="Score">1½<', 'data-label="Games">2<', 'data-label="Author">Ana<'):
        assert cell in page


def test_a_list_takes_no_query_for_each_test(
    client: Client, ana: User, bots: Sequence[Player], tests: list[SprtTest]
) -> None:
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("sprt"))
        counts.append(len(queries))
        sprt_tests.start(ana, plan(bots))
    assert counts[0] == counts[1]
