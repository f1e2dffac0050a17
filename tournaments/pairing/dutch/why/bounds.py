"""The least that every criterion of a bracket could be, and how that is known."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength
from tournaments.pairing.dutch.rules.bracket import BracketPairing
from tournaments.pairing.dutch.search.exact import best_pairs
from tournaments.pairing.dutch.search.floaters import least_floaters
from tournaments.pairing.dutch.search.quick import quick_pairs, reaches_bound
from tournaments.pairing.dutch.why.look_ahead import values_with_c8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket
    from tournaments.pairing.dutch.rules.player import DutchPlayer
    from tournaments.pairing.dutch.search.completion import Completion
    from tournaments.pairing.solution import CriterionValue


def bounded(
    pairing: BracketPairing,
    completion: Completion,
    values: Sequence[CriterionValue],
) -> tuple[CriterionValue, ...]:
    """Return `values` of the pairing with the least possible beside each, given the values of the earlier ones.

    The least is computed again, not taken from the answer: counted if counting is enough, bounded
    by prices of players, or the optimum of a separate weighted matching.
    """
    simple = _Simple(pairing.bracket)
    least, proof = _least(pairing, completion, values)
    return tuple(
        value._replace(bound=bound, proof=simple.proof(value.criterion, bound, least) or proof)
        for value, bound in zip(values, least.values(), strict=True)
    )


def _least(
    pairing: BracketPairing,
    completion: Completion,
    values: Sequence[CriterionValue],
) -> tuple[dict[str, tuple[int, ...]], str]:
    bracket = pairing.bracket
    if _is_simple(bracket, values) and reaches_bound(pairing):
        return {v.criterion: v.value for v in values}, "duality"
    pairs = quick_pairs(bracket, completion)
    proof = "weighted-matching" if pairs is None else "duality"
    if pairs is None:
        pairs = best_pairs(bracket, completion)
    again = values_with_c8(BracketPairing(bracket, pairs), completion)
    return {v.criterion: v.value for v in again}, proof


def _is_simple(bracket: Bracket, values: Sequence[CriterionValue]) -> bool:
    """Return whether C6, C7 and C8 are seen at a glance to be the least there can be."""
    _, c7, *rest = values
    odd = len(bracket.members) % 2
    # C7 has a score for each floater, so that C6 is as good.
    if c7.value != (bracket.resident_score,) * odd:
        return False
    if not odd or not rest or rest[0].criterion != "C8":
        return True
    return rest[0].value == _next_by_parity(bracket, odd)


def _next_by_parity(bracket: Bracket, floaters: int) -> tuple[int, ...]:
    """Return C8 if the next bracket leaves over no player, or one of its players because it is odd."""
    group = bracket.below[0]
    score = bracket.field.players[group[0]].score_halves
    return (1, score) if (floaters + len(group)) % 2 else (0,)


class _Simple:
    """Proofs that any reader can follow, if there is one."""

    def __init__(self, bracket: Bracket) -> None:
        self._field = bracket.field
        self._bracket = bracket

    @property
    def _members(self) -> list[DutchPlayer]:
        return [self._field.players[p] for p in self._bracket.members]

    def proof(
        self, criterion: str, bound: tuple[int, ...], least: dict[str, tuple[int, ...]]
    ) -> str:
        """Return the word for how it is known, or empty when no simple way shows that it cannot be less than `bound`."""
        if not any(bound):
            return "zero"
        floaters = least["C6"][0]
        odd = len(self._bracket.members) % 2
        match criterion:
            case "C6" if floaters == odd:
                return "parity"
            case "C6" if floaters == least_floaters(self._bracket).total():
                return "maximum-matching"
            case "C7" if bound == (self._bracket.resident_score,) * floaters:
                return "lowest-score"
            case "C8" if not floaters:
                return "no-choice"
            case "C8" if bound == _next_by_parity(self._bracket, floaters):
                return "parity"
            case "C12" if bound == (self._clashes(Strength.MILD, floaters),):
                return "preference-count"
            case "C13" if bound == (self._clashes(Strength.STRONG, floaters),):
                return "preference-count"
            case _:
                return ""

    def _clashes(self, strength: Strength, floaters: int) -> int:
        """Return a lower bound of the pairs that cannot satisfy both players, because too many are due one side, with any floaters."""
        due = Counter(
            p.preference.side
            for p in self._members
            if p.preference.side is not None and p.preference.strength >= strength
        )
        most = max(due.values(), default=0) - floaters
        pairs = (len(self._bracket.members) - floaters) // 2
        return max(0, most - pairs)
