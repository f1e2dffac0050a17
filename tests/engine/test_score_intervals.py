"""The interval for few pairs: it has the stated coverage, and a clean score proves little."""

from __future__ import annotations

import math
import random

import pytest

from engine.stats.elo import elo_of_score
from engine.stats.outcomes import Outcomes, elo_difference, score_interval_difference

_ROUNDS = 2_000


@pytest.mark.parametrize("pairs", [3, 10, 60])
@pytest.mark.parametrize(
    "chances",
    [(0.1, 0.2, 0.4, 0.2, 0.1), (0.02, 0.03, 0.1, 0.25, 0.6), (0.25, 0, 0.5, 0, 0.25)],
    ids=["level", "much stronger", "the first side wins"],
)
def test_the_interval_covers_the_true_difference(pairs: int, chances: tuple[float, ...]) -> None:
    rng = random.Random(pairs)
    true = elo_of_score(sum(share * halves / 4 for halves, share in enumerate(chances)))
    covered = 0
    for _ in range(_ROUNDS):
        drawn = rng.choices(range(5), chances, k=pairs)
        elo = score_interval_difference(Outcomes(tuple(drawn.count(n) for n in range(5))))
        covered += elo.low <= true <= elo.high
    assert covered / _ROUNDS >= 0.93


def test_one_pair_that_was_won_proves_little() -> None:
    elo = score_interval_difference(Outcomes((0, 0, 0, 0, 1)))
    assert elo.low < -200
    assert elo.elo == elo.high == pytest.approx(400 * math.log10(999), abs=1)


def test_it_turns_with_the_sides() -> None:
    won = score_interval_difference(Outcomes((0, 1, 2, 3, 14)))
    lost = score_interval_difference(Outcomes((14, 3, 2, 1, 0)))
    assert 0 < won.low < won.elo < won.high
    assert (lost.low, lost.elo, lost.high) == pytest.approx((-won.high, -won.elo, -won.low))


def test_with_many_pairs_it_is_the_normal_one() -> None:
    outcomes = Outcomes((300, 700, 1500, 900, 400))
    few, many = score_interval_difference(outcomes), elo_difference(outcomes)
    assert (few.low, few.high) == pytest.approx((many.low, many.high), abs=0.2)


def test_nothing_is_said_before_the_first_pair() -> None:
    with pytest.raises(ValueError, match="no game"):
        score_interval_difference(Outcomes.no_pairs())
