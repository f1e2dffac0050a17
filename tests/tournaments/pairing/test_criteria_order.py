"""The criteria as weights and as values: both put any two pairings of any bracket in one order.

The laws need no oracle and no other program, and they outlive a change of the rules. Beside random
fields they try fixed seeds. A criterion left out of the weights is therefore caught every time.
`test_without_its_digits_...` shows it for each.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.pairing.histories import lopsided_problem, random_problem
from tournaments.pairing import PairingProblem, dutch_2017
from tournaments.pairing.dutch.rules.bracket import Bracket, BracketPairing
from tournaments.pairing.dutch.rules.criteria import CRITERIA, without
from tournaments.pairing.dutch.rules.criterion import Criterion, QualityCriterion, Scope
from tournaments.pairing.dutch.rules.field import DutchField, field_of
from tournaments.pairing.dutch.rules.values import criteria_values
from tournaments.pairing.dutch.rules.weights import BracketWeights
from tournaments.pairing.dutch_2017 import Dutch2017

# C8 is about the next bracket: `test_c8_...` of the cases has it.
COUNTED = [
    c.code
    for c in CRITERIA
    if isinstance(c, QualityCriterion) and c.scope is not Scope.NEXT_BRACKET
]
# Seeds of fields in which the criterion decides between two pairings, found by trying them in order.
SHARP = {
    "C6": (746, 1009, 1133, 2079),
    "C7": (54, 75, 108, 169),
    "C9": (2, 12, 40, 41),
    "C10": (568, 585, 676, 707),
    "C11": (610, 774, 1198, 1305),
    "C12": (9, 19, 26, 29),
    "C13": (29, 31, 68, 84),
    "C14": (99, 125, 128, 145),
    "C15": (111, 151, 178, 493),
    "C16": (101, 152, 154, 292),
    "C17": (1053, 1092, 2564, 2979),
    "C18": (57, 249, 294, 309),
    "C19": (212, 934, 1133, 1140),
    "C20": (573, 747, 860, 867),
    "C21": (319, 796, 872, 990),
}


class Comparison(NamedTuple):
    """Two pairings of one bracket."""

    one: BracketPairing
    other: BracketPairing


def _problem(rng: random.Random) -> PairingProblem:
    is_last = rng.random() < 0.5
    seed = rng.getrandbits(30)
    if rng.random() < 0.5:
        return random_problem(
            size=rng.randint(6, 16), rounds=rng.randint(2, 6), seed=seed, is_last=is_last
        )
    return lopsided_problem(
        size=rng.randint(6, 14),
        seed=seed,
        groups=rng.randint(1, 4),
        bias=rng.choice((0.5, 0.6, 0.8)),
        club=0,
        is_last=is_last,
    )


def _bracket(
    problem: PairingProblem, rng: random.Random, *, is_2017: bool = False
) -> Bracket | None:
    """Return a bracket of the field: a score group, with some moved-down players, in 2017 perhaps a collapsed one."""
    field = Dutch2017().field(problem) if is_2017 else field_of(problem)
    if not field.groups:
        return None
    number = rng.randrange(len(field.groups))
    residents = field.groups[number]
    if is_2017 and rng.random() < 0.5:
        residents = range(residents.start, len(field.players))
    above = range(residents.start)
    mdps = sorted(rng.sample(above, min(len(above), rng.randint(0, 4))))
    bye = frozenset(rng.sample(residents, rng.randint(0, len(residents))))
    below = tuple(group for group in field.groups if group.start >= residents.stop)
    return Bracket(field, tuple(mdps), residents, below, bye)


def _pairing(bracket: Bracket, rng: random.Random) -> BracketPairing:
    """Return random legal pairs, until no further pair is possible."""
    waiting = list(bracket.members)
    rng.shuffle(waiting)
    pairs = []
    while waiting:
        one = waiting.pop()
        others = [p for p in waiting if bracket.field.may_meet(one, p)]
        others = [p for p in others if not (one in bracket.mdps and p in bracket.mdps)]
        if others and rng.random() < 0.95:
            waiting.remove(others[0])
            pairs.append((min(one, others[0]), max(one, others[0])))
    return BracketPairing(bracket, pairs)


def _comparisons(seed: int, *, is_2017: bool = False) -> list[Comparison]:
    """Pairings of one bracket two by two, those that agree in C6 and C7 first of all."""
    rng = random.Random(seed)
    bracket = _bracket(_problem(rng), rng, is_2017=is_2017)
    if bracket is None:
        return []
    pairings = [_pairing(bracket, rng) for _ in range(10)]
    by_floaters: dict[tuple[int, ...], list[BracketPairing]] = {}
    for pairing in pairings:
        players = bracket.field.players
        scores = tuple(sorted(players[p].score_halves for p in pairing.floaters))
        by_floaters.setdefault(scores, []).append(pairing)
    alike = [Comparison(group[0], other) for group in by_floaters.values() for other in group[1:]]
    return [*alike, Comparison(pairings[0], pairings[1])]


def _weight(pairing: BracketPairing, criteria: tuple[Criterion, ...] = CRITERIA) -> int:
    bracket = pairing.bracket
    old = bracket.field
    field = DutchField(old.problem, old.players, old.legal, old.groups, criteria)
    weights = BracketWeights(bracket.within(field, bracket.bye))
    total = sum(weights.pair(*pair) for pair in pairing.pairs)
    if bracket.bye_falls_here and len(pairing.floaters) == 1:
        total += weights.bye(pairing.floaters[0])
    return total


def _values(pairing: BracketPairing) -> tuple[tuple[int, ...], ...]:
    return tuple(value.value for value in criteria_values(pairing))


def _agree(comparison: Comparison, criteria: tuple[Criterion, ...] = CRITERIA) -> bool:
    one, other = comparison
    heavier = _weight(one, criteria) - _weight(other, criteria)
    mine, theirs = _values(one), _values(other)
    return (heavier > 0) == (mine < theirs) and (heavier == 0) == (mine == theirs)


@pytest.mark.parametrize("code", COUNTED)
def test_of_two_pairings_the_heavier_has_the_smaller_values(code: str) -> None:
    assert all(_agree(c) for seed in SHARP[code] for c in _comparisons(seed))


@pytest.mark.long
@settings(max_examples=150)
@given(seed=st.integers(0, 10**9))
def test_of_two_pairings_of_any_bracket_the_heavier_has_the_smaller_values(seed: int) -> None:
    assert all(_agree(comparison) for comparison in _comparisons(seed))


@given(seed=st.integers(0, 10**9))
def test_the_same_holds_for_the_edition_of_2017(seed: int) -> None:
    for comparison in _comparisons(seed, is_2017=True):
        assert _agree(comparison, dutch_2017.CRITERIA)


@pytest.mark.parametrize("code", COUNTED)
def test_without_its_digits_the_law_does_not_hold(code: str) -> None:
    """The law sees every criterion: dropped from the weights, some comparison is wrong."""
    for seed in SHARP[code]:
        assert not all(_agree(comparison, without(code)) for comparison in _comparisons(seed))


def _instances(bracket: Bracket) -> Iterator[tuple[int, int | None]]:
    for place in bracket.members:
        yield place, None
        for other in bracket.residents:
            if place < other and bracket.field.may_meet(place, other):
                yield place, other


@pytest.mark.parametrize(
    "criterion",
    [
        *(c for c in CRITERIA if isinstance(c, QualityCriterion)),
        *(c for c in dutch_2017.CRITERIA if isinstance(c, QualityCriterion)),
    ],
    ids=lambda criterion: f"{criterion.code}, {criterion.article}",
)
@pytest.mark.part(0.3)
def test_an_amount_depends_on_nothing_but_what_is_declared(criterion: QualityCriterion) -> None:
    """`depends_on`: of a kind of players all are alike, or the bounds of the search would be wrong."""
    opponents = criterion.depends_on
    if criterion.scope in (Scope.MDPS, Scope.MDP_PAIRS):
        opponents = criterion.depends_on_opponent
    for seed in range(60):
        rng = random.Random(seed)
        bracket = _bracket(_problem(rng), rng)
        if bracket is None:
            continue
        amounts: dict[object, int | None] = {}
        for one, two in _instances(bracket):
            if not _is_in_scope(criterion, bracket, one, two):
                continue
            players = bracket.field.players
            player, opponent = players[one], None if two is None else players[two]
            kind = (
                tuple(a.of(player) for a in sorted(criterion.depends_on)),
                opponent and tuple(a.of(opponent) for a in sorted(opponents)),
            )
            amount = criterion.amount(bracket, player, opponent)
            assert amounts.setdefault(kind, amount) == amount


def _is_in_scope(criterion: QualityCriterion, bracket: Bracket, one: int, two: int | None) -> bool:
    """Return whether the criterion counts this floater, or this pair."""
    pairing = BracketPairing(bracket, [] if two is None else [(one, two)])
    is_mdp = one in bracket.mdps
    clash = two is not None and _values_by_code(pairing).get("C12") == (1,)
    match criterion.scope:
        case Scope.EVERYBODY:
            return True
        case Scope.FLOATERS | Scope.BYE | Scope.NEXT_BRACKET:
            return two is None
        case Scope.RESIDENT_FLOATERS:
            return two is None and not is_mdp
        case Scope.MDPS:
            return is_mdp
        case Scope.MDP_PAIRS:
            return is_mdp and two is not None
        case Scope.CLASHES:
            return clash
        case Scope.ABSOLUTE_CLASHES:
            absolute = all(
                bracket.field.players[p].preference.strength == 3 for p in (one, two or one)
            )
            return clash and absolute


def _values_by_code(pairing: BracketPairing) -> dict[str, tuple[int, ...]]:
    """The values of a pairing by criterion."""
    return {value.criterion: value.value for value in criteria_values(pairing)}
