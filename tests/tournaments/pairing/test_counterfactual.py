"""Reasons why two did not meet: a brute-force search confirms each, and the answer reaches every bound."""

from __future__ import annotations

import contextlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing import corpus
from tests.tournaments.pairing.dutch_oracle import Oracle, OracleBracket, generation
from tests.tournaments.pairing.histories import random_problem
from tournaments import trf
from tournaments.commandline import pairing as cli
from tournaments.pairing import (
    BadProblemError,
    Contestant,
    Dutch,
    NoPairingError,
    PairingProblem,
    RoundKind,
    RoundRecord,
    Solution,
)
from tournaments.pairing.dutch import explain, rebuild_steps, why_not
from tournaments.pairing.dutch.rules.criteria import BY_CODE
from tournaments.pairing.dutch.search.steps import Step
from tournaments.pairing.dutch.why.look_ahead import c8_value
from tournaments.pairing.refusals import Reason, Refusal, Step4

fields = st.builds(
    random_problem,
    size=st.integers(2, 24),
    rounds=st.integers(0, 9),
    seed=st.integers(0, 10**9),
    is_last=st.booleans(),
)
small_fields = st.builds(
    random_problem,
    size=st.integers(3, 8),
    rounds=st.integers(0, 5),
    seed=st.integers(0, 10**9),
    is_last=st.booleans(),
)


def _paired(problem: PairingProblem) -> Solution:
    try:
        return Dutch().pair(problem)
    except NoPairingError:
        assume(False)
        raise


@pytest.mark.long
@settings(max_examples=120)
@given(problem=fields)
def test_every_criterion_reaches_its_bound(problem: PairingProblem) -> None:
    for bracket in explain(problem, _paired(problem)):
        for value in bracket.criteria:
            assert (value.criterion, value.value) == (value.criterion, value.bound)
            assert value.proof
        assert [reason.tpn for reason in bracket.floats] == list(bracket.floaters)


@settings(max_examples=60)
@given(problem=small_fields)
def test_c8_is_what_brute_force_finds_for_the_next_bracket(problem: PairingProblem) -> None:
    """And so is every other criterion."""
    solution = _paired(problem)
    oracle = Oracle(problem)
    steps = rebuild_steps(problem, solution)
    for step, evidence in zip(steps, explain(problem, solution), strict=True):
        values = {c.criterion: c.value for c in evidence.criteria}
        assert ("C8" in values) is bool(step.bracket.below)
        assert values == oracle.values(_bracket(step), oracle.bye(), tuple(step.pairing.pairs))


def _bracket(step: Step) -> OracleBracket:
    below = tuple(tuple(group) for group in step.bracket.below)
    return OracleBracket(step.bracket.mdps, tuple(step.bracket.residents), below)


def _breach(steps: list[Step], one: int, other: int | None) -> Step:
    for step in steps:
        members = step.bracket.members
        if one in members and (other in members or one in step.pairing.paired):
            return step
    raise AssertionError("they met")


def _expected(
    problem: PairingProblem, steps: list[Step], one: int, other: int | None
) -> tuple[str, object]:
    """The reason and its criterion or step, by trying every pairing of the bracket that keeps to the constraint."""
    step = _breach(steps, one, other)
    plain, constrained = Oracle(problem), Oracle(problem, together=(one, other))
    bracket = _bracket(step)
    bye = frozenset((one,)) if other is None else plain.bye() - {one, other}
    if other is not None and plain.bye() and not bye:
        return "incomplete", None
    candidates = list(constrained.candidates(bracket, bye))
    if not candidates:
        return "incomplete", None
    best = constrained.best(bracket, bye)
    actual = tuple(step.pairing.pairs)
    values = constrained.values(bracket, bye, best)
    for name, value in plain.values(bracket, plain.bye(), actual).items():
        if values.get(name, value) != value:
            assert values[name] > value, "the pairing was not the best"
            return name, (value, values[name])
    return _order(generation(bracket, actual), generation(bracket, best))


def _order(mine: Any, theirs: Any) -> tuple[str, object]:
    """The step of the generation that puts the one before the other."""
    assert mine < theirs
    if mine[0] != theirs[0]:
        return "order", Step4.MDP_SET
    if mine[1] != theirs[1]:
        return "order", Step4.MDP_OPPONENT
    same = mine[2:6] == theirs[2:6]
    return "order", Step4.TRANSPOSITION if same else Step4.EXCHANGE


def _answer(refusal: Refusal) -> tuple[str, object]:
    if refusal.reason is Reason.COMPLETION or refusal.criterion == "C5":
        return "incomplete", None
    if refusal.reason is Reason.ORDER:
        return "order", refusal.step
    return refusal.criterion, (refusal.value, refusal.other)


