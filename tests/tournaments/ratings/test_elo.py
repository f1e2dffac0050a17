"""The Elo formula: known values and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.ratings import elo

ELO_1 = elo.EDITIONS[0]
RATINGS = st.integers(100_00, 3000_00)


@pytest.mark.parametrize(
    ("difference", "expected"),
    [(0, 500_000), (200_00, 759_747), (400_00, 909_091), (800_00, 909_091), (-400_00, 90_909)],
)
def test_expectation_is_logistic_and_capped_at_400_points(difference: int, expected: int) -> None:
    assert ELO_1.expected_millionths(1500_00 + difference, 1500_00) == expected


@given(mine=RATINGS, theirs=RATINGS)
def test_both_expectations_add_up_to_one(mine: int, theirs: int) -> None:
    assert (
        ELO_1.expected_millionths(mine, theirs) + ELO_1.expected_millionths(theirs, mine)
        == 1_000_000
    )


@given(mine=RATINGS, theirs=RATINGS, halves=st.integers(0, 2), k=st.sampled_from([10, 20, 40]))
def test_with_equal_k_nothing_is_won_or_lost_in_sum(
    mine: int, theirs: int, halves: int, k: int
) -> None:
    one = ELO_1.change(rating_centielo=mine, opponent_centielo=theirs, score_halves=halves, k=k)
    two = ELO_1.change(rating_centielo=theirs, opponent_centielo=mine, score_halves=2 - halves, k=k)
    assert one.delta_centielo == -two.delta_centielo


@given(mine=RATINGS, theirs=RATINGS)
def test_a_better_score_never_gains_less(mine: int, theirs: int) -> None:
    gains = [
        ELO_1.change(
            rating_centielo=mine, opponent_centielo=theirs, score_halves=h, k=20
        ).delta_centielo
        for h in range(3)
    ]
    assert gains == sorted(gains)


@pytest.mark.parametrize(
    ("games", "peak", "k"),
    [(0, 1500_00, 40), (29, 2399_99, 40), (30, 1500_00, 20), (0, 2400_00, 10)],
)
def test_the_k_factor_falls_with_experience_and_mastery(games: int, peak: int, k: int) -> None:
    assert ELO_1.k_factor(games=games, peak_centielo=peak) == k
