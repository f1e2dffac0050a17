"""The small pieces of the Dutch rules, each against the sentence of its article."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import combinations, permutations
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tournaments.pairing.histories import random_problem
from tournaments.pairing import RoundKind, RoundRecord
from tournaments.pairing.colours import Strength
from tournaments.pairing.dutch.rules import criteria, values
from tournaments.pairing.dutch.rules.bracket import Bracket
from tournaments.pairing.dutch.rules.criterion import (
    Attribute,
    CountedCriterion,
    QualityCriterion,
    Unit,
)
from tournaments.pairing.dutch.rules.digits import Digits
from tournaments.pairing.dutch.rules.generation import (
    exchange_order,
    mdp_order,
    transposition_order,
)
from tournaments.pairing.dutch.rules.player import DutchPlayer, dutch_player
from tournaments.pairing.floats import Float, pairing_scores
from tournaments.pairing.solution import CriterionValue


@pytest.mark.parametrize(("s1", "s2"), [(1, 3), (2, 2), (2, 4), (3, 3)])
def test_transpositions_come_in_the_order_of_the_opponents_numbers(s1: int, s2: int) -> None:
    """4.2: lexicographic, from the opponent of the first player of S1 on."""
    first, second = range(s1), range(s1, s1 + s2)
    worth = transposition_order(first, second).worth
    backwards = list(permutations(second, s1))[::-1]
    by_worth = sorted(
        backwards,
        key=lambda others: -sum(worth(*pair) for pair in zip(first, others, strict=True)),
    )
    assert by_worth == sorted(permutations(second, s1))


def _by_the_book(first: Sequence[int], s1: Sequence[int]) -> tuple[object, ...]:
    """Return the key of 4.3.1-4.3.4 for an exchange after which S1 is `s1`.

    The smaller comes first.
    """
    leaving = sorted(set(first) - set(s1), reverse=True)
    entering = sorted(set(s1) - set(first))
    return len(leaving), sum(entering) - sum(leaving), [-place for place in leaving], entering


@pytest.mark.parametrize(("s1", "s2"), [(1, 1), (2, 2), (3, 3), (3, 4), (4, 4)])
def test_exchanges_come_in_the_order_of_the_handbook(s1: int, s2: int) -> None:
    first, second = range(s1), range(s1, s1 + s2)
    worth = exchange_order(first, second).worth
    halves = list(combinations(range(s1 + s2), s1))
    # Halves of equal worth would come in the wrong order.
    backwards = halves[::-1]
    by_worth = sorted(backwards, key=lambda half: -sum(worth(place, -1) for place in half))
    assert by_worth == sorted(halves, key=lambda half: _by_the_book(first, half))


@pytest.mark.parametrize("exchanged", range(30))
def test_one_exchange_less_outweighs_any_difference_in_a_large_bracket(exchanged: int) -> None:
    """4.3.1 before 4.3.2: the widest difference with fewer exchanges, and the narrowest with one more."""
    first, second = range(30), range(30, 60)
    worth = exchange_order(first, second).worth
    widest = [*first[exchanged:], *second[len(second) - exchanged :]]
    narrowest = [*first[: 29 - exchanged], *second[: exchanged + 1]]
    assert len(widest) == len(narrowest) == 30
    assert sum(worth(place, -1) for place in widest) > sum(worth(place, -1) for place in narrowest)


def _bracket(mdps: int, residents: int) -> Bracket:
    field: Any = SimpleNamespace(groups=())
    places = range(mdps, mdps + residents)
    return Bracket(field, tuple(range(mdps)), places, (), frozenset())


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_sets_of_mdps_come_in_the_order_of_the_handbook(pairs: int) -> None:
    """4.4 before 4.2: first the MDPs with the smallest numbers, then their opponents."""
    bracket = _bracket(mdps=3, residents=4)
    worth = mdp_order(bracket).worth
    ways = [
        (mdps, others)
        for mdps in combinations(bracket.mdps, pairs)
        for others in permutations(bracket.residents, pairs)
    ]
    backwards = ways[::-1]
    by_worth = sorted(
        backwards, key=lambda way: -sum(worth(*pair) for pair in zip(*way, strict=True))
    )
    assert by_worth == sorted(ways)


def test_an_order_takes_no_more_digits_than_its_quantities_need() -> None:
    """Each further digit makes the weights of a whole bracket longer."""
    # An MDP is paired or not (-1 to 1), and the number of its opponent is between -3 and 3.
    assert mdp_order(_bracket(mdps=2, residents=3)).room == 7**2 * 3**2
    assert transposition_order([0, 1], [2, 3, 4]).room == 7**2
    # Each player changes the half or does not. Five numbers differ by at most 25, and five are exchanged.
    assert exchange_order([0, 1], [2, 3, 4]).room == 3**3 * 3**2 * 51 * 11


def test_a_quantity_that_is_always_nought_takes_no_digits() -> None:
    digits = Digits()
    assert digits.take(0) == 0
    assert digits.next == 1


def test_virtual_points_are_added_to_the_score_of_their_round_alone() -> None:
    """C.04.7 1.4."""
    contestant = random_problem(size=8, rounds=3, seed=1).contestants[0]
    rounds = len(contestant.records) + 1
    plain = pairing_scores({1: contestant._replace(virtual_halves=())}, rounds)[1]
    virtual = pairing_scores({1: contestant._replace(virtual_halves=(2, 1))}, rounds)[1]
    assert [b - a for a, b in zip(plain, virtual, strict=True)] == [2, 1, *[0] * rounds][:rounds]


def _first_player(*records: RoundRecord) -> DutchPlayer:
    """The first of eight before the fourth round, after these records."""
    problem = random_problem(size=8, rounds=3, seed=1)
    first, *others = problem.contestants
    contestants = (first._replace(records=records), *others)
    changed = problem._replace(contestants=contestants)
    scores = pairing_scores({c.tpn: c for c in contestants}, problem.round_number)
    return dutch_player(changed, 0, contestants[0], scores)


@pytest.mark.parametrize("played", range(4))
def test_the_unplayed_rounds_of_a_player_are_counted(played: int) -> None:
    away = RoundRecord(RoundKind.ZERO_BYE, None, 0)
    game = RoundRecord(RoundKind.FIRST, 2, 2)
    assert _first_player(*[game] * played, *[away] * (3 - played)).unplayed == 3 - played


def test_nobody_floated_against_an_opponent_whom_the_problem_does_not_know() -> None:
    stranger = RoundRecord(RoundKind.FIRST, 99, 2)
    assert _first_player(stranger, stranger, stranger).floats == (Float.NONE, Float.NONE)


@pytest.mark.parametrize("code", ["C10", "C11"])
def test_a_topscorer_who_is_refused_counts_once(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """2.4.5 and 2.4.6 count players. A pair has one player who is refused the side."""
    first, second = RoundKind.FIRST, RoundKind.SECOND
    refused = SimpleNamespace(
        preference=SimpleNamespace(difference=2, side=second), colours=(first, first)
    )
    monkeypatch.setattr(criteria, "_refused", lambda *_: refused)
    (criterion,) = (c for c in criteria.CRITERIA if c.code == code)
    assert isinstance(criterion, QualityCriterion)
    pair: Any = (None, refused, refused)
    assert criterion.amount(*pair) == 1


_DOWN, _UP, _NONE = Float.DOWN, Float.UP, Float.NONE


@pytest.mark.parametrize(
    ("code", "mdp", "opponent", "expected"),
    [
        pytest.param("C14", (_DOWN, _NONE), None, 1, id="C14"),
        pytest.param("C14", (_UP, _DOWN), None, None, id="C14 of the last round alone"),
        pytest.param("C15", (_NONE, _NONE), (_UP, _NONE), 1, id="C15"),
        pytest.param("C15", (_UP, _NONE), (_DOWN, _UP), None, id="C15 of the last round alone"),
        pytest.param("C16", (_NONE, _DOWN), None, 1, id="C16"),
        pytest.param("C16", (_DOWN, _NONE), None, None, id="C16 of the round before"),
        pytest.param("C17", (_NONE, _NONE), (_NONE, _UP), 1, id="C17"),
        pytest.param("C17", (_NONE, _NONE), (_UP, _NONE), None, id="C17 of the round before"),
        pytest.param("C18", (_DOWN, _NONE), (_NONE, _NONE), 3, id="C18"),
        pytest.param("C18", (_DOWN, _NONE), None, 4, id="C18 floats again"),
        pytest.param("C18", (_NONE, _DOWN), (_NONE, _NONE), None, id="C18 of the last round alone"),
        pytest.param("C19", (_NONE, _NONE), (_UP, _NONE), 3, id="C19"),
        pytest.param("C19", (_UP, _NONE), (_NONE, _UP), None, id="C19 of the last round alone"),
        pytest.param("C19", (_UP, _NONE), None, None, id="C19 of pairs"),
        pytest.param("C20", (_NONE, _DOWN), (_NONE, _NONE), 3, id="C20"),
        pytest.param("C20", (_NONE, _DOWN), None, 4, id="C20 floats again"),
        pytest.param("C21", (_NONE, _NONE), (_NONE, _UP), 3, id="C21"),
    ],
)
def test_a_float_counts_once_or_by_the_difference_of_scores(
    code: str,
    mdp: tuple[Float, Float],
    opponent: tuple[Float, Float] | None,
    expected: int | None,
) -> None:
    """2.4.9 to 2.4.16: an MDP with 5 half points in a bracket of 2."""
    (criterion,) = (c for c in criteria.CRITERIA if c.code == code)
    assert isinstance(criterion, QualityCriterion)
    bracket: Any = SimpleNamespace(resident_score=2)
    one: Any = SimpleNamespace(score_halves=5, floats=mdp)
    two: Any = opponent and SimpleNamespace(score_halves=2, floats=opponent)
    assert criterion.amount(bracket, one, two) == expected


@pytest.mark.parametrize(
    ("colours", "expected"),
    [("FF", 1), ("SFF", 1), ("FS", None), ("SF", None), ("F", None), ("", None)],
)
def test_c11_a_player_has_no_side_a_third_time(
    colours: str, expected: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2.4.6: the refused player, who is due the second side, gets the first one."""
    sides = {"F": RoundKind.FIRST, "S": RoundKind.SECOND}
    refused = SimpleNamespace(
        preference=SimpleNamespace(side=RoundKind.SECOND), colours=tuple(sides[c] for c in colours)
    )
    monkeypatch.setattr(criteria, "_refused", lambda *_: refused)
    (criterion,) = (c for c in criteria.CRITERIA if c.code == "C11")
    assert isinstance(criterion, QualityCriterion)
    pair: Any = (None, refused, refused)
    assert criterion.amount(*pair) == expected


