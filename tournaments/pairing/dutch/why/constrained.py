"""A bracket paired again with one thing fixed beforehand: these two meet, this one moves down, or has the bye.

The fixed players are taken out of the bracket, and the rest is paired with the best values. The
criteria are counted for all: the sum of two parts is best when each is.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.bracket import Bracket, BracketPairing
from tournaments.pairing.dutch.rules.field import DutchField
from tournaments.pairing.dutch.rules.values import criteria_values
from tournaments.pairing.dutch.search.completion import Completion, induced
from tournaments.pairing.dutch.search.exact import best_pairs, exact_pairs
from tournaments.pairing.dutch.search.quick import quick_pairs
from tournaments.pairing.dutch.why.look_ahead import (
    c8_value,
    left_over_next,
    values_with_c8,
    with_c8,
)
from tournaments.pairing.matching import TooManyEdgesError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.rules.bracket import Pairs
    from tournaments.pairing.solution import CriterionValue

# Brackets up to here are given to the exact way when only the order of generation is asked for.
_SMALL = 40


@dataclass(frozen=True, slots=True)
class CounterfactualConstraint:
    """The fixed part, by place: `one` meets `other`, or has the bye when that is None."""

    one: int
    other: int | None

    @property
    def places(self) -> frozenset[int]:
        """Return the one or two who are fixed."""
        return frozenset((self.one,) if self.other is None else (self.one, self.other))

    def bye(self, bye: frozenset[int]) -> frozenset[int]:
        """Return the players of `bye` who may still have the bye."""
        return frozenset((self.one,)) if self.other is None else bye - self.places


def constrained_values(
    bracket: Bracket, constraint: CounterfactualConstraint
) -> tuple[CriterionValue, ...] | None:
    """Return the best criteria values of the bracket under the constraint, or None when the round cannot be completed."""
    if _can_take_out(bracket, constraint):
        return _Rest(bracket, constraint).values()
    narrowed = constrained_bracket(bracket, constraint)
    completion = Completion(narrowed.field, narrowed.bye)
    if not completion.can_be_paired(narrowed):
        return None
    return values_with_c8(BracketPairing(narrowed, best_pairs(narrowed, completion)), completion)


def constrained_pairs(bracket: Bracket, constraint: CounterfactualConstraint) -> Pairs | None:
    """Return the first generated of the best pairings under the constraint, or None if that would take long."""
    narrowed = constrained_bracket(bracket, constraint)
    completion = Completion(narrowed.field, narrowed.bye)
    try:
        pairs = quick_pairs(narrowed, completion)
    except TooManyEdgesError:
        return None
    if pairs is None and len(bracket.members) <= _SMALL:
        pairs = exact_pairs(narrowed, completion)
    return pairs


def constrained_bracket(bracket: Bracket, constraint: CounterfactualConstraint) -> Bracket:
    """Return the bracket of a field in which the fixed players have no other choice."""
    one, other = constraint.one, constraint.other
    everybody_else = ~sum(1 << place for place in constraint.places)
    legal = [mask & everybody_else for mask in bracket.field.legal]
    legal[one] = 0 if other is None else 1 << other
    if other is not None:
        legal[other] = 1 << one
    field = bracket.field.with_legal(legal)
    return bracket.within(field, constraint.bye(bracket.bye))


def _can_take_out(bracket: Bracket, constraint: CounterfactualConstraint) -> bool:
    """Return whether the rest is a bracket of this kind: it still has residents, a next group, and its say in C9."""
    moves_down = constraint.other is None or constraint.other > bracket.residents[-1]
    if moves_down and bracket.within(bracket.field, constraint.bye(bracket.bye)).bye_falls_here:
        return False
    groups = (bracket.residents, *bracket.below[:1])
    return all(any(place not in constraint.places for place in group) for group in groups)


class _Rest:
    """The bracket without the fixed ones, its places renumbered."""

    def __init__(self, bracket: Bracket, constraint: CounterfactualConstraint) -> None:
        self.constraint = constraint
        groups = [
            [place for place in group if place not in constraint.places]
            for group in (bracket.mdps, bracket.residents, *bracket.below)
        ]
        self.old_places = [place for group in groups for place in group]
        ranges = []
        start = 0
        for group in groups:
            ranges.append(range(start, start + len(group)))
            start += len(group)
        mdps, residents, *below = ranges
        self.whole = bracket.within(bracket.field, constraint.bye(bracket.bye))
        field = bracket.field
        players = [copy(field.players[old]) for old in self.old_places]
        for place, player in enumerate(players):
            player.place = place
        self.bracket = Bracket(
            field=DutchField(
                field.problem,
                players,
                induced(field.legal, self.old_places),
                (residents, *below),
                field.criteria,
            ),
            mdps=tuple(mdps),
            residents=residents,
            below=tuple(group for group in below if group),
            bye=frozenset(p for p, old in enumerate(self.old_places) if old in self.whole.bye),
        )
        self.completion = Completion(self.bracket.field, self.bracket.bye)

    def values(self) -> tuple[CriterionValue, ...] | None:
        """Return the values of the whole bracket, or None when the rest of the round cannot be paired."""
        if not self.completion.can_be_paired(self.bracket):
            return None
        pairs = quick_pairs(self.bracket, self.completion)
        if pairs is None:
            pairs = best_pairs(self.bracket, self.completion)
        old_pairs = [(self.old_places[one], self.old_places[two]) for one, two in pairs]
        whole = BracketPairing(self.whole, [*old_pairs, *self._fixed_pair()])
        values = criteria_values(whole)
        if not self.whole.below:
            return values
        left = left_over_next(BracketPairing(self.bracket, pairs), self.completion)
        return with_c8(values, c8_value(self.whole.field, self._with_fixed(left)))

    def _fixed_pair(self) -> Pairs:
        one, other = self.constraint.one, self.constraint.other
        return [(one, other)] if other is not None and other in self.whole.members else []

    def _with_fixed(self, left: Sequence[int]) -> list[int]:
        """Return those left over by the next bracket, the fixed one with them if its opponent is further down."""
        old_places = [self.old_places[place] for place in left]
        one, other = self.constraint.one, self.constraint.other
        near = (*self.whole.members, *self.whole.below[0])
        return old_places if other is not None and other in near else [*old_places, one]
