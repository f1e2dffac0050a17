"""Glicko-2: the paper's example, lichess' numbers, and the laws of the stored form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.ratings.rating_vectors import vectors
from tournaments.ratings import glicko2
from tournaments.ratings.errors import InputError
from tournaments.ratings.glicko2 import Estimate, Opposition, Standing, rate_game

GLICKO = vectors("glicko2")
YEAR_S = 365 * 86_400
STANDINGS = st.builds(
    Standing,
    st.integers(400_00, 3500_00),
    st.integers(45_00, 500_00),
    st.integers(10_000_000, 100_000_000),
)


def test_the_example_of_the_paper():
    case = GLICKO["glickman"]
    games = [Opposition(Estimate(r, rd, 0.06), score) for r, rd, score in case["games"]]
    after = glicko2.estimate_after(Estimate(*case["player"]), games, tau=case["tau"])
    assert (after.rating, after.deviation, after.volatility) == pytest.approx(
        case["exact"], abs=1e-5
    )
    assert after.rating == pytest.approx(case["expected"][0], abs=0.02)


@pytest.mark.parametrize("case", GLICKO["one_game"])
@pytest.mark.parametrize("side", ["white", "black"])
def test_single_game_is_that_of_lichess(case, side):
    other = {"white": "black", "black": "white"}[side]
    is_first = side == "white"
    score = case["score"] if is_first else 1 - case["score"]
    advantage = case["advantage"] if is_first else -case["advantage"]
    game = Opposition(Estimate(*case[other]), score, advantage)
    after = glicko2.estimate_after(Estimate(*case[side]), [game], tau=GLICKO["tau"], periods=0.0)
    rating, deviation, volatility = case[f"new_{side}"]
    assert after.rating == pytest.approx(rating, abs=0.006)
    assert after.deviation == pytest.approx(deviation, abs=1e-4)
    assert after.volatility == pytest.approx(volatility, abs=2e-5)


@pytest.mark.parametrize("case", GLICKO["one_game"])
def test_stored_game_is_the_rounded_one(case):
    def standing(rating, deviation, volatility):
        return Standing(round(100 * rating), round(100 * deviation), round(1e9 * volatility))

    change = rate_game(
        standing(*case["white"]),
        standing(*case["black"]),
        score_halves=round(2 * case["score"]),
        first_idle_s=0,
        second_idle_s=0,
        advantage_centielo=round(100 * case["advantage"]),
    )
    for side, key in ((change.first, "new_white"), (change.second, "new_black")):
        assert side.after.rating_centielo == pytest.approx(100 * case[key][0], abs=1.1)
        assert side.after.deviation_centielo == pytest.approx(100 * case[key][1], abs=0.6)


def test_period_without_games_only_widens_the_deviation():
    before = Estimate(1500, 200, 0.06)
    after = glicko2.estimate_after(before, [], tau=0.5)
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(200.2714, abs=1e-4)


def test_deviation_of_60_grows_to_110_in_a_year():
    later = glicko2.standing_at(Standing(1500_00, 60_00, 60_000_000), idle_s=YEAR_S)
    assert later == Standing(1500_00, 110_00, 60_000_000)


def test_bounds_of_the_pool_hold():
    quiet = Standing(1500_00, 45_00, 60_000_000)
    certain = rate_game(quiet, quiet, score_halves=1, first_idle_s=0, second_idle_s=0)
    assert certain.first.after.deviation_centielo == 45_00
    low = rate_game(
        Standing(400_00), Standing(410_00), score_halves=0, first_idle_s=0, second_idle_s=0
    )
    assert low.first.after.rating_centielo == 400_00
    assert glicko2.standing_at(Standing(), idle_s=10 * YEAR_S).deviation_centielo == 500_00


def test_newcomer_is_provisional_and_a_regular_is_not():
    assert Standing().is_provisional()
    regular = Standing(1500_00, 65_00, 60_000_000)
    assert not regular.is_provisional()
    assert Standing(1500_00, 110_00, 60_000_000).is_provisional()


def test_change_tells_what_it_was_computed_from():
    idle = Standing(1600_00, 60_00, 60_000_000)
    change = rate_game(idle, Standing(), score_halves=2, first_idle_s=YEAR_S, second_idle_s=0)
    assert change.first.before == idle
    assert change.first.deviation_centielo == 110_00
    assert change.second.opponent.deviation_centielo == 110_00
    assert change.second.score_halves == 0
    assert change.first.delta_centielo == change.first.after.rating_centielo - 1600_00 > 0


@given(STANDINGS, STANDINGS, st.integers(0, 2), st.integers(-50_00, 50_00), st.integers(0, YEAR_S))
def test_sides_and_players_are_interchangeable(one, two, score, advantage, idle):
    there = rate_game(
        one,
        two,
        score_halves=score,
        first_idle_s=idle,
        second_idle_s=0,
        advantage_centielo=advantage,
    )
    back = rate_game(
        two,
        one,
        score_halves=2 - score,
        first_idle_s=0,
        second_idle_s=idle,
        advantage_centielo=-advantage,
    )
    assert there.first == back.second
    assert there.second == back.first


@given(STANDINGS, STANDINGS, st.integers(-50_00, 50_00))
def test_more_points_never_gain_less(one, two, advantage):
    gains = [
        rate_game(
            one,
            two,
            score_halves=score,
            first_idle_s=0,
            second_idle_s=0,
            advantage_centielo=advantage,
        ).first.delta_centielo
        for score in range(3)
    ]
    assert gains == sorted(gains)


@given(STANDINGS, STANDINGS, st.integers(-50_00, 50_00))
def test_both_expectations_add_up_to_a_point(one, two, advantage):
    there = glicko2.expected_millionths(one, two, advantage_centielo=advantage)
    back = glicko2.expected_millionths(two, one, advantage_centielo=-advantage)
    assert there + back in (999_999, 1_000_000, 1_000_001)


def test_expectation_by_both_deviations_is_that_of_the_paper():
    # Glickman, "The Glicko system" (1999), the example after equation 16: 0.376.
    one = glicko2.Standing(1400_00, 80_00)
    two = glicko2.Standing(1500_00, 150_00)
    assert round(glicko2.expected_millionths(one, two), -3) == 376_000


@given(STANDINGS, st.integers(0, YEAR_S), st.integers(0, YEAR_S))
def test_longer_absence_never_makes_more_certain(standing, shorter, more):
    first = glicko2.standing_at(standing, idle_s=shorter).deviation_centielo
    assert first <= glicko2.standing_at(standing, idle_s=shorter + more).deviation_centielo


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Standing(1500_00, 0),
        lambda: Standing(1500_00, 45_00, 0),
        lambda: glicko2.standing_at(Standing(), idle_s=-1),
        lambda: rate_game(Standing(), Standing(), score_halves=3, first_idle_s=0, second_idle_s=0),
    ],
)
def test_numbers_that_make_no_sense_are_refused(wrong):
    with pytest.raises(InputError):
        wrong()
