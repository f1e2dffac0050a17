"""The steps that pairings and explanations by the Dutch system take for a fixed set of fields.

A fault that makes a quick way give up, or a stored answer useless, changes no pairing: a slower way finds it too.
Only functions that other modules call are counted, so that the inside of a module can change. The counts were measured,
and a quarter more is allowed: most quick ways that give up make some count grow by half, or many times.
If a change makes a number smaller, write the smaller number here.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise

import pytest

from tests import work
from tests.bench import hard_fields
from tests.tournaments.pairing.histories import lopsided_problem, random_problem
from tests.tournaments.pairing.test_best_matchings import random_graph
from tournaments import trf
from tournaments.commandline.generator import generate
from tournaments.commandline.recipe import Recipe
from tournaments.pairing import Dutch, NoPairingError, PairingProblem, Solution
from tournaments.pairing.best_matchings import BestMatchings
from tournaments.pairing.dutch import explain, why_not
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.search import (
    bits,
    completion,
    duals,
    exact,
    exchanges,
    odd_sets,
    quick,
    tight,
)
from tournaments.pairing.dutch.search.steps import Step, brackets


@cache
def _fields() -> Sequence[PairingProblem]:
    return [
        *(
            random_problem(size=8 + seed % 23, rounds=seed % 8, seed=seed, is_last=seed % 4 == 0)
            for seed in range(60)
        ),
        *(
            lopsided_problem(
                size=8 + seed % 23,
                seed=seed,
                groups=1 + seed % 4,
                bias=(0.5, 0.6, 0.8)[seed % 3],
                club=(0, 0, 3, 4, 5)[seed % 5],
            )
            for seed in range(120)
        ),
        *(hard_fields.coloured(24, firsts=firsts) for firsts in (0.6, 0.8)),
        *(hard_fields.exhausted(size, left=left) for size in (12, 20) for left in (1, 2, 4)),
        *(hard_fields.few_opponents(size, each=each) for size in (24, 25) for each in (4, 6)),
        hard_fields.nobody_played(21),
        *(hard_fields.all_scores(size) for size in (20, 21)),
    ]


def _pair_all() -> None:
    for problem in _fields():
        with contextlib.suppress(NoPairingError):
            Dutch().pair(problem)


@cache
def _steps() -> Sequence[Step]:
    steps: list[Step] = []
    for problem in _fields()[::2]:
        with contextlib.suppress(NoPairingError):
            steps += brackets(field_of(problem))
    return steps


@cache
def _late_rounds() -> Sequence[PairingProblem]:
    """Rounds of long events, in which a small bracket chooses the floater of a larger one."""
    problems = []
    for number, seed in ((17, 2), (18, 1), (19, 2)):
        recipe = Recipe(players=40, rounds=20, rounds_played=number - 1)
        problems.append(trf.pairing_problem(generate(recipe, seed).report))
    return problems


def _pair_late() -> None:
    for problem in _late_rounds():
        Dutch().pair(problem)


def _pair_each_alone() -> None:
    """Look at each bracket alone as long as in a large field."""
    for step in _steps():
        bye = step.bracket.bye
        pairs = quick.quick_pairs(step.bracket, completion.Completion(step.field, bye))
        assert pairs is None or set(pairs) == set(step.pairing.pairs)


def _pair_all_by_weights() -> None:
    for step in _steps():
        exact.exact_pairs(step.bracket, completion.Completion(step.field, step.bracket.bye))


@cache
def _solutions() -> Sequence[tuple[PairingProblem, Solution]]:
    solutions = []
    for problem in _fields()[::4]:
        with contextlib.suppress(NoPairingError):
            solutions.append((problem, Dutch().pair(problem)))
    return solutions


def _explain_all() -> None:
    for problem, solution in _solutions():
        explain(problem, solution)


def _ask_why_not() -> None:
    for problem, solution in _solutions():
        for one, other in pairwise(c.tpn for c in problem.contestants[::2]):
            why_not(problem, solution, one, other)


def _find_first_identifiers() -> None:
    for seed in range(200):
        near, weight = random_graph(random.Random(seed), 12)
        graph = BestMatchings(near, range(12), weight)
        if graph.tight:
            graph.first_identifier()


_SLACK = 1.25

_OF_PAIRINGS: Mapping[Callable[..., object], int] = {
    exact.exact_pairs: 3,
    exact.complete_pairs: 3,
    completion.Completion.takes: 1091,
    completion.Completion.needed_above: 304,
    completion.Completion.takes_left: 11,
    completion.induced: 378,
    tight.best_matching: 211,
    duals.prices: 244,
    exchanges.s1_after_exchange: 30,
    bits.matching: 1526,
    bits.exchangeable: 292,
    bits.exchange: 53,
}
_OF_LATE_ROUNDS: Mapping[Callable[..., object], int] = {
    exact.exact_pairs: 0,
    quick.pairs_without: 3,
    completion.Completion.takes: 169,
    tight.best_matching: 7,
    duals.prices: 14,
    bits.matching: 200,
}
_ALONE: Mapping[Callable[..., object], int] = {
    completion.Completion.mates: 32,
    completion.Completion.takes_left: 26,
    completion.Completion.floaters_taken: 12,
    completion.induced: 433,
    tight.best_matching: 228,
    duals.prices: 256,
    exchanges.s1_after_exchange: 31,
    bits.matching: 889,
    bits.exchangeable: 186,
    bits.exchange: 39,
}
_BY_WEIGHTS: Mapping[Callable[..., object], int] = {
    exact.complete_pairs: 101,
    odd_sets.tight_edges: 984,
    bits.matching: 2134,
}
_OF_EXPLANATIONS: Mapping[Callable[..., object], int] = {
    quick.reaches_bound: 77,
    quick.quick_pairs: 19,
    quick.pairs_without: 14,
    exact.best_pairs: 21,
    duals.prices: 160,
    bits.matching: 415,
}
_OF_REFUSALS: Mapping[Callable[..., object], int] = {
    quick.quick_pairs: 340,
    exact.best_pairs: 6,
    duals.prices: 375,
    odd_sets.tight_edges: 18,
    bits.matching: 1627,
}
_OF_IDENTIFIERS: Mapping[Callable[..., object], int] = {
    bits.PerfectMatching.choose: 2934,
    bits.first_transversal: 194,
    bits.matching: 331,
    bits.exchange: 500,
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("pair", "most"),
    [
        (_pair_all, _OF_PAIRINGS),
        (_pair_late, _OF_LATE_ROUNDS),
        (_pair_each_alone, _ALONE),
        (_pair_all_by_weights, _BY_WEIGHTS),
        (_explain_all, _OF_EXPLANATIONS),
        (_ask_why_not, _OF_REFUSALS),
        (_find_first_identifiers, _OF_IDENTIFIERS),
    ],
    ids=[
        "the quickest way",
        "late rounds",
        "brackets alone",
        "weighted matchings",
        "explanations",
        "refusals",
        "identifiers",
    ],
)
def test_the_search_takes_few_more_steps_than_measured(
    pair: Callable[[], None], most: Mapping[Callable[..., object], int]
) -> None:
    _steps()
    _solutions()
    _late_rounds()
    counted = dict(zip(most, work.calls_of(most, pair), strict=True))
    more = {
        step.__qualname__: (count, most[step])
        for step, count in counted.items()
        if count > _SLACK * most[step]
    }
    assert not more
