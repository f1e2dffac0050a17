"""A match of teams by chance: its boards, its score and its winner."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tournaments.forecasts import ResultModel, TeamMatches
from tournaments.forecasts.play import play_match
from tournaments.pairing import Board, PointSystem, RoundRecord

_MODEL = ResultModel(draw_share=0.3)
_MATCH = PointSystem(win=4, draw=2, loss=0)
_MEMBERS = st.lists(st.none() | st.floats(-300, 300), min_size=2, max_size=4)


def play(
    ours: list[float | None], theirs: list[float | None], seed: int, strength: float = 2000
) -> tuple[RoundRecord, RoundRecord]:
    matches = TeamMatches(((1, tuple(ours)), (2, tuple(theirs))), _MATCH, PointSystem())
    records = play_match(matches, _MODEL, Board(1, 2), {1: strength, 2: 2000}, random.Random(seed))
    return records[1], records[2]


@given(_MEMBERS, st.integers(0, 10_000))
def test_all_points_of_a_match_are_given_and_one_team_goes_through(
    members: list[float | None], seed: int
) -> None:
    one, two = play(members, list(reversed(members)), seed)
    empty = sum(a is None and b is None for a, b in zip(members, reversed(members), strict=True))
    assert one.second_halves + two.second_halves == 2 * (len(members) - empty)
    assert one.score_halves + two.score_halves == 4
    assert (one.score_halves > two.score_halves) == (one.second_halves > two.second_halves)
    assert one.goes_through + two.goes_through == (one.score_halves == 2)


def test_an_empty_board_loses() -> None:
    one, two = play([0, None], [None, None], seed=1)
    assert (one.second_halves, one.score_halves, two.second_halves) == (2, 4, 0)


def test_a_much_stronger_team_wins() -> None:
    won = [play([0, 0], [0, 0], seed, strength=2800)[0].score_halves for seed in range(50)]
    assert won.count(4) >= 45


def test_a_level_match_goes_to_the_better_board_count() -> None:
    """A win at board 1 and a loss at board 2 count 1 against 2, and the lower count is better."""
    one, two = play([900, None], [-900, 0], seed=1)
    assert (one.score_halves, one.second_halves, two.second_halves) == (2, 2, 2)
    assert one.goes_through
    assert not two.goes_through