def _check_all(problem: PairingProblem, solution: Solution) -> None:
    steps = rebuild_steps(problem, solution)
    players = steps[0].field.players
    for p in players:
        for other in players[p.place + 1 :]:
            refusal = why_not(problem, solution, other.tpn, p.tpn, steps=steps)
            if not steps[0].field.may_meet(p.place, other.place):
                assert refusal.reason in (Reason.MET, Reason.COLOUR)
            elif refusal.reason is not Reason.GRANTED:
                assert _answer(refusal) == _expected(problem, steps, p.place, other.place)
                _check_words(steps, solution, refusal, p.place, other.place)
        refusal = why_not(problem, solution, p.tpn, None, steps=steps)
        if p.place in steps[0].bracket.bye and p.tpn != solution.bye:
            assert _answer(refusal) == _expected(problem, steps, p.place, None)
            _check_words(steps, solution, refusal, p.place, None)


_STEP_ARTICLES = {
    Step4.MDP_SET: "4.4",
    Step4.MDP_OPPONENT: "4.2",
    Step4.EXCHANGE: "4.3",
    Step4.TRANSPOSITION: "4.2",
}


def _check_words(
    steps: list[Step], solution: Solution, refusal: Refusal, one: int, other: int | None
) -> None:
    """The refusal names the bracket, its article, who would move down and who has the bye."""
    bracket = _breach(steps, one, other).bracket
    players = bracket.field.players
    assert refusal.halves == players[bracket.residents[0]].score_halves
    is_below = other is not None and other not in bracket.members
    assert refusal.moves_down == (players[one].tpn if is_below else None)
    tpns = {players[place].tpn for place in (one, other) if place is not None}
    assert refusal.bye == (solution.bye if solution.bye in tpns else None)
    if refusal.reason is Reason.ORDER:
        assert refusal.article == _STEP_ARTICLES[refusal.step]
    else:
        assert refusal.article == BY_CODE[refusal.criterion].article


@pytest.mark.parametrize(("seed", "one", "other"), [(234, 1, 2), (594, 1, 3)])
def test_the_mdps_that_are_paired_come_first_in_the_order(seed: int, one: int, other: int) -> None:
    """4.4 decides about the two. Brute force agrees on them and all others of the round."""
    problem = random_problem(size=8, rounds=3, seed=seed)
    solution = Dutch().pair(problem)
    refusal = why_not(problem, solution, one, other)
    assert (refusal.step, refusal.article) == (Step4.MDP_SET, "4.4")
    _check_all(problem, solution)


@pytest.mark.long
@settings(max_examples=40)
@given(problem=small_fields)
def test_the_named_criterion_is_the_first_that_the_best_pairing_with_the_wish_makes_worse(
    problem: PairingProblem,
) -> None:
    _check_all(problem, _paired(problem))


@pytest.mark.slow
@settings(max_examples=1000)
@given(problem=small_fields)
def test_the_named_criterion_is_right_in_many_fields(problem: PairingProblem) -> None:
    _check_all(problem, _paired(problem))


@pytest.mark.long
@settings(max_examples=60)
@given(problem=fields)
def test_a_stored_solution_is_explained_as_the_fresh_one(problem: PairingProblem) -> None:
    solution = _paired(problem)
    data = json.loads(
        json.dumps(
            {
                "bye": solution.bye,
                "boards": [e._asdict() for e in solution.evidence],
                "brackets": [b.to_json() for b in solution.brackets],
            }
        )
    )
    stored = Solution.from_json(data)
    assert stored == solution
    assert explain(problem, stored) == explain(problem, solution)


def _with_pair(problem: PairingProblem, one: int, other: int) -> PairingProblem:
    """Return the problem in which the first may meet only the second."""
    others = {each.tpn for each in problem.contestants} - {one, other}
    forbidden = {frozenset((one, each)) for each in others}
    return problem._replace(forbidden=problem.forbidden | forbidden)


def _score(problem: PairingProblem, tpn: int) -> int:
    records = next(each.records for each in problem.contestants if each.tpn == tpn)
    return sum(record.score_halves for record in records)


def _with_byes() -> Iterator[tuple[PairingProblem, Solution]]:
    for seed in range(60):
        problem = random_problem(size=5 + 2 * (seed % 4), rounds=1 + seed % 5, seed=seed)
        with contextlib.suppress(NoPairingError):
            solution = Dutch().pair(problem)
            if solution.bye is not None:
                yield problem, solution


