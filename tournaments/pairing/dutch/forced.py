"""A bracket paired again with one thing settled beforehand: these two meet, this one moves down, or has the bye.

Who is settled is taken out of the bracket, the rest is paired as well as it can be, and the criteria are counted for
all: the sum of two parts is best when each is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.bracket import Bracket
from tournaments.pairing.dutch.completion import Completion, induced
from tournaments.pairing.dutch.evidence import criteria_values
from tournaments.pairing.dutch.exact import best_pairs, exact_pairs
from tournaments.pairing.dutch.field import Field
from tournaments.pairing.dutch.look_ahead import c8_value, next_left, with_c8
from tournaments.pairing.dutch.quick import quick_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import CriterionValue

# Brackets up to here are given to the exact way when only the order of generation is asked for.
_SMALL = 40


@dataclass(frozen=True, slots=True)
class Wish:
    """What is settled, by place: `one` meets `other`, or has the bye when that is None."""

    one: int
    other: int | None

    @property
    def places(self) -> frozenset[int]:
        """Those who are settled."""
        return frozenset((self.one,) if self.other is None else (self.one, self.other))


def wished_bye(wish: Wish, bye: frozenset[int]) -> frozenset[int]:
    """Who may have the bye when the wish comes true."""
    return frozenset((wish.one,)) if wish.other is None else bye - wish.places


def forced_values(
    problem: PairingProblem, field: Field, bracket: Bracket, wish: Wish
) -> tuple[CriterionValue, ...] | None:
    """The best criteria values of the bracket when the wish comes true, or None when the round cannot be completed."""
    if _can_take_out(field, bracket, wish):
        return _Rest(problem, field, bracket, wish).values()
    narrowed, told = restricted(field, bracket, wish)
    completion = Completion(narrowed, told.bye)
    if not completion.can_be_paired(told):
        return None
    pairs = best_pairs(problem, narrowed, told, completion)
    values = criteria_values(problem, field, told, pairs)
    if not bracket.below:
        return values
    left = next_left(problem, narrowed, told, completion, _unpaired(bracket, pairs))
    return with_c8(values, c8_value(field, left))


def forced_pairs(
    problem: PairingProblem, field: Field, bracket: Bracket, wish: Wish
) -> list[tuple[int, int]] | None:
    """The first generated of the best pairings in which the wish comes true; None when that would take long."""
    narrowed, told = restricted(field, bracket, wish)
    completion = Completion(narrowed, told.bye)
    pairs = quick_pairs(problem, narrowed, told, completion)
    if pairs is None and len(bracket.members) <= _SMALL:
        pairs = exact_pairs(problem, narrowed, told, completion)
    return pairs


def restricted(field: Field, bracket: Bracket, wish: Wish) -> tuple[Field, Bracket]:
    """Field and bracket in which the settled may do nothing but what is wished."""
    one, other = wish.one, wish.other
    everybody_else = ~sum(1 << place for place in wish.places)
    legal = [mask & everybody_else for mask in field.legal]
    legal[one] = 0 if other is None else 1 << other
    if other is not None:
        legal[other] = 1 << one
    bye = wished_bye(wish, bracket.bye)
    told = replace(bracket, bye=bye, bye_falls_here=_falls_here(bracket, bye))
    return replace(field, legal=tuple(legal)), told


def _falls_here(bracket: Bracket, bye: frozenset[int]) -> bool:
    return bool(bye) and max(bye) <= bracket.residents[-1]


def _unpaired(bracket: Bracket, pairs: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    paired = {place for pair in pairs for place in pair}
    return tuple(place for place in bracket.members if place not in paired)


def _can_take_out(field: Field, bracket: Bracket, wish: Wish) -> bool:
    """Whether the rest is a bracket of the same kind: it still has residents, a next group, and the same say in C9."""
    bye = wished_bye(wish, bracket.bye)
    moves_down = wish.other is None or wish.other > bracket.residents[-1]
    if moves_down and _falls_here(bracket, bye):
        return False
    groups = (bracket.residents, *bracket.below[:1])
    return all(any(place not in wish.places for place in group) for group in groups)


class _Rest:
    """The bracket without the settled, its places numbered anew."""

    def __init__(self, problem: PairingProblem, field: Field, bracket: Bracket, wish: Wish) -> None:
        self.problem = problem
        self.whole_field = field
        self.whole = bracket
        self.wish = wish
        groups = [
            [place for place in group if place not in wish.places]
            for group in (bracket.mdps, bracket.residents, *bracket.below)
        ]
        self.back = [place for group in groups for place in group]
        entrants = [replace(field.entrants[old], place=new) for new, old in enumerate(self.back)]
        ranges = []
        start = 0
        for group in groups:
            ranges.append(range(start, start + len(group)))
            start += len(group)
        mdps, residents, *below = ranges
        bye = wished_bye(wish, bracket.bye)
        here = frozenset(new for new, old in enumerate(self.back) if old in bye)
        self.told = replace(bracket, bye=bye, bye_falls_here=_falls_here(bracket, bye))
        self.field = Field(
            tuple(entrants), tuple(induced(field.legal, self.back)), (residents, *below)
        )
        self.bracket = Bracket(
            mdps=tuple(mdps),
            residents=residents,
            below=tuple(group for group in below if group),
            bye=here,
            bye_falls_here=self.told.bye_falls_here and bool(here),
        )
        self.completion = Completion(self.field, here)

    def values(self) -> tuple[CriterionValue, ...] | None:
        if not self.completion.can_be_paired(self.bracket):
            return None
        pairs = quick_pairs(self.problem, self.field, self.bracket, self.completion)
        if pairs is None:
            pairs = best_pairs(self.problem, self.field, self.bracket, self.completion)
        values = criteria_values(
            self.problem, self.whole_field, self.told, [*self._old(pairs), *self._settled_pair()]
        )
        if not self.whole.below:
            return values
        floaters = _unpaired(self.bracket, pairs)
        left = next_left(self.problem, self.field, self.bracket, self.completion, floaters)
        return with_c8(values, c8_value(self.whole_field, self._with_settled(left)))

    def _old(self, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        return [(self.back[one], self.back[two]) for one, two in pairs]

    def _settled_pair(self) -> list[tuple[int, int]]:
        one, other = self.wish.one, self.wish.other
        return [(one, other)] if other is not None and other in self.whole.members else []

    def _with_settled(self, left: Sequence[int]) -> list[int]:
        """Those left over by the next bracket, the settled one with them if its opponent is further down."""
        old = [self.back[place] for place in left]
        one, other = self.wish.one, self.wish.other
        near = (*self.whole.members, *self.whole.below[0])
        return old if other is not None and other in near else [*old, one]
