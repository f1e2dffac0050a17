"""C8: how much the next bracket is hurt by those who move down to it (C.04.3 2.4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.bracket import BracketPairing
from tournaments.pairing.dutch.rules.criteria import BY_CODE
from tournaments.pairing.dutch.rules.values import criteria_values
from tournaments.pairing.dutch.search.exact import best_pairs
from tournaments.pairing.solution import CriterionValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket
    from tournaments.pairing.dutch.rules.field import DutchField
    from tournaments.pairing.dutch.search.completion import Completion


def left_over_next(pairing: BracketPairing, completion: Completion) -> tuple[int, ...]:
    """Return the least floaters of the next bracket, given the floaters of this pairing, by place."""
    return least_floaters_of(pairing.bracket.next(pairing.floaters), completion)


def least_floaters_of(bracket: Bracket, completion: Completion) -> tuple[int, ...]:
    """Return the least floaters of a bracket, by place."""
    left = completion.least_left(bracket)
    if left is not None:
        return left
    return BracketPairing(bracket, best_pairs(bracket, completion)).floaters


def c8_value(field: DutchField, left: Sequence[int]) -> tuple[int, ...]:
    """C8 as numbers to be as small as possible: how many the next bracket leaves over, then their scores."""
    return (len(left), *sorted((field.players[p].score_halves for p in left), reverse=True))


def values_with_c8(pairing: BracketPairing, completion: Completion) -> tuple[CriterionValue, ...]:
    """Return C6 to C21 of the pairing, C8 among them if a next bracket exists."""
    values = criteria_values(pairing)
    if not pairing.bracket.below:
        return values
    return with_c8(values, c8_value(pairing.bracket.field, left_over_next(pairing, completion)))


def with_c8(values: tuple[CriterionValue, ...], c8: tuple[int, ...]) -> tuple[CriterionValue, ...]:
    """Return the values with C8 in its place after C6 and C7."""
    return (*values[:2], CriterionValue("C8", BY_CODE["C8"].article, c8), *values[2:])
