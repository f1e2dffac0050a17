"""Predictions against outcomes."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.ratings.calibration import Forecast, calibration, wilson_interval
from tournaments.ratings.errors import InputError

FORECASTS = st.lists(
    st.builds(Forecast, st.integers(0, 1_000_000), st.integers(0, 2)), min_size=1, max_size=60
)


@pytest.mark.parametrize(
    ("score", "games", "low", "high"),
    [(0.5, 10, 0.2366, 0.7634), (0, 10, 0, 0.2775), (1, 10, 0.7225, 1), (0.3, 100, 0.2189, 0.3958)],
)
def test_interval_of_wilson(score, games, low, high):
    assert wilson_interval(score, games=games) == pytest.approx((low, high), abs=1e-4)


def test_a_coin_knows_nothing():
    result = calibration([Forecast(500_000, halves) for halves in (0, 2, 0, 2)])
    assert result.log_loss == pytest.approx(math.log(2))
    assert result.brier == 0.25
    assert (result.bias, result.draws) == (0, 0)


def test_scores_of_known_forecasts():
    result = calibration([Forecast(800_000, 2), Forecast(600_000, 1)])
    assert result.brier == pytest.approx((0.04 + 0.01) / 2)
    draw_loss = -(math.log(0.6) + math.log(0.4)) / 2
    assert result.log_loss == pytest.approx((-math.log(0.8) + draw_loss) / 2)
    assert result.draws == 0.5
    assert result.bias == pytest.approx(0.05)


def test_bins_are_twentieths_and_the_last_one_is_closed():
    edges = (0, 49_999, 50_000, 949_999, 950_000, 1_000_000)
    result = calibration([Forecast(edge, 1) for edge in edges])
    assert len(result.bins) == 20
    assert [b.games for b in result.bins if b.games] == [2, 1, 1, 2]
    assert [b.from_millionths for b in result.bins[:2]] == [0, 50_000]
    assert result.bins[5].predicted is None
    assert result.bins[5].is_right


def test_certain_prediction_that_fails_costs_much_but_not_everything():
    assert 13 < calibration([Forecast(1_000_000, 0)]).log_loss < 14


def test_honest_predictions_are_found_right_and_boastful_ones_wrong():
    rng = random.Random(3)
    honest, boastful = [], []
    for _ in range(4_000):
        chance = rng.uniform(0.55, 0.95)
        halves = 2 * (rng.random() < chance)
        honest.append(Forecast(round(1e6 * chance), halves))
        boastful.append(Forecast(round(1e6 * (chance + (1 - chance) / 2)), halves))
    right, wrong = calibration(honest), calibration(boastful)
    assert sum(b.is_right for b in right.bins) >= 18
    assert sum(b.is_right for b in wrong.bins) < 17
    assert right.log_loss < wrong.log_loss
    assert abs(right.bias) < 4 * right.bias_error
    assert abs(wrong.bias) > 10 * wrong.bias_error


@given(FORECASTS, st.randoms(use_true_random=False))
def test_order_does_not_matter(forecasts, rng):
    other_order = list(forecasts)
    rng.shuffle(other_order)
    assert calibration(forecasts) == calibration(other_order)


@given(FORECASTS)
def test_both_sides_are_as_well_calibrated(forecasts):
    of_second = [Forecast(1_000_000 - f.expected_millionths, 2 - f.score_halves) for f in forecasts]
    one, other = calibration(forecasts), calibration(of_second)
    assert one.brier == pytest.approx(other.brier)
    assert one.log_loss == pytest.approx(other.log_loss)
    assert one.bias == pytest.approx(-other.bias)
    assert sum(b.games for b in one.bins) == len(forecasts)


@pytest.mark.parametrize(
    "wrong", [[], [Forecast(-1, 0)], [Forecast(1_000_001, 0)], [Forecast(5, 3)]]
)
def test_forecasts_that_make_no_sense_are_refused(wrong):
    with pytest.raises(InputError):
        calibration(wrong)


def test_interval_needs_games():
    with pytest.raises(InputError):
        wilson_interval(0.5, games=0)
