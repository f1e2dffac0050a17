from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stats.elo import (
    Tally,
    elo_difference,
    elo_of_score,
    likelihood_of_superiority,
    standard_error,
)

tallies = st.builds(Tally, *[st.integers(0, 500)] * 3)


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0), (0.75, 190.85), (0.64, 99.95), (1, math.inf), (0, -math.inf)]
)
def test_elo_of_a_score(score, elo):
    assert elo_of_score(score) == pytest.approx(elo, abs=0.01)


def test_one_game_between_equals_without_draws_has_a_deviation_of_347_elo():
    # The figure of the match managers: 400 / ln 10 / 0.25 * 0.5.
    tally = Tally(wins=5000, losses=5000)
    per_game = standard_error(tally) * math.sqrt(tally.games)
    assert per_game * 1600 / math.log(10) == pytest.approx(347.4, abs=0.1)


def test_interval_of_a_known_match():
    # +60 =20 -20: score 0.7, deviation 0.4, error 0.04.
    difference = elo_difference(Tally(60, 20, 20))
    assert difference.elo == pytest.approx(147.2, abs=0.1)
    assert difference.low == pytest.approx(elo_of_score(0.7 - 1.96 * 0.04), abs=0.1)
    assert str(difference) == "+147 +/- 66"


def test_clean_score_has_no_finite_difference():
    assert str(elo_difference(Tally(3))) == "unknown, all games won"
    assert str(elo_difference(Tally(0, 0, 3))) == "unknown, all games lost"


def test_an_interval_without_an_end_is_too_few_games_for_an_error():
    assert str(elo_difference(Tally(3, 0, 1))) == "+191, too few games for an error"


def test_no_games_say_nothing():
    difference = elo_difference(Tally())
    assert difference.elo == 0
    assert (difference.low, difference.high) == (-math.inf, math.inf)
    assert likelihood_of_superiority(Tally()) == 0.5


def test_tally_counts_points():
    assert Tally().plus(points=1).plus(points=0.5).plus(points=0) == Tally(1, 1, 1)


@given(tallies)
def test_opponents_see_the_opposite(tally):
    other = Tally(tally.losses, tally.draws, tally.wins)
    assert elo_difference(other).elo == pytest.approx(-elo_difference(tally).elo)
    assert likelihood_of_superiority(other) == pytest.approx(1 - likelihood_of_superiority(tally))


@given(tallies)
def test_interval_holds_the_difference(tally):
    difference = elo_difference(tally)
    assert difference.low <= difference.elo <= difference.high