@pytest.mark.long
def test_c5_is_named_exactly_if_the_pair_gives_the_bye_to_a_higher_score() -> None:
    named = Counter[bool]()
    for problem, solution in _with_byes():
        assert solution.bye is not None
        lowest = _score(problem, solution.bye)
        for one, other in combinations(sorted(each.tpn for each in problem.contestants), 2):
            refusal = why_not(problem, solution, one, other)
            if refusal.reason in (Reason.GRANTED, Reason.MET, Reason.COLOUR):
                continue
            # The round is paired as a whole: brackets above the pair may change as well.
            try:
                bye = Dutch().pair(_with_pair(problem, one, other)).bye
            except NoPairingError:
                assert refusal.criterion == "C4"
                continue
            assert bye is not None
            if bye == one:
                continue  # that round is without the pair
            score = _score(problem, bye)
            assert (refusal.criterion == "C5") is (score > lowest)
            if score > lowest:
                assert (refusal.value, refusal.other) == ((lowest,), (score,))
            named[score > lowest] += 1
    assert min(named[True], named[False]) > 20


def _first_round(size: int) -> tuple[PairingProblem, Solution]:
    problem = PairingProblem(1, 5, tuple(Contestant(tpn, ()) for tpn in range(1, size + 1)))
    return problem, Dutch().pair(problem)


def test_first_round_opponents_follow_from_the_order_of_generation() -> None:
    """3.2: 1 meets 4 of six. 1-5 is a later transposition (4.2), 1-2 needs an exchange (4.3)."""
    problem, solution = _first_round(6)
    assert why_not(problem, solution, 1, 4).reason is Reason.GRANTED
    assert why_not(problem, solution, 1, 5).step is Step4.TRANSPOSITION
    refusal = why_not(problem, solution, 1, 2)
    assert (refusal.reason, refusal.step, refusal.article) == (
        Reason.ORDER,
        Step4.EXCHANGE,
        "4.3",
    )


def test_only_an_odd_field_has_a_bye() -> None:
    problem, solution = _first_round(6)
    assert why_not(problem, solution, 3, None).reason is Reason.EVEN
    problem, solution = _first_round(7)
    assert why_not(problem, solution, 7, None).reason is Reason.GRANTED
    assert why_not(problem, solution, 3, None).reason is Reason.ORDER


def _record(kind: RoundKind, opponent: int | None, halves: int) -> RoundRecord:
    return RoundRecord(kind, opponent, halves)


def _second_round() -> PairingProblem:
    """Return the problem in which 1 beat 4, 5 beat 2, 3 had the bye, and 6 is absent."""
    first, second = RoundKind.FIRST, RoundKind.SECOND
    records = {
        1: _record(first, 4, 2),
        2: _record(second, 5, 0),
        3: _record(RoundKind.PAIRING_BYE, None, 2),
        4: _record(second, 1, 0),
        5: _record(first, 2, 2),
    }
    contestants = tuple(Contestant(tpn, (record,)) for tpn, record in records.items())
    away = Contestant(6, (_record(RoundKind.ZERO_BYE, None, 0),))
    return PairingProblem(2, 5, contestants, absent=(away,))


def test_those_who_have_met_are_told_in_which_round() -> None:
    problem = _second_round()
    refusal = why_not(problem, Dutch().pair(problem), 4, 1)
    assert (refusal.reason, refusal.round_number) == (Reason.MET, 1)


def test_forbidden_pairs_and_absent_players_are_told_as_such() -> None:
    problem = _second_round()._replace(forbidden=frozenset({frozenset((1, 5))}))
    solution = Dutch().pair(problem)
    assert why_not(problem, solution, 1, 5).reason is Reason.FORBIDDEN
    refusal = why_not(problem, solution, 1, 6)
    assert (refusal.reason, refusal.absent) == (Reason.ABSENT, 6)


def test_the_bye_goes_to_nobody_twice_and_to_the_lowest_score() -> None:
    problem = _second_round()
    solution = Dutch().pair(problem)
    assert solution.bye == 2
    assert why_not(problem, solution, 3, None).reason is Reason.BYE_HAD
    refusal = why_not(problem, solution, 5, None)
    assert (refusal.criterion, refusal.value, refusal.other) == ("C5", (0,), (2,))


def test_equal_absolute_preferences_are_told_as_such() -> None:
    """C3: two who both had the first side twice."""
    first, second = RoundKind.FIRST, RoundKind.SECOND
    records = {
        tpn: (_record(side, 10 + tpn, 1), _record(side, 20 + tpn, 1))
        for tpn, side in ((1, first), (2, first), (3, second), (4, second))
    }
    problem = PairingProblem(3, 5, tuple(Contestant(t, r) for t, r in records.items()))
    refusal = why_not(problem, Dutch().pair(problem), 2, 1)
    assert (refusal.reason, refusal.criterion) == (Reason.COLOUR, "C3")


