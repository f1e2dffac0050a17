"""SPRT tests of two clocks: the second stage follows the first one, and decides."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.sprt_pairs import open_pairs, plan, play_pair
from tournaments.errors import RefusedError
from tournaments.models import Player, SprtTest, User
from tournaments.queries.bots import sprt_tables
from tournaments.services import sprt_tests
from tournaments.services.games import game_creation

_LONG = game_creation.Clock(60_000, 600)
_WON, _LOST = (2, 2), (0, 0)


@pytest.fixture
def first(ana: User, bots: Sequence[Player]) -> SprtTest:
    """A test of two clocks with wide bounds, which few pairs decide."""
    return sprt_tests.start(ana, plan(bots, elo1_centielo=300_00, second_clock=_LONG))


def _decide(sprt_test: SprtTest, halves: tuple[int, int]) -> SprtTest.State:
    """Play pairs with these results until the stage is over. Return its state."""
    while sprt_test.state == SprtTest.State.RUNNING:
        for pair in open_pairs(sprt_test):
            play_pair(pair, sprt_test.candidate.player, halves)
        sprt_tests.advance(sprt_test.pk)
        sprt_test.refresh_from_db()
    return SprtTest.State(sprt_test.state)


@pytest.mark.long
def test_the_second_stage_begins_with_the_bounds_of_the_first_when_that_has_passed(
    first: SprtTest,
) -> None:
    assert [each.pk for each in sprt_tables.stages(first)] == [first.pk]
    assert _decide(first, _WON) == SprtTest.State.ADVANCED
    _first, second = sprt_tables.stages(first)
    assert (second.clock_initial_ms, second.clock_increment_ms) == (60_000, 600)
    for name in ("owner", "candidate", "base", "ruleset", "suite", "model", "max_pairs"):
        assert getattr(second, name) == getattr(first, name)
    for name in ("elo0_centielo", "elo1_centielo", "alpha_thousandths", "beta_thousandths"):
        assert getattr(second, name) == getattr(first, name)
    assert second.seed != first.seed
    sprt_tests.advance_due()
    games = open_pairs(second)[0].match.games.all()
    assert {game.clock_initial_ms for game in games} == {60_000}
    assert sprt_tables.trace(first)
    assert not sprt_tables.trace(second)


@pytest.mark.long
@pytest.mark.parametrize(
    ("halves", "state"), [(_WON, SprtTest.State.PASSED), (_LOST, SprtTest.State.FAILED)]
)
def test_the_second_stage_decides_and_none_follows(
    first: SprtTest, halves: tuple[int, int], state: SprtTest.State
) -> None:
    _decide(first, _WON)
    sprt_tests.advance_due()
    second = first.second_stage
    assert _decide(second, halves) == state
    assert SprtTest.objects.count() == 2
    assert not SprtTest.objects.running().exists()


@pytest.mark.long
def test_no_stage_follows_one_that_fails(first: SprtTest) -> None:
    assert _decide(first, _LOST) == SprtTest.State.FAILED
    assert SprtTest.objects.count() == 1


def test_the_second_clock_must_be_longer(ana: User, bots: Sequence[Player]) -> None:
    with pytest.raises(RefusedError, match="trial-clocks"):
        sprt_tests.start(ana, plan(bots, clock=_LONG, second_clock=_LONG))
    assert not SprtTest.objects.exists()


@pytest.mark.long
def test_the_form_takes_a_second_clock_and_the_page_names_both(
    ana: User, bots: Sequence[Player]
) -> None:
    browser = pages.member(ana)
    form = {
        "candidate": bots[0].bot.pk,
        "base": bots[1].bot.pk,
        "ruleset": "morelli(size=5)",
        "clock": "5+0.1",
        "second_clock": "5+0.1",
        "model": "logistic",
        "elo0": "0",
        "elo1": "300",
        "max_pairs": "50",
    }
    answer = browser.post(reverse("sprt-test-new"), form)
    assert "must be longer" in pages.text_of(answer.content)
    answer = browser.post(reverse("sprt-test-new"), form | {"second_clock": "10+0.1"})
    assert "10 s + 0.1 s begins when" in pages.text_of(browser.get(answer["Location"]).content)
    first = SprtTest.objects.get()
    _decide(first, _WON)
    page = browser.get(reverse("sprt-test-live", args=[first.pk])).content.decode()
    assert reverse("sprt-test", args=[first.second_stage.pk]) in page
