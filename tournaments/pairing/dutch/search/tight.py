"""The edges that a best pairing of a bracket may use: those where prices of kinds of players bound C9 to C21 tightly."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.weights import BracketWeights
from tournaments.pairing.dutch.search.bits import bits, exchangeable, matching
from tournaments.pairing.dutch.search.duals import prices

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket
    from tournaments.pairing.dutch.search.duals import Weights

# Up to here every player has a separate kind: the bound is sharper.
_SMALL = 14
# Kinds beyond which prices take longer than they are worth.
_MOST_KINDS = 160


class TightGraph:
    """A bracket as a graph of its members and of the places to which they float, one for each floater.

    Attributes:
        members: places of the field. Their indices are the first vertices.
        mdp_count: how many of them are MDPs, who come first.
        resident_floaters: how many residents float. The vertices after the members are theirs to
            float to.
        float_slots: the pairing scores of all who float, the residents' first.
    """

    def __init__(self, bracket: Bracket, floating: Counter[int]) -> None:
        self._field = bracket.field
        self._bracket = bracket
        self.members = bracket.members
        self.mdp_count = len(bracket.mdps)
        self.float_slots = sorted(floating.elements())
        self.resident_floaters = floating[bracket.resident_score]
        self._weights = BracketWeights(
            bracket,
            mdps_may_float=len(self.float_slots) > self.resident_floaters,
            residents_may_float=self.resident_floaters > 0,
        )
        self._legal = self._may_meet()

    def _may_meet(self) -> list[int]:
        """Return the legal opponents, as bits over the members. MDPs do not meet each other."""
        start, size = self._bracket.residents.start, len(self._bracket.residents)
        window = (1 << size) - 1
        legal = []
        for v, place in enumerate(self.members):
            near = (self._field.legal[place] >> start & window) << self.mdp_count
            if v >= self.mdp_count:
                near |= sum(
                    1 << m
                    for m, mdp in enumerate(self._bracket.mdps)
                    if self._field.legal[place] >> mdp & 1
                )
            legal.append(near)
        return legal

    def perfect(self, barred: int) -> tuple[list[int], list[int]] | None:
        """Return the tight edges as bits and a perfect matching of them, in which no `barred` player floats.

        None: the bound is not reached.
        """
        neighbours = list(self._legal)
        kinds: list[Hashable] = [self._kind(v, barred) for v in range(len(self.members))]
        for score, count in sorted(Counter(self.float_slots).items()):
            leaving = self._may_float(score, barred)
            mask = (1 << len(neighbours) + count) - (1 << len(neighbours))
            for v in bits(leaving):
                neighbours[v] |= mask
            neighbours += [leaving] * count
            kinds += [("float slot", score)] * count
        return best_matching(neighbours, kinds, self._weight)

    def _may_float(self, score_halves: int, barred: int) -> int:
        """Return the players of that score who may float, as bits."""
        mask = 0
        for v, place in enumerate(self.members):
            if self._field.players[place].score_halves == score_halves and (
                not self._bracket.bye_falls_here or place in self._bracket.bye
            ):
                mask |= 1 << v
        return mask & ~barred

    def _kind(self, v: int, barred: int) -> Hashable:
        """Return the inputs of the weights of a member."""
        if len(self.members) <= _SMALL:
            return v
        kind = self._weights.kind(self.members[v])
        if v < self.mdp_count:
            return kind
        may_have_bye = self._gives_bye() and self.members[v] in self._bracket.bye
        return kind, may_have_bye, barred >> v & 1

    def _gives_bye(self) -> bool:
        return len(self.float_slots) > 0 and self._bracket.bye_falls_here

    def _weight(self, one: int, other: int) -> int:
        high, low = sorted((one, other))
        if low < len(self.members):
            return self._weights.pair(self.members[high], self.members[low])
        if self._gives_bye():  # C9
            return self._weights.bye(self.members[high])
        return 0


def best_matching(
    neighbours: Sequence[int], kinds: Sequence[Hashable], weight: Callable[[int, int], int]
) -> tuple[list[int], list[int]] | None:
    """Return the edges that heaviest perfect matchings may use, as bits, and one of these matchings.

    Weights depend on the kinds of the two vertices only. At first all pairs of two kinds are taken
    for edges if one is. If that makes the bound too good, the vertices that a largest matching can
    leave free, and their neighbours, are priced apart from the others of their kind. None: the
    bound is not reached.
    """
    marks = [0] * len(neighbours)
    count = 0
    while True:
        by_kind: dict[Hashable, list[int]] = {}
        for v, (kind, mark) in enumerate(zip(kinds, marks, strict=True)):
            by_kind.setdefault((kind, mark), []).append(v)
        groups = list(by_kind.values())
        if not count < len(groups) <= _MOST_KINDS:
            return None
        count = len(groups)
        tight = _tight(neighbours, groups, weight)
        if tight is None:
            return None
        mate = matching(tight)
        free = [v for v, other in enumerate(mate) if other < 0]
        if not free:
            return tight, mate
        even = exchangeable(tight, mate, free)
        beside = 0
        for v in bits(even):
            beside |= tight[v]
        marks = [3 * m + (even >> v & 1 or 2 * (beside >> v & 1)) for v, m in enumerate(marks)]


def _tight(
    neighbours: Sequence[int], groups: Sequence[Sequence[int]], weight: Callable[[int, int], int]
) -> list[int] | None:
    """Return the edges that are tight at the prices of these kinds, or None when no perfect matching can be."""
    masks = [sum(1 << v for v in group) for group in groups]
    weights: Weights = [[None] * len(groups) for _ in groups]
    for k, group in enumerate(groups):
        near = 0
        for v in group:
            near |= neighbours[v]
        for other in range(k + 1):
            if near & masks[other] and (other != k or len(group) > 1):
                weights[k][other] = weights[other][k] = weight(group[0], groups[other][-1])
    doubled = prices([len(group) for group in groups], weights)
    if doubled is None:
        return None
    tight = [0] * len(neighbours)
    for k, group in enumerate(groups):
        near = sum(
            masks[other]
            for other, worth in enumerate(weights[k])
            if worth is not None and doubled[k] + doubled[other] == 2 * worth
        )
        for v in group:
            tight[v] = neighbours[v] & near
    return tight
