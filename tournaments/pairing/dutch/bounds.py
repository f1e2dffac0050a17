"""The least that every criterion of a bracket could be, and how that is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength
from tournaments.pairing.dutch.bits import matching
from tournaments.pairing.dutch.exact import best_pairs
from tournaments.pairing.dutch.look_ahead import judged
from tournaments.pairing.dutch.quick import quick_pairs, reaches_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.completion import Completion
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import PairingProblem
    from tournaments.pairing.solution import CriterionValue


def bounded(
    problem: PairingProblem,
    field: Field,
    bracket: Bracket,
    completion: Completion,
    pairs: Sequence[tuple[int, int]],
    values: Sequence[CriterionValue],
) -> tuple[CriterionValue, ...]:
    """`values` of these pairs with the least possible beside each, given that the earlier ones keep theirs.

    The least is found again, not taken from the answer: counted where counting is enough, bounded by prices of players,
    or the optimum of a weighted matching of its own.
    """
    simple = _Simple(field, bracket, completion)
    least, proof = _least(problem, field, bracket, completion, pairs, values)
    return tuple(
        replace(value, bound=bound, proof=simple.proof(value.criterion, bound, least) or proof)
        for value, bound in zip(values, least.values(), strict=True)
    )


def _least(
    problem: PairingProblem,
    field: Field,
    bracket: Bracket,
    completion: Completion,
    pairs: Sequence[tuple[int, int]],
    values: Sequence[CriterionValue],
) -> tuple[dict[str, tuple[int, ...]], str]:
    if _is_simple(field, bracket, values) and reaches_bound(problem, field, bracket, pairs):
        return {v.criterion: v.value for v in values}, "duality"
    found = quick_pairs(problem, field, bracket, completion)
    proof = "weighted-matching" if found is None else "duality"
    if found is None:
        found = best_pairs(problem, field, bracket, completion)
    again = judged(problem, field, bracket, completion, found)
    return {v.criterion: v.value for v in again}, proof


def _is_simple(field: Field, bracket: Bracket, values: Sequence[CriterionValue]) -> bool:
    """Whether C6, C7 and C8 are seen at a glance to be the least there can be."""
    c6, c7, *rest = values
    odd = len(bracket.members) % 2
    home = field.entrants[bracket.residents[0]].halves
    if c6.value != (odd,) or c7.value != (home,) * odd:
        return False
    if not odd or not rest or rest[0].criterion != "C8":
        return True
    return rest[0].value == _next_by_parity(field, bracket, odd)


def _next_by_parity(field: Field, bracket: Bracket, floaters: int) -> tuple[int, ...]:
    """C8 when the next bracket leaves over nobody, or one of its own because it is odd."""
    group = bracket.below[0]
    return (1, field.entrants[group[0]].halves) if (floaters + len(group)) % 2 else (0,)


class _Simple:
    """Proofs that anybody can follow, where there is one."""

    def __init__(self, field: Field, bracket: Bracket, completion: Completion) -> None:
        self._field = field
        self._bracket = bracket
        self._completion = completion

    def proof(
        self, criterion: str, bound: tuple[int, ...], least: dict[str, tuple[int, ...]]
    ) -> str:
        """The word for how it is known, or empty when no simple way shows that it cannot be less than `bound`."""
        if not any(bound):
            return "zero"
        floaters = least["C6"][0]
        odd = len(self._bracket.members) % 2
        home = self._field.entrants[self._bracket.residents[0]].halves
        match criterion:
            case "C6" if floaters == odd:
                return "parity"
            case "C6" if floaters == self._unmatched():
                return "maximum-matching"
            case "C7" if bound == (home,) * floaters:
                return "lowest-score"
            case "C8" if not floaters:
                return "no-choice"
            case "C8" if bound == _next_by_parity(self._field, self._bracket, floaters):
                return "parity"
            case "C12" if bound[0] == self._clashes(Strength.MILD, floaters):
                return "preference-count"
            case "C13" if bound[0] == self._clashes(Strength.STRONG, floaters):
                return "preference-count"
            case _:
                return ""

    def _unmatched(self) -> int:
        """How many a maximum matching of the bracket leaves over."""
        members, moved = self._bracket.members, len(self._bracket.mdps)
        neighbours = [
            sum(1 << w for w, other in enumerate(members) if self._field.may_meet(place, other))
            for place in members
        ]
        for v in range(moved):
            neighbours[v] &= ~((1 << moved) - 1)
        return sum(mate < 0 for mate in matching(neighbours))

    def _clashes(self, strength: Strength, floaters: int) -> int:
        """So many are due one side that at least so many pairs cannot satisfy both, whoever floats."""
        due = Counter(
            e.preference.side
            for e in (self._field.entrants[p] for p in self._bracket.members)
            if e.preference.side is not None and e.preference.strength >= strength
        )
        most = max(due.values(), default=0) - floaters
        others = len(self._bracket.members) - floaters - most
        return max(0, -(-(most - others) // 2))
