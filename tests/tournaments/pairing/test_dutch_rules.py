"""The small pieces of the Dutch rules, each against the sentence of its article."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import pytest

from tests.tournaments.pairing.histories import random_problem
from tournaments.pairing.dutch.rules.criteria import units
from tournaments.pairing.dutch.rules.digits import Digits
from tournaments.pairing.dutch.rules.generation import exchange_order, transposition_order
from tournaments.pairing.dutch.rules.player import pairing_scores

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.mark.parametrize(("s1", "s2"), [(1, 3), (2, 2), (2, 4), (3, 3)])
def test_transpositions_come_in_the_order_of_the_opponents_numbers(s1: int, s2: int) -> None:
    """4.2: lexicographic, from the opponent of the first player of S1 on."""
    first, second = range(s1), range(s1, s1 + s2)
    worth = transposition_order(first, second).worth
    by_worth = sorted(
        permutations(second, s1),
        key=lambda others: -sum(worth(*pair) for pair in zip(first, others, strict=True)),
    )
    assert by_worth == sorted(permutations(second, s1))


def _by_the_book(first: Sequence[int], s1: Sequence[int]) -> tuple[object, ...]:
    """4.3.1-4.3.4 of an exchange by which S1 is `s1` afterwards; the smaller comes first."""
    leaving = sorted(set(first) - set(s1), reverse=True)
    entering = sorted(set(s1) - set(first))
    return len(leaving), sum(entering) - sum(leaving), [-place for place in leaving], entering


@pytest.mark.parametrize(("s1", "s2"), [(1, 1), (2, 2), (3, 3), (3, 4), (4, 4)])
def test_exchanges_come_in_the_order_of_the_handbook(s1: int, s2: int) -> None:
    first, second = range(s1), range(s1, s1 + s2)
    worth = exchange_order(first, second).worth
    halves = list(combinations(range(s1 + s2), s1))
    by_worth = sorted(halves, key=lambda half: -sum(worth(place, -1) for place in half))
    assert by_worth == sorted(halves, key=lambda half: _by_the_book(first, half))


def test_a_quantity_that_is_always_nought_takes_no_digits() -> None:
    digits = Digits()
    assert digits.take(0) == 0
    assert digits.next == 1


def test_the_criteria_with_a_value_have_a_unit() -> None:
    assert set(units()) == {"C5", *(f"C{n}" for n in range(6, 22))}


def test_virtual_points_are_added_to_the_score_of_their_round_alone() -> None:
    """C.04.7 1.4."""
    contestant = random_problem(size=8, rounds=3, seed=1).contestants[0]
    rounds = len(contestant.records) + 1
    plain = pairing_scores({1: replace(contestant, virtual_halves=())}, rounds)[1]
    virtual = pairing_scores({1: replace(contestant, virtual_halves=(2, 1))}, rounds)[1]
    assert [b - a for a, b in zip(plain, virtual, strict=True)] == [2, 1, *[0] * rounds][:rounds]
