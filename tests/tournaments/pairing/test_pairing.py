"""The basic Swiss: laws for any field, and the colour rules as a table."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.pairing import (
    BadProblemError,
    Contestant,
    NoPairingError,
    PairingProblem,
    RoundKind,
    RoundRecord,
    Swiss,
    system,
    violations,
)
from tournaments.pairing.colours import Strength, allocate, preference


def _played_on(problem: PairingProblem, rng: random.Random) -> PairingProblem:
    """The problem of the next round after `problem` was paired and its games had random results."""
    solution = Swiss().pair(problem)
    records: dict[int, RoundRecord] = {}
    for board in solution.boards:
        halves = rng.choice((0, 1, 2, 2))
        records[board.first] = RoundRecord(RoundKind.FIRST, board.second, halves)
        records[board.second] = RoundRecord(RoundKind.SECOND, board.first, 2 - halves)
    if solution.bye is not None:
        records[solution.bye] = RoundRecord(RoundKind.PAIRING_BYE, None, 2)
    return PairingProblem(
        problem.round_number + 1,
        problem.rounds_total,
        tuple(Contestant(c.tpn, (*c.records, records[c.tpn])) for c in problem.contestants),
        problem.odd_tpn_is_first,
    )


def _first_round(size: int, rounds: int) -> PairingProblem:
    return PairingProblem(1, rounds, tuple(Contestant(tpn, ()) for tpn in range(1, size + 1)))


@pytest.mark.long
@settings(max_examples=25)
@given(size=st.integers(2, 24), seed=st.integers(0, 10**6))
def test_every_round_of_every_event_is_legal(size: int, seed: int) -> None:
    rng = random.Random(seed)
    problem = _first_round(size, 5)
    for _ in range(min(5, size // 2)):
        assert violations(problem, Swiss().pair(problem)) == []
        problem = _played_on(problem, rng)


@settings(max_examples=15)
@given(size=st.integers(4, 16), seed=st.integers(0, 10**6))
def test_the_order_of_input_does_not_change_the_pairing(size: int, seed: int) -> None:
    rng = random.Random(seed)
    problem = _played_on(_first_round(size, 5), rng)
    shuffled = list(problem.contestants)
    rng.shuffle(shuffled)
    other = PairingProblem(problem.round_number, 5, tuple(shuffled))
    assert Swiss().pair(other) == Swiss().pair(problem)


def test_first_round_folds_the_field_and_alternates_sides() -> None:
    solution = Swiss().pair(_first_round(8, 3))
    assert [(b.first, b.second) for b in solution.boards] == [(1, 5), (6, 2), (3, 7), (8, 4)]


def test_an_odd_number_has_the_drawn_side_in_every_pair_of_the_first_round() -> None:
    boards = Swiss().pair(_first_round(24, 5)).boards
    for board in boards:
        higher = min(board.first, board.second)
        assert (board.first == higher) == (higher % 2 == 1)


@given(size=st.integers(4, 20), seed=st.integers(0, 10**6))
def test_boards_are_in_the_order_of_c_04_2(size: int, seed: int) -> None:
    """By the score of the higher ranked player, then the sum of both scores, then the TPN (3.6)."""
    rng = random.Random(seed)
    problem = _played_on(_played_on(_first_round(size, 5), rng), rng)
    score = {c.tpn: c.score_halves for c in problem.contestants}

    def place(one: int, other: int) -> tuple[int, int, int]:
        higher, lower = sorted((one, other), key=lambda tpn: (-score[tpn], tpn))
        return -score[higher], -score[higher] - score[lower], higher

    places = [place(b.first, b.second) for b in Swiss().pair(problem).boards]
    assert places == sorted(places)


def _after_two_rounds() -> list[Contestant]:
    """Return four players with 4, 2, 2 and 0 half points. 1 has met 3 and 2 has met 4, with the first side against each."""
    rounds = [
        (RoundRecord(RoundKind.FIRST, 3, 2), RoundRecord(RoundKind.PAIRING_BYE, None, 2)),
        (RoundRecord(RoundKind.FIRST, 4, 2), RoundRecord(RoundKind.ZERO_BYE, None, 0)),
        (RoundRecord(RoundKind.SECOND, 1, 0), RoundRecord(RoundKind.PAIRING_BYE, None, 2)),
        (RoundRecord(RoundKind.SECOND, 2, 0), RoundRecord(RoundKind.ZERO_BYE, None, 0)),
    ]
    return [Contestant(tpn, records) for tpn, records in enumerate(rounds, start=1)]


def _meetings(problem: PairingProblem) -> list[set[int]]:
    return [{b.first, b.second} for b in Swiss().pair(problem).boards]


def test_two_small_floats_are_better_than_a_large_one() -> None:
    """Although 1 and 4, and 2 and 3, would all have the side that they are due."""
    assert _meetings(PairingProblem(3, 5, tuple(_after_two_rounds()))) == [{1, 2}, {3, 4}]


def test_the_board_of_the_highest_score_is_the_first_whoever_sits_there() -> None:
    problem = PairingProblem(
        3, 5, tuple(_after_two_rounds()), forbidden=frozenset({frozenset((1, 2))})
    )
    assert _meetings(problem) == [{1, 4}, {2, 3}]


def test_the_last_of_an_odd_score_group_floats() -> None:
    """Three with two half points and three without a game: as in any fold, 3 meets 4."""
    halves = (2, 2, 2, 0, 0, 0)
    field = tuple(
        Contestant(
            tpn, (RoundRecord(RoundKind.FULL_BYE if score else RoundKind.ZERO_BYE, None, score),)
        )
        for tpn, score in enumerate(halves, start=1)
    )
    assert _meetings(PairingProblem(2, 5, field)) == [{1, 2}, {3, 4}, {5, 6}]


def test_equal_scores_meet() -> None:
    problem = _played_on(_first_round(8, 3), random.Random(1))
    by_tpn = {c.tpn: c.score_halves for c in problem.contestants}
    solution = Swiss().pair(problem)
    apart = sum(abs(by_tpn[b.first] - by_tpn[b.second]) for b in solution.boards)
    assert apart <= 2


def test_the_bye_goes_to_the_lowest_who_may_have_it() -> None:
    problem = _played_on(_first_round(5, 3), random.Random(3))
    bye = next(c for c in problem.contestants if not c.may_have_bye)
    second = Swiss().pair(problem).bye
    assert second is not None
    assert second != bye.tpn
    lowest = min(c.score_halves for c in problem.contestants if c.may_have_bye)
    assert {c.tpn: c.score_halves for c in problem.contestants}[second] == lowest


def test_a_field_that_has_met_completely_cannot_be_paired() -> None:
    problem = _played_on(_first_round(2, 3), random.Random(1))
    with pytest.raises(NoPairingError):
        Swiss().pair(problem)


def test_a_forbidden_pair_does_not_meet() -> None:
    free = _first_round(6, 3)
    forbidden = PairingProblem(1, 3, free.contestants, forbidden=frozenset({frozenset((1, 4))}))
    boards = {frozenset((b.first, b.second)) for b in Swiss().pair(forbidden).boards}
    assert frozenset((1, 4)) not in boards


def test_a_stored_problem_is_paired_again_to_the_same_answer() -> None:
    problem = _played_on(_first_round(7, 4), random.Random(5))
    again = PairingProblem.from_json(problem.to_json())
    assert again == problem
    assert Swiss().pair(again) == Swiss().pair(problem)


@pytest.mark.parametrize("data", [{}, {"contestants": 3}, {"contestants": [{"tpn": 1}]}])
def test_garbage_is_no_stored_problem(data: dict[str, object]) -> None:
    with pytest.raises(BadProblemError):
        PairingProblem.from_json(data)


def test_a_problem_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(BadProblemError, match="same TPN"):
        PairingProblem(1, 3, (Contestant(1, ()),), absent=(Contestant(1, ()),)).checked()
    with pytest.raises(BadProblemError, match="0 records before round 2"):
        PairingProblem(2, 3, (Contestant(1, ()),)).checked()


def test_a_problem_stored_before_there_were_point_systems_is_read() -> None:
    problem = _first_round(4, 3)
    data = problem.to_json()
    del data["points"], data["absent"]
    for contestant in data["contestants"]:
        del contestant["virtual_halves"]
    assert PairingProblem.from_json(data) == problem


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(BadProblemError, match="'jain'"):
        system("jain")


def _with(tpn: int, colours: str) -> Contestant:
    """Return a contestant whose games had these sides: `1` first, `2` second, `-` no side.

    Opponents are strangers.
    """
    kinds = {"1": RoundKind.FIRST, "2": RoundKind.SECOND, "-": RoundKind.HALF_BYE}
    return Contestant(
        tpn,
        tuple(
            RoundRecord(kinds[c], None if c == "-" else 100 + n, 1) for n, c in enumerate(colours)
        ),
    )


@pytest.mark.parametrize(
    ("colours", "side", "strength"),
    [
        ("", None, Strength.NONE),
        ("-", None, Strength.NONE),
        ("12", RoundKind.FIRST, Strength.MILD),
        ("1", RoundKind.SECOND, Strength.STRONG),
        ("121", RoundKind.SECOND, Strength.STRONG),
        ("2-", RoundKind.FIRST, Strength.STRONG),
        ("1122", RoundKind.FIRST, Strength.ABSOLUTE),
        ("11", RoundKind.SECOND, Strength.ABSOLUTE),
        ("1-1", RoundKind.SECOND, Strength.ABSOLUTE),
    ],
)
def test_preferences_follow_the_games_played(
    colours: str, side: RoundKind | None, strength: Strength
) -> None:
    actual = preference(_with(1, colours))
    assert (actual.side, actual.strength) == (side, strength)


@pytest.mark.parametrize(
    ("higher", "lower", "first", "rule"),
    [
        pytest.param("", "", 1, "5.2.5", id="initial colour"),
        pytest.param("1", "2", 2, "5.2.1", id="both get theirs"),
        pytest.param("1", "-", 2, "5.2.1", id="the one without a preference gives way"),
        pytest.param("11", "-1", 2, "5.2.2", id="absolute before strong"),
        pytest.param("1112", "2111", 1, "5.2.3", id="the last game in which they differ, reversed"),
        pytest.param("12", "12", 1, "5.2.4", id="the higher ranked"),
    ],
)
def test_sides_by_the_first_rule_that_decides(
    higher: str, lower: str, first: int, rule: str
) -> None:
    rounds = max(len(higher), len(lower))
    one, two = _with(1, higher.ljust(rounds, "-")), _with(2, lower.ljust(rounds, "-"))
    actual = allocate(PairingProblem(rounds + 1, 9, (one, two)), one, two)
    assert (actual.first, actual.rule) == (first, rule)
