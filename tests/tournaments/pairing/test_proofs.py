"""The proofs of bounds and the reasons of floaters, each against its sentence in the documentation."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from tests.tournaments.pairing.histories import lopsided_problem, random_problem
from tournaments.pairing import Dutch, NoPairingError, PairingProblem
from tournaments.pairing.colours import Strength
from tournaments.pairing.dutch import explain, rebuild_steps
from tournaments.pairing.dutch.rules.bracket import Bracket, BracketPairing
from tournaments.pairing.dutch.rules.values import criteria_values
from tournaments.pairing.dutch.search.steps import Step
from tournaments.pairing.dutch.why.bounds import bounded
from tournaments.pairing.dutch.why.look_ahead import with_c8
from tournaments.pairing.refusals import Reason
from tournaments.pairing.solution import BracketEvidence, CriterionValue


@cache
def _paired() -> Sequence[tuple[PairingProblem, Sequence[Step]]]:
    """Return random rounds, played or lopsided, with the brackets that they have."""
    rounds = []
    for seed in range(60):
        for problem in (
            random_problem(size=5 + seed % 14, rounds=seed % 6, seed=seed, is_last=seed % 4 == 0),
            lopsided_problem(
                size=4 + seed % 9, seed=seed, groups=1 + seed % 3, bias=0.9, club=seed % 5
            ),
        ):
            with contextlib.suppress(NoPairingError):
                rounds.append((problem, rebuild_steps(problem, Dutch().pair(problem))))
    return rounds


@cache
def _explained() -> Sequence[tuple[Bracket, BracketEvidence]]:
    """Return the brackets of these rounds."""
    return [
        (step.bracket, evidence)
        for problem, steps in _paired()
        for step, evidence in zip(steps, explain(problem, Dutch().pair(problem)), strict=True)
    ]


def _most_pairs(bracket: Bracket, left: tuple[int, ...]) -> int:
    """Return the size of a maximum matching of the bracket, by trial. MDPs do not meet each other."""
    if not left:
        return 0
    one, *others = left
    best = _most_pairs(bracket, tuple(others))
    for other in others:
        if bracket.field.may_meet(one, other) and other in bracket.residents:
            rest = tuple(place for place in others if place != other)
            best = max(best, 1 + _most_pairs(bracket, rest))
    return best


def _refused_pairs(bracket: Bracket, least: Strength, floaters: int) -> int:
    """Return how many pairs must refuse a preference of this strength: those who are due the more frequent side exceed the others."""
    due = Counter(
        player.preference.side
        for player in (bracket.field.players[place] for place in bracket.members)
        if player.preference.side and player.preference.strength >= least
    )
    frequent = max(due.values(), default=0) - floaters
    surplus = frequent - (len(bracket.members) - floaters - frequent)
    return max(0, (surplus + 1) // 2)


def _simplest(bracket: Bracket, evidence: BracketEvidence, value: CriterionValue) -> str:
    """Return the word for the simplest proof that a criterion cannot be less, or an empty text if counting does not show it."""
    floaters = len(evidence.floaters)
    if not any(value.value):
        return "zero"
    match value.criterion:
        case "C6" if value.value == (len(bracket.members) % 2,):
            return "parity"
        case "C6" if value.value[0] == len(bracket.members) - 2 * _most_pairs(
            bracket, bracket.members
        ):
            return "maximum-matching"
        case "C7" if value.value == (evidence.halves,) * floaters:
            return "lowest-score"
        case "C8" if not floaters:
            return "no-choice"
        case "C8" if (floaters + len(bracket.below[0])) % 2:
            score = bracket.field.players[bracket.below[0][0]].score_halves
            return "parity" if value.value == (1, score) else ""
        case "C12" if value.value == (_refused_pairs(bracket, Strength.MILD, floaters),):
            return "preference-count"
        case "C13" if value.value == (_refused_pairs(bracket, Strength.STRONG, floaters),):
            return "preference-count"
        case _:
            return ""


def test_a_bound_has_the_simplest_proof() -> None:
    words = Counter[tuple[str, str]]()
    for bracket, evidence in _explained():
        for value in evidence.criteria:
            expected = _simplest(bracket, evidence, value)
            if expected:
                assert (value.criterion, value.proof) == (value.criterion, expected)
            else:
                assert value.proof in ("weighted-matching", "duality")
            words[value.criterion, expected] += 1
    assert all(
        words[case]
        for case in (
            *(("C6", "parity"), ("C6", "maximum-matching"), ("C7", "lowest-score")),
            *(("C8", "no-choice"), ("C8", "parity"), ("C8", "")),
            *(("C12", "preference-count"), ("C13", "preference-count"), ("C12", "")),
        )
    ), words


@pytest.mark.long
def test_a_worse_pairing_of_a_bracket_does_not_reach_the_bounds() -> None:
    """A pair less leaves two floaters more, and other floaters have other scores."""
    worse = 0
    for problem, steps in _paired():
        for step, evidence in zip(steps, explain(problem, Dutch().pair(problem)), strict=True):
            bracket, pairs = step.bracket, step.pairing.pairs
            if not bracket.below:
                continue
            for dropped in range(len(pairs)):
                fewer = BracketPairing(bracket, [*pairs[:dropped], *pairs[dropped + 1 :]])
                values = with_c8(criteria_values(fewer), evidence.criteria[2].value)
                if [each.criterion for each in values] != [
                    each.criterion for each in evidence.criteria
                ]:
                    continue  # without a pair some criteria count nothing
                proved = bounded(fewer, step.completion, values)
                assert [each.bound for each in proved] == [each.value for each in evidence.criteria]
                worse += 1
    assert worse > 50


@pytest.mark.long
def test_the_cause_of_a_float_is_the_number_of_floaters() -> None:
    causes = Counter[str]()
    for bracket, evidence in _explained():
        values = {value.criterion: value for value in evidence.criteria}
        for reason in evidence.floats:
            causes[reason.cause] += 1
            if reason.cause == "no-opponent":
                continue
            if values["C6"].value == (len(bracket.members) % 2,):
                assert reason.cause == "odd"
            elif values["C6"].proof == "maximum-matching":
                assert reason.cause == "no-matching"
            else:
                assert reason.cause == "completion"
    assert causes.keys() == {"odd", "no-matching", "completion", "no-opponent"}


def test_a_player_without_an_opponent_is_told_whom_it_could_not_meet() -> None:
    """Each of the others counts once: met, forbidden, or due the same side."""
    counted = Counter[str]()
    for bracket, evidence in _explained():
        players = {player.tpn: player for player in bracket.field.players}
        for reason in evidence.floats:
            if reason.cause != "no-opponent":
                assert (reason.met, reason.colour, reason.forbidden) == (0, 0, 0)
                continue
            me = players[reason.tpn]
            mine = (
                evidence.residents
                if me.place in bracket.mdps
                else (
                    *evidence.mdps,
                    *evidence.residents,
                )
            )
            others = [players[tpn] for tpn in mine if tpn != reason.tpn]
            met = [each for each in others if each.tpn in me.contestant.met]
            barred = [
                each
                for each in others
                if frozenset((each.tpn, me.tpn)) in bracket.field.problem.forbidden
                and each not in met
            ]
            assert (reason.met, reason.forbidden) == (len(met), len(barred))
            assert reason.colour == len(others) - len(met) - len(barred)
            counted.update(met=reason.met, colour=reason.colour, forbidden=reason.forbidden)
    assert min(counted.values()) > 0


def test_the_explainer_of_a_round_says_what_its_evidence_says() -> None:
    problem = random_problem(size=11, rounds=4, seed=3)
    solution = Dutch().pair(problem)
    explainer = Dutch().explainer(problem, solution)
    assert explainer.system == "dutch"
    for number, bracket in enumerate(explain(problem, solution)):
        assert explainer.bracket(number) == bracket
    for board in solution.evidence:
        expected = board.first, board.second, board.colour_rule
        assert tuple(explainer.sides(board.first, board.second)) == expected
        assert tuple(explainer.sides(board.second, board.first)) == expected
        assert explainer.why_not(board.first, board.second).reason is Reason.GRANTED
    for player in explainer.field.players:
        assert explainer.due(player.contestant) == player.preference