@pytest.mark.parametrize(("tpn", "opponent"), [(1, 1), (1, 99), (99, 1)])
def test_questions_about_nobody_are_refused(tpn: int, opponent: int) -> None:
    problem, solution = _first_round(4)
    with pytest.raises(BadProblemError):
        why_not(problem, solution, tpn, opponent)


def test_a_solution_of_another_problem_is_refused() -> None:
    _, solution = _first_round(4)
    with pytest.raises(BadProblemError):
        why_not(_second_round(), solution, 1, 2)


@pytest.mark.long
def test_the_last_of_an_odd_bracket_floats_unless_something_would_be_worse() -> None:
    rng = random.Random(5)
    choices = set()
    for _ in range(60):
        problem = random_problem(size=21, rounds=4, seed=rng.getrandbits(30))
        for bracket in explain(problem, Dutch().pair(problem)):
            for reason in bracket.floats:
                choices.add(reason.choice)
                if reason.choice == "last":
                    assert reason.tpn == bracket.residents[-1]
                if reason.choice == "criterion" and reason.criterion != "C4":
                    assert reason.other > reason.value
    assert {"last", "criterion"} <= choices


def test_c8_counts_before_it_weighs() -> None:
    problem, solution = _first_round(4)
    field = rebuild_steps(problem, solution)[0].field
    assert c8_value(field, []) == (0,)
    assert c8_value(field, [0, 1]) == (2, 0, 0)


def test_the_command_line_tells_c8_bounds_and_floats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = next(c for c in corpus.cases() if c.boards and len(c.boards) > 20)
    source = tmp_path / "in.trf"
    source.write_text(case.trf)
    assert cli.main(["--dutch", str(source), "--explain"]) == 0
    brackets_json = json.loads(capsys.readouterr().out)["brackets"]
    assert all(
        "C8" in {c["criterion"] for c in bracket["criteria"]} for bracket in brackets_json[:-1]
    )
    assert all(c["bound"] == c["value"] for bracket in brackets_json for c in bracket["criteria"])
    assert all(len(bracket["floats"]) == len(bracket["floaters"]) for bracket in brackets_json)


@pytest.mark.long
@settings(max_examples=80)
@given(problem=small_fields)
def test_who_floats_among_several_would_have_made_something_worse_in_the_bracket(
    problem: PairingProblem,
) -> None:
    """Compare the sentence of every floater with brute force: no pairing with that player inside is better."""
    solution = _paired(problem)
    oracle = Oracle(problem)
    bye = oracle.bye()
    for evidence, (bracket, pairs) in zip(
        explain(problem, solution), oracle.rounds_of_brackets(), strict=True
    ):
        values = oracle.values(bracket, bye, pairs)
        for reason in evidence.floats:
            if not reason.is_paired_otherwise:
                continue
            place = next(p for p in bracket.members if oracle.players[p].tpn == reason.tpn)
            inside = [
                oracle.values(bracket, bye, other)
                for other in oracle.candidates(bracket, bye)
                if any(place in pair for pair in other)
            ]
            if reason.criterion == "C4":
                assert not inside
                continue
            best = min(inside, key=lambda value: list(value.values()))
            worse = next((code for code in values if best.get(code) != values[code]), "")
            assert reason.criterion == worse
            assert reason.choice == ("criterion" if worse else "order")


def test_a_float_of_a_small_field_is_explained_by_the_criterion_that_decides_it() -> None:
    """Numbers 4 and 5 could meet, 2 and 3 float, and the round be completed. That is worse in C12."""
    problem = trf.pairing_problem(trf.read(_FIVE))
    bracket = next(b for b in explain(problem, Dutch().pair(problem)) if len(b.floaters) == 2)
    assert {
        reason.tpn: reason.criterion for reason in bracket.floats if reason.choice != "last"
    } == {4: "C12"}


_FIVE = "\n".join(
    [
        "142 6",
        "152 W",
        *(
            f"001 {tpn:>4}      {'P':33} 2000 {'':26} {points:>4} {tpn:>4}{''.join(rounds)}"
            for tpn, points, rounds in (
                (1, "1.0", ("     3 w 0", "  0000 - U", "     4 b 0")),
                (2, "2.0", ("     4 b 1", "     5 w 0", "  0000 - U")),
                (3, "2.0", ("     1 b 1", "     4 w 0", "     5 b 1")),
                (4, "2.0", ("     2 w 0", "     3 b 1", "     1 w 1")),
                (5, "2.0", ("  0000 - U", "     2 b 1", "     3 w 0")),
            )
        ),
        "",
    ]
)
