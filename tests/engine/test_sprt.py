from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stats.outcomes import (
    Outcomes,
    elo_difference,
    likelihood_of_superiority,
)
from engine.stats.sprt import (
    Scale,
    Sprt,
    SprtVerdict,
    expected_score,
    log_likelihood_ratio,
)

_FOLDER = Path(__file__).resolve().parent.parent / "data" / "ratings-vectors"
MATCHES = json.loads((_FOLDER / "match-statistics.json").read_text())
COUNTS = st.one_of(*(st.tuples(*[st.integers(0, 400)] * n) for n in (3, 5)))


def id_of(case):
    return "{kind}{results}[{elo0},{elo1}]".format(**case)


def test_there_are_78_vectors_of_the_ratio():
    assert len(MATCHES["llr"]) == 78


@pytest.mark.parametrize("case", MATCHES["llr"], ids=id_of)
def test_exact_ratio_is_that_of_fishtest(case):
    test = Sprt(case["elo0"], case["elo1"], scale=Scale(case["kind"]))
    assert log_likelihood_ratio(test, Outcomes(tuple(case["results"]))) == pytest.approx(
        case["LLR"], abs=2e-9
    )


PAIRS = [case for case in MATCHES["openbench"] if case["fn"] == "PentanomialSPRT"]


@pytest.mark.parametrize("case", PAIRS, ids=lambda case: str(case["results"]))
def test_normalised_ratio_is_that_of_openbench(case):
    test = Sprt(case["elo0"], case["elo1"], scale=Scale.NORMALIZED)
    assert log_likelihood_ratio(test, Outcomes(tuple(case["results"]))) == pytest.approx(
        case["LLR"], abs=2e-9
    )


@pytest.mark.parametrize("case", MATCHES["elo"], ids=lambda case: str(case["results"]))
def test_difference_with_its_interval_and_los_is_that_of_fishtest(case):
    outcomes = Outcomes(tuple(case["results"]))
    difference = elo_difference(outcomes)
    assert difference.elo == pytest.approx(case["elo"], abs=1e-6)
    assert (difference.high - difference.low) / 2 == pytest.approx(case["elo95"], abs=1e-6)
    assert likelihood_of_superiority(outcomes) == pytest.approx(case["los"], abs=1e-8)


def test_bounds_at_five_percent():
    test = Sprt(0, 5)
    assert (test.lower, test.upper) == pytest.approx((-2.944439, 2.944439), abs=1e-6)


def test_ten_wins_in_ten_games_decide_nothing():
    # The closed form says 567 here.
    assert log_likelihood_ratio(Sprt(0, 10), Outcomes((0, 0, 10))) == pytest.approx(
        0.28368, abs=1e-5
    )
    assert Sprt(0, 400).verdict(Outcomes((0, 0, 19))) is SprtVerdict.GOING_ON


def test_verdicts_come_from_the_twentieth_game_on():
    assert log_likelihood_ratio(Sprt(0, 400), Outcomes((0, 0, 0, 0, 9))) > 2.95
    assert Sprt(0, 400).verdict(Outcomes((0, 0, 0, 0, 9))) is SprtVerdict.GOING_ON
    assert Sprt(0, 400).verdict(Outcomes((0, 0, 0, 0, 10))) is SprtVerdict.ACCEPTED
    assert Sprt(0, 400).verdict(Outcomes((10, 0, 0, 0, 0))) is SprtVerdict.REJECTED
    assert Sprt(0, 5).verdict(Outcomes((10, 0, 0, 0, 10))) is SprtVerdict.GOING_ON


@pytest.mark.long
@pytest.mark.parametrize(
    ("matches", "fewest", "most"), [(30, 0, 5), pytest.param(300, 2, 27, marks=pytest.mark.slow)]
)
def test_wrong_verdicts_are_as_rare_as_was_asked(matches, fewest, most):
    # Matches at elo0 with 30 % draws, asked after every game: 5 % of 300 are 15, +- 11 in 99.7 % of the cases.
    rng, test = random.Random(7), Sprt(0, 60)
    accepted = sum(_match(rng, test) is SprtVerdict.ACCEPTED for _ in range(matches))
    assert fewest <= accepted <= most


def _match(rng: random.Random, test: Sprt) -> SprtVerdict:
    outcomes = Outcomes((0, 0, 0))
    while (verdict := test.verdict(outcomes)) is SprtVerdict.GOING_ON:
        outcomes = outcomes.plus(halves=rng.choices((0, 1, 2), (35, 30, 35))[0])
    return verdict


@given(COUNTS, st.floats(-20, 20), st.floats(0.5, 20))
def test_the_opponent_sees_the_opposite(counts, elo0, width):
    if not any(counts):
        return
    mine, theirs = Outcomes(counts), Outcomes(counts[::-1])
    ratio = log_likelihood_ratio(Sprt(elo0, elo0 + width), mine)
    other = log_likelihood_ratio(Sprt(-elo0 - width, -elo0), theirs)
    assert other == pytest.approx(-ratio, abs=1e-6)
    assert elo_difference(theirs).elo == pytest.approx(-elo_difference(mine).elo, abs=1e-6)
    assert likelihood_of_superiority(theirs) == pytest.approx(
        1 - likelihood_of_superiority(mine), abs=1e-9
    )


@given(COUNTS)
def test_a_better_outcome_never_lowers_the_ratio(counts):
    lowest, highest = (Outcomes(counts).plus(halves=h) for h in (0, len(counts) - 1))
    test = Sprt(0, 10)
    assert log_likelihood_ratio(test, lowest) <= log_likelihood_ratio(test, highest)


def test_pairs_with_the_same_score_tell_more_than_games():
    # Every pair split one to one: no doubt at all. Every game a toss: much.
    pairs, games = elo_difference(Outcomes((0, 0, 50, 0, 0))), elo_difference(Outcomes((50, 0, 50)))
    assert pairs.high < games.high / 10
    assert Outcomes((0, 0, 50, 0, 0)).games == Outcomes((50, 0, 50)).games == 100


def test_expected_score_of_400_points():
    assert expected_score(400) == pytest.approx(10 / 11)
    assert math.isclose(expected_score(-400) + expected_score(400), 1)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Sprt(5, 5),
        lambda: Sprt(5, math.nan),
        lambda: Sprt(0, 5, alpha=0.0),
        lambda: Sprt(0, 5, beta=0.5),
        lambda: Outcomes((1, 2)),
        lambda: Outcomes((1, 2, -1)),
        lambda: Outcomes((0, 0, 0)).plus(halves=3),
    ],
)
def test_tests_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError, match=r"."):
        wrong()
