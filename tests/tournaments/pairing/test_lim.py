"""The Lim system (C.04.4.3), article by article. `test_individual` compares it with an enumeration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tournaments.pairing.written_rounds import played, written_round
from tournaments.pairing import Contestant, NoPairingError, PairingProblem, RoundKind, system
from tournaments.pairing.colours import Strength
from tournaments.pairing.lim import Lim

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def _boards(problem: PairingProblem) -> list[tuple[int, int]]:
    return [(b.first, b.second) for b in system("lim").pair(problem).boards]


def test_2_1_and_6_nobody_has_a_colour_three_times_in_a_row_but_in_the_last_round() -> None:
    """All four have had White twice: before the last round no pair is legal."""
    problem = written_round(dict.fromkeys(range(1, 5), ("w9=1", "w8=1")), total=4)
    with pytest.raises(NoPairingError):
        system("lim").pair(problem)
    assert len(_boards(problem._replace(rounds_total=3))) == 2


@pytest.mark.parametrize(
    ("colours", "side", "strength"),
    [
        pytest.param("", None, Strength.NONE, id="no game"),
        pytest.param("w", RoundKind.SECOND, Strength.STRONG, id="one more White"),
        pytest.param("wb", RoundKind.FIRST, Strength.MILD, id="even, last Black"),
        pytest.param("bww", RoundKind.SECOND, Strength.ABSOLUTE, id="twice running"),
        pytest.param("wwbw", RoundKind.SECOND, Strength.ABSOLUTE, id="two more White"),
    ],
)
def test_5_1_a_side_is_due_absolutely_if_the_other_is_not_allowed(
    colours: str, side: RoundKind | None, strength: Strength
) -> None:
    records = played(*(f"{colour}{9 + n}=1" for n, colour in enumerate(colours)))
    due = Lim().due(Contestant(1, records))
    assert (due.side, due.strength) == (side, strength)


def test_2_2_the_median_group_comes_last() -> None:
    problem = written_round(
        {1: ("H=2",), 2: ("H=2",), 3: ("H=1",), 4: ("H=1",), 5: ("H=0",), 6: ("H=0",)}
    )
    brackets = system("lim").pair(problem).brackets
    assert [bracket.halves for bracket in brackets] == [2, 0, 1]


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        pytest.param((), 4, id="#1: 4"),
        pytest.param((4,), 5, id="4 5"),
        pytest.param((4, 5), 6, id="4 5 6"),
        pytest.param((4, 5, 6), 3, id="4 5 6 3"),
        pytest.param((4, 5, 6, 3), 2, id="4 5 6 3 2"),
    ],
)
def test_4_2_the_opponents_of_the_first_of_six(first: tuple[int, ...], expected: int) -> None:
    """The table of 4.2."""
    problem = written_round(dict.fromkeys(range(1, 7), ("H=1",)))
    barred = frozenset(frozenset((1, tpn)) for tpn in first)
    pair = next(p for p in _boards(problem._replace(forbidden=barred)) if 1 in p)
    assert set(pair) == {1, expected}


def test_3_2_2_the_floater_is_due_the_colour_that_more_are_due() -> None:
    """1 and 2 are due White, 3 Black: of 1 and 2 the lower number, 2, floats down."""
    past = {1: ("b9=2",), 2: ("b8=2",), 3: ("w7=2",), 4: ("H=1",)}
    bracket = system("lim").pair(written_round(past)).brackets[0]
    assert bracket.floaters == (2,)


def test_7_1_the_bye_of_round_1_goes_to_the_lowest_rating() -> None:
    problem = written_round(
        dict.fromkeys(range(1, 6), ()), ratings={1: 2000, 2: 1500, 3: 1900, 4: 1800, 5: 1700}
    )
    assert system("lim").pair(problem).bye == 2


def test_5_4_equal_claims_below_the_median_go_to_the_lower_ranked() -> None:
    """Both had Black last. In the lower group 4 gets White, in the upper one 1."""
    past = {1: ("b9=2",), 2: ("b8=2",), 3: ("b7=0",), 4: ("b6=0",)}
    assert _boards(written_round(past)) == [(1, 2), (4, 3)]


def _maxi(past: Mapping[int, Sequence[str]], ratings: dict[int, int]) -> PairingProblem:
    problem = written_round(past, ratings=ratings)
    rules = problem.options.house_rules._replace(maxi_elo=100)
    return problem._replace(options=problem.options._replace(house_rules=rules))


@pytest.mark.parametrize(
    ("rating", "floater"),
    [
        pytest.param(1900, 2, id="100 points"),
        pytest.param(1899, 3, id="101 points"),
        pytest.param(2100, 2, id="100 points more"),
        pytest.param(2101, 3, id="101 points more"),
    ],
)
def test_3_2_3_in_a_maxi_tournament_the_floater_is_near_the_lowest_number(
    rating: int, floater: int
) -> None:
    """2 is due the colour that more are due (3.2.2). 3 has the lowest number."""
    past = {1: ("b9=2",), 2: ("b8=2",), 3: ("w7=2",), 4: ("H=1",)}
    problem = _maxi(past, {1: 2600, 2: 2000, 3: rating})
    assert system("lim").pair(problem).brackets[0].floaters == (floater,)


def test_3_2_3_upwards_the_floater_is_near_the_highest_number() -> None:
    """2 and 3 are due the colour that more are due. 1 has the highest number of the lower group."""
    past = {1: ("w9=0",), 2: ("b8=0",), 3: ("b7=0",), 4: ("H=1",)}
    for ratings, floater in (({1: 2000, 2: 1900, 3: 1800}, 2), ({1: 2000, 2: 1899, 3: 1950}, 3)):
        bracket = system("lim").pair(_maxi(past, ratings)).brackets[0]
        assert bracket.floaters == (floater,)
    far = _maxi(past, {1: 2000, 2: 1899, 3: 1899})
    assert system("lim").pair(far).brackets[0].floaters == (1,)


@pytest.mark.parametrize(("rating", "opponent"), [(2200, 3), (2199, 2)])
def test_3_8_in_a_maxi_tournament_the_opponent_of_a_floater_is_near_the_first(
    rating: int, opponent: int
) -> None:
    """1 is due White, as 2 is, whom it meets first. 3 and 4 are due Black."""
    past = {1: ("w9=2", "b8=2"), 2: ("H=1", "b7=2"), 3: ("H=1", "w6=2"), 4: ("H=1", "w5=2")}
    problem = _maxi(past, {1: 2400, 2: 2300, 3: rating, 4: 1900})
    assert {1, opponent} in [{*pair} for pair in _boards(problem)]


@pytest.mark.parametrize(("rating", "opponent"), [(2200, 4), (2199, 3)])
def test_5_7_in_a_maxi_tournament_exchanged_opponents_are_near(rating: int, opponent: int) -> None:
    """1 is due White, as 3 is, the opponent of 2.4. 4 is due Black, and 2, who is far from 3."""
    past = {1: ("b9=2",), 2: ("w8=2",), 3: ("b7=2",), 4: ("w6=2",)}
    problem = _maxi(past, {1: 2600, 2: 2500, 3: 2300, 4: rating})
    assert {1, opponent} in [{*pair} for pair in _boards(problem)]
