"""The explanations of the FIDE systems of C.04.4: sides, criteria, and reasons against a pair or a bye."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.tournaments.pairing.random_rounds import ORACLES, own_round, random_round
from tests.tournaments.pairing.written_rounds import played, written_round
from tournaments.pairing import (
    BadProblemError,
    Contestant,
    Dutch,
    NoPairingError,
    PairingProblem,
    explained_system,
    report_system,
    system,
)
from tournaments.pairing.dubov import Dubov
from tournaments.pairing.refusals import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.pairing import Solution
    from tournaments.pairing.explained import ExplainedSystem
    from tournaments.pairing.refusals import Refusal

_FIRST_BYE = ["burstein", "dubov", "lim"]


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(ORACLES))
def test_why_not_is_what_the_enumeration_says(name: str) -> None:
    """Two could meet if a complete pairing has them. The answer names the bye or a bracket then."""
    for seed in range(150):
        rng = random.Random(seed)
        _ask(name, random_round(seed), rng.randint(1, 8), rng.randint(0, 8))


def _ask(name: str, problem: PairingProblem, one: int, other: int) -> None:
    if name == "burstein":
        problem = problem._replace(rounds_total=problem.round_number)
    present = {c.tpn for c in problem.contestants}
    explained = explained_system(name)
    assert explained is not None
    if one == other or not {one, other or one} <= present:
        return
    try:
        solution = explained.pair(problem)
    except NoPairingError:
        return
    refusal = explained.explainer(problem, solution).why_not(one, other or None)
    oracle = ORACLES[name](problem)
    oracle.require(one, other)
    try:
        oracle.solution()
        is_possible = True
    except NoPairingError:
        is_possible = False
    compared = (Reason.GRANTED, Reason.CRITERION, Reason.ORDER)
    assert (refusal.reason in compared) == is_possible
    if refusal.reason is Reason.CRITERION:
        assert refusal.other > refusal.value
    if refusal.reason in (Reason.CRITERION, Reason.ORDER):
        assert refusal.article[0] in "12347CD"


_ODD = {
    1: ("w2=2", "b3=1"),
    2: ("b1=0", "w4=2"),
    3: ("w4=2", "w1=1"),
    4: ("b3=0", "b2=0"),
    5: ("U=2", "Z=0"),
}
# 1 and 2 have had White twice.
_EVEN = {
    1: ("w3=2", "w4=2"),
    2: ("w4=2", "w3=2"),
    3: ("b1=0", "b2=0"),
    4: ("b2=0", "b1=0"),
    **dict.fromkeys((5, 6, 7, 8), ("H=1", "H=1")),
}


@pytest.mark.parametrize(
    ("rounds", "question", "reason", "criterion", "round_number"),
    [
        (_ODD, (1, 2), Reason.MET, "C1", 1),
        (_ODD, (3, 1), Reason.MET, "C1", 2),
        (_ODD, (5, None), Reason.BYE_HAD, "C2", 0),
        (_ODD, (1, 4), Reason.FORBIDDEN, "", 0),
        (_ODD, (1, 9), Reason.ABSENT, "", 0),
        (_ODD, (9, None), Reason.ABSENT, "", 0),
        (_EVEN, (1, 2), Reason.COLOUR, "C3", 0),
        (_EVEN, (1, None), Reason.EVEN, "", 0),
    ],
)
@pytest.mark.parametrize("name", ["dubov", "dutch-2017", "lim"])
def test_a_pair_that_the_absolute_criteria_forbid_is_refused_by_the_first_of_them(
    name: str,
    rounds: Mapping[int, Sequence[str]],
    question: tuple[int, int | None],
    reason: Reason,
    criterion: str,
    round_number: int,
) -> None:
    forbidden = frozenset({frozenset({1, 4})}) if rounds is _ODD else frozenset()
    absent = (Contestant(9, played("Z=0", "Z=0")),)
    problem = written_round(rounds)._replace(forbidden=forbidden, absent=absent)
    explained = explained_system(name)
    assert explained is not None
    refusal = explained.explainer(problem, explained.pair(problem)).why_not(*question)
    assert (refusal.reason, refusal.round_number) == (reason, round_number)
    if name == "dubov":
        assert refusal.criterion == criterion
        assert refusal.article in {"", *(c.article for c in Dubov.criteria if c.code == criterion)}
    assert refusal.absent == (9 if reason is Reason.ABSENT else None)


@pytest.mark.parametrize("question", [(1, 1), (1, 9), (9, None), (9, 1)])
def test_a_question_about_one_player_or_an_unknown_one_is_refused(
    question: tuple[int, int | None],
) -> None:
    explained = explained_system("dubov")
    assert explained is not None
    problem = written_round(_EVEN)
    with pytest.raises(BadProblemError, match="no question"):
        explained.explainer(problem, explained.pair(problem)).why_not(*question)


def test_the_bye_of_a_player_is_named_with_the_reason_against_another_pair() -> None:
    explained = explained_system("dubov")
    assert explained is not None
    problem = written_round(_ODD)
    solution = explained.pair(problem)
    assert solution.bye is not None
    other = next(c.tpn for c in problem.contestants if c.tpn not in {solution.bye, 5})
    explainer = explained.explainer(problem, solution)
    assert explainer.why_not(other, solution.bye).bye == solution.bye
    others = [c.tpn for c in problem.contestants if c.tpn != solution.bye]
    assert explainer.why_not(others[0], others[1]).bye is None
    assert explainer.why_not(solution.bye, None).reason is Reason.GRANTED


@pytest.mark.parametrize("name", _FIRST_BYE)
def test_an_explanation_belongs_to_its_round(name: str) -> None:
    problem = written_round(dict.fromkeys(range(1, 7), ("H=1",)))._replace(rounds_total=2)
    solution = report_system(name).pair(problem)
    assert report_system(name).explanation(problem, solution) == solution.brackets
    other = solution._replace(boards=solution.boards[::-1])
    with pytest.raises(BadProblemError):
        report_system(name).explanation(problem, other)


def _explained(name: str) -> ExplainedSystem:
    explained = explained_system(name)
    assert explained is not None
    return explained


def _why_not(name: str, problem: PairingProblem, one: int, other: int | None) -> Refusal:
    explained = _explained(name)
    return explained.explainer(problem, explained.pair(problem)).why_not(one, other)


def _solved(name: str) -> Iterator[tuple[PairingProblem, Solution]]:
    for seed in range(80):
        problem = own_round(name, random_round(seed))
        try:
            yield problem, system(name).pair(problem)
        except NoPairingError:
            continue


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(ORACLES))
def test_the_explained_sides_of_two_who_meet_are_those_of_their_board(name: str) -> None:
    for problem, solution in _solved(name):
        explainer = _explained(name).explainer(problem, solution)
        for board in solution.evidence:
            expected = board.first, board.second, board.colour_rule
            assert tuple(explainer.sides(board.first, board.second)) == expected
            assert tuple(explainer.sides(board.second, board.first)) == expected


@pytest.mark.parametrize("name", sorted(ORACLES))
def test_an_explained_criterion_reaches_its_bound(name: str) -> None:
    for problem, solution in _solved(name):
        explainer = _explained(name).explainer(problem, solution)
        for number, bracket in enumerate(solution.brackets):
            explained = explainer.bracket(number)
            assert explained.pairs == bracket.pairs
            assert [c.value for c in explained.criteria] == [c.value for c in bracket.criteria]
            for criterion in explained.criteria:
                assert criterion.bound == criterion.value
                is_zero = all(number == 0 for number in criterion.value)
                assert criterion.proof == ("zero" if is_zero else "weighted-matching")


@pytest.mark.parametrize(("name", "side"), [("dubov", "second"), ("burstein", None)])
def test_the_side_due_to_a_player_without_a_game_is_that_of_the_system(
    name: str, side: str | None
) -> None:
    """C.04.4.1 1.6 gives Black, C.04.4.2 none."""
    problem = written_round({1: ("w2=1",), 2: ("b1=1",), 3: ("H=1",), 4: ("H=1",)}, total=1)
    solution = system(name).pair(problem)
    explainer = _explained(name).explainer(problem, solution)
    assert explainer.system == name
    sides = [explainer.due(contestant).side for contestant in problem.contestants]
    assert [each and each.value for each in sides] == ["second", "first", side, side]


# 1 to 4 have a point, 5 to 8 half a point.
_GROUPS = {**dict.fromkeys(range(1, 5), ("H=2",)), **dict.fromkeys(range(5, 9), ("H=1",))}
# 3, 4 and 5 have no point. Only 3 has played a game.
_BYE = {1: ("H=2",), 2: ("b9=1",), 3: ("w8=0",), 4: ("Z=0",), 5: ("Z=0",)}


# 1 to 3 have a point, 4 and 5 half a point.
_FIVE = {**dict.fromkeys((1, 2, 3), ("H=2",)), **dict.fromkeys((4, 5), ("H=1",))}
_FOUR = dict.fromkeys((1, 2, 3, 4), ("H=1",))


@pytest.mark.parametrize(
    ("name", "rounds", "question", "criterion", "article", "values", "halves"),
    [
        pytest.param("dubov", _GROUPS, (1, 4), "", "4.4", ((), ()), 2, id="dubov transposition"),
        pytest.param("dubov", _GROUPS, (1, 2), "", "4.3", ((), ()), 2, id="dubov shift"),
        pytest.param("dubov", _GROUPS, (6, 5), "", "4.3", ((), ()), 1, id="dubov second bracket"),
        pytest.param(
            "dubov", _GROUPS, (1, 5), "C5", "2.3.1", ((0,), (2,)), 2, id="dubov upfloaters"
        ),
        pytest.param("dubov", _BYE, (1, 4), "C6", "2.3.2", ((1,), (2,)), 2, id="dubov differences"),
        pytest.param("dubov", _BYE, (2, None), "B1", "3.1.3", ((0,), (1,)), None, id="dubov score"),
        pytest.param("dubov", _BYE, (5, None), "B2", "3.1.4", ((0,), (1,)), None, id="dubov games"),
        pytest.param("dubov", _FIVE, (4, None), "", "3.1.5", ((), ()), None, id="dubov rank"),
        pytest.param(
            "dubov", _FIVE, (4, 5), "B1", "3.1.3", ((1,), (2,)), None, id="dubov other bye"
        ),
        pytest.param("burstein", _GROUPS, (6, 5), "", "4.3", ((), ()), 1, id="burstein order"),
        pytest.param(
            "burstein", _GROUPS, (1, 5), "C5", "2.3.1", ((0,), (2,)), 2, id="burstein floaters"
        ),
        pytest.param(
            "burstein", _BYE, (3, 5), "B2", "3.1.4", ((0,), (1,)), None, id="burstein other bye"
        ),
        pytest.param("lim", _GROUPS, (1, 4), "", "4", ((), ()), 2, id="lim exchange"),
        pytest.param("lim", _BYE, (1, 4), "C5", "3.10", ((0,), (2,)), 0, id="lim lowest group"),
        pytest.param("lim", _BYE, (4, None), "", "1.1", ((), ()), None, id="lim number"),
        pytest.param("dutch-2017", _GROUPS, (1, 4), "", "D", ((), ()), 2, id="dutch-2017 order"),
        pytest.param(
            "dutch-2017", _GROUPS, (1, 5), "C5", "C.5", ((0,), (2,)), 2, id="dutch-2017 pairs"
        ),
        pytest.param(
            "dutch-2017", _BYE, (5, None), "C12", "C.12", ((0,), (1,)), 0, id="dutch-2017 float"
        ),
        pytest.param(
            "dutch-2017", _FIVE, (1, None), "C7", "C.7", ((1, 1), (1, 2)), 2, id="dutch-2017 next"
        ),
        pytest.param(
            "dutch-2017", _FIVE, (4, 5), "C6", "C.6", ((2, 1), (3,)), 1, id="dutch-2017 A.8"
        ),
    ],
)
def test_the_first_rule_that_another_pairing_breaks_is_named(
    name: str,
    rounds: Mapping[int, Sequence[str]],
    question: tuple[int, int | None],
    criterion: str,
    article: str,
    values: tuple[tuple[int, ...], tuple[int, ...]],
    halves: int | None,
) -> None:
    refusal = _why_not(name, written_round(rounds, total=2), *question)
    assert refusal.reason is (Reason.CRITERION if criterion else Reason.ORDER)
    assert (refusal.criterion, refusal.article) == (criterion, article)
    assert (refusal.value, refusal.other) == values
    assert refusal.halves == halves


@pytest.mark.parametrize(
    ("name", "article"),
    [("burstein", "2.2.1"), ("dubov", "2.2.1"), ("dutch-2017", "C.4"), ("lim", "2.6")],
)
def test_a_pair_that_leaves_the_round_incomplete_is_refused_by_c4(name: str, article: str) -> None:
    """3 and 4 must not meet: 1 and 2 cannot."""
    problem = written_round(_FOUR, total=2)._replace(forbidden=frozenset({frozenset((3, 4))}))
    refusal = _why_not(name, problem, 1, 2)
    assert (refusal.reason, refusal.criterion) == (Reason.COMPLETION, "C4")
    assert refusal.article == article


def test_burstein_1_6_a_round_of_the_seeding_is_explained_as_one_of_the_dutch_system() -> None:
    problem = written_round(_GROUPS)
    burstein, dutch = report_system("burstein"), Dutch()
    solution = burstein.pair(problem)
    assert burstein.explanation(problem, solution) == dutch.explanation(problem, solution)
    assert _explained("burstein").explainer(problem, solution).system == "dutch"


@pytest.mark.parametrize("name", sorted(ORACLES))
def test_the_only_two_of_a_round_meet(name: str) -> None:
    problem = written_round({1: ("H=1",), 2: ("H=1",)}, total=2)
    assert _why_not(name, problem, 1, 2).reason is Reason.GRANTED


@pytest.mark.parametrize("name", ["dubov", "dutch-2017", "lim"])
def test_the_last_of_two_meetings_is_named(name: str) -> None:
    rounds = {1: ("w2=1", "b2=1"), 2: ("b1=1", "w1=1"), 3: ("H=1", "H=1"), 4: ("H=1", "H=1")}
    refusal = _why_not(name, written_round(rounds), 1, 2)
    assert (refusal.reason, refusal.round_number) == (Reason.MET, 2)
