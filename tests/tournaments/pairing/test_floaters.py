"""Floaters of a bracket, and what they are worth to the next one, against all pairings of small brackets."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import pytest

from tests.tournaments.pairing.histories import lopsided_problem, random_problem
from tournaments.pairing import NoPairingError
from tournaments.pairing.dutch.rules.bracket import Bracket
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.search.floaters import (
    is_best_for_next,
    least_floaters,
    left_in_next,
)
from tournaments.pairing.dutch.search.steps import brackets

pytestmark = pytest.mark.long

_LARGEST = 8
# Number of floaters, and their scores, the highest first (C6, C7).
Quality = tuple[int, list[int]]


@cache
def _brackets() -> Sequence[Bracket]:
    """Return brackets that are small and have others below them."""
    fields = [
        *(random_problem(size=8 + seed % 7, rounds=3 + seed % 5, seed=seed) for seed in range(60)),
        *(
            lopsided_problem(size=8 + seed % 9, seed=seed, groups=3, bias=0.6, club=3)
            for seed in range(60)
        ),
    ]
    all_brackets: list[Bracket] = []
    for problem in fields:
        with contextlib.suppress(NoPairingError):
            all_brackets += [step.bracket for step in brackets(field_of(problem))]
    return [
        bracket
        for bracket in all_brackets
        if bracket.below and len(bracket.members) <= _LARGEST and len(bracket.below[0]) < _LARGEST
    ]


def _leftovers(bracket: Bracket, members: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the players left over in each pairing of these members. MDPs do not meet."""
    if not members:
        yield ()
        return
    one, *others = members
    for left in _leftovers(bracket, tuple(others)):
        yield (one, *left)
    for other in others:
        if bracket.field.may_meet(one, other) and other not in bracket.mdps:
            yield from _leftovers(bracket, tuple(p for p in others if p != other))


def _quality(bracket: Bracket, left: Sequence[int]) -> Quality:
    scores = sorted((bracket.field.players[p].score_halves for p in left), reverse=True)
    return len(scores), scores


def _best(bracket: Bracket) -> Quality:
    return min(_quality(bracket, left) for left in _leftovers(bracket, bracket.members))


def test_the_fewest_floaters_have_the_lowest_scores() -> None:
    for bracket in _brackets():
        floaters = least_floaters(bracket)
        assert _best(bracket) == (
            floaters.total(),
            sorted(floaters.elements(), reverse=True),
        )


def test_floaters_are_best_for_the_next_bracket_if_no_others_could_serve_it_better() -> None:
    """Others are members who float in some pairing, as many of each score. Not all of them need to float together."""
    verdicts = Counter[bool]()
    for bracket in _brackets():
        quality = _best(bracket)
        ways = {
            way for way in _leftovers(bracket, bracket.members) if _quality(bracket, way) == quality
        }
        candidates = sorted({place for way in ways for place in way})
        best = min(
            _best(bracket.next(others))
            for others in combinations(candidates, quality[0])
            if _quality(bracket, others) == quality
        )
        for floaters in ways:
            following = bracket.next(floaters)
            left = left_in_next(following, {})
            reached = _quality(bracket, left)
            assert reached == _best(following)
            assert is_best_for_next(bracket, floaters, left) == (reached == best)
            verdicts[reached == best] += 1
    assert verdicts[False] >= 20
