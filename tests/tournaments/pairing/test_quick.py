"""Quick pairing: pairs by rating and patience."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing.quick import Waiting, pair, window_elo

people = st.lists(st.tuples(st.integers(0, 300_000), st.floats(0, 120)), max_size=12).map(
    lambda rows: [Waiting(n, elo, waited) for n, (elo, waited) in enumerate(rows)]
)


@given(people)
def test_everybody_is_paired_once_with_somebody_both_accept(waiting: list[Waiting]) -> None:
    pairs = pair(waiting)
    numbers = [one.number for two in pairs for one in two]
    assert len(numbers) == len(set(numbers))
    for one, other in pairs:
        for window in (window_elo(one.waited_s), window_elo(other.waited_s)):
            assert window is None or abs(one.centielo - other.centielo) <= 100 * window


@given(people)
def test_nobody_is_left_who_could_be_paired(waiting: list[Waiting]) -> None:
    numbers = {one.number for two in pair(waiting) for one in two}
    others = [one for one in waiting if one.number not in numbers]
    assert pair(others) == []


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        # (rating, seconds) of people 0, 1, 2, ..., and the pairs
        ([(150_000, 1), (151_000, 0)], [(0, 1)]),
        ([(150_000, 0), (170_000, 0)], []),
        ([(150_000, 5), (170_000, 5)], [(0, 1)]),
        ([(150_000, 60), (300_000, 0)], []),
        ([(150_000, 60), (300_000, 60)], [(0, 1)]),
        ([(150_000, 9), (158_000, 1), (152_000, 0)], [(0, 2)]),
        ([(150_000, 9), (151_000, 1), (149_000, 2)], [(0, 2)]),
    ],
)
def test_the_nearest_are_paired_and_patience_widens(
    waiting: list[tuple[int, float]], expected: list[tuple[int, int]]
) -> None:
    pairs = pair(Waiting(n, elo, waited) for n, (elo, waited) in enumerate(waiting))
    assert [(one.number, other.number) for one, other in pairs] == expected


@pytest.mark.parametrize(
    ("waited_s", "expected"),
    [(-1, 150), (0, 150), (0.95, 159), (1, 160), (59, 740), (59.99, 749), (60, None), (61, None)],
)
def test_the_window_grows_by_the_second_until_anybody_will_do(
    waited_s: float, expected: int | None
) -> None:
    assert window_elo(waited_s) == expected


def test_the_distance_of_the_window_is_still_accepted() -> None:
    def pairs_apart(centielo: int) -> int:
        return len(pair([Waiting(0, 0, 0), Waiting(1, centielo, 0)]))

    assert (pairs_apart(15_000), pairs_apart(15_001)) == (1, 0)


def test_of_two_as_near_the_one_who_came_first_is_chosen() -> None:
    chooser, first, second = (
        Waiting(0, 100_000, 9),
        Waiting(1, 101_000, 3),
        Waiting(2, 99_000, 3),
    )
    assert pair([second, first, chooser]) == [(chooser, first)]
