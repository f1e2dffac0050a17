"""Baku acceleration against the tables of C.04.7 1, worked out by hand."""

from __future__ import annotations

import pytest

from tournaments.pairing.baku import baku_halves, group_a


@pytest.mark.parametrize(
    ("players", "expected"), [(2, 2), (4, 2), (5, 4), (8, 4), (9, 6), (161, 82), (164, 82)]
)
def test_group_a_is_the_upper_half_rounded_up_to_a_whole_pair(players: int, expected: int) -> None:
    """The article's own example has 161 players, of whom 82 are in group A."""
    assert group_a(players) == expected


@pytest.mark.parametrize(
    ("rounds_total", "expected"),
    [
        # Virtual points of group A in each round, in half points.
        (9, [2, 2, 2, 1, 1, 0, 0, 0, 0]),
        (8, [2, 2, 1, 1, 0, 0, 0, 0]),
        (5, [2, 2, 1, 0, 0]),
        (1, [2]),
    ],
)
def test_the_first_half_of_the_rounds_is_accelerated_and_half_of_those_by_a_win(
    rounds_total: int, expected: list[int]
) -> None:
    def of(rank: int, **more: int) -> list[int]:
        rounds = range(1, rounds_total + 1)
        return [
            baku_halves(rank=rank, players=12, round_number=n, rounds_total=rounds_total, **more)
            for n in rounds
        ]

    assert of(1) == of(6) == expected
    assert of(7) == [0] * rounds_total
    assert of(1, win_halves=6) == [3 * halves for halves in expected]