@pytest.mark.parametrize(
    ("bye", "falls_here"),
    [((), False), ((1,), True), ((3,), True), ((4,), False), ((3, 4), False)],
)
def test_the_bye_falls_into_the_first_bracket_below_which_no_player_may_have_it(
    bye: tuple[int, ...], falls_here: bool
) -> None:
    """The bracket has the places 0 to 3."""
    field: Any = None
    bracket = Bracket(field, (0,), range(1, 4), (range(4, 6),), frozenset(bye))
    assert bracket.bye_falls_here is falls_here


@pytest.mark.parametrize("weaker", Strength)
def test_both_preferences_of_an_absolute_clash_are_absolute(weaker: Strength) -> None:
    one, two = (
        SimpleNamespace(preference=SimpleNamespace(side=RoundKind.FIRST, strength=strength))
        for strength in (Strength.ABSOLUTE, weaker)
    )
    pairs: Any = [(one, two), (two, one)]
    for pair in pairs:
        assert values.is_absolute_clash(*pair) is (weaker is Strength.ABSOLUTE)


@pytest.mark.parametrize(
    ("floats", "attributes"),
    [
        ((_NONE, _NONE), set()),
        ((_DOWN, _NONE), {Attribute.DOWN_LAST}),
        ((_UP, _NONE), {Attribute.UP_LAST}),
        ((_NONE, _DOWN), {Attribute.DOWN_BEFORE}),
        ((_DOWN, _UP), {Attribute.DOWN_LAST, Attribute.UP_BEFORE}),
    ],
)
def test_the_attributes_of_floats_tell_the_way_and_the_round(
    floats: tuple[Float, Float], attributes: set[Attribute]
) -> None:
    player: Any = SimpleNamespace(floats=floats)
    of_floats = (
        *(Attribute.DOWN_LAST, Attribute.UP_LAST),
        *(Attribute.DOWN_BEFORE, Attribute.UP_BEFORE),
    )
    assert {each for each in of_floats if each.of(player)} == attributes


def test_a_value_names_its_criterion_and_article() -> None:
    criterion = CountedCriterion("C5", "2.3.1", "As few as possible.", Unit.PLAYERS)
    assert criterion.value(2, 1) == CriterionValue("C5", "2.3.1", (2, 1))


def test_several_points_are_compared_from_the_highest_on() -> None:
    (criterion,) = (c for c in criteria.CRITERIA if c.code == "C7")
    assert isinstance(criterion, QualityCriterion)
    amount: Any = lambda _bracket, halves, _opponent: halves  # noqa: E731
    listed = copy(criterion)
    listed.amount = amount
    instances: Any = [(3, None), (5, None), (4, None)]
    pairing: Any = SimpleNamespace(bracket=None)
    assert values._value(listed, pairing, instances) == (5, 4, 3)
