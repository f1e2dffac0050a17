"""The edges that a best pairing of a bracket may use: those where prices of kinds of players bound C9 to C21 tightly."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength
from tournaments.pairing.dutch.bits import bits, exchangeable, matching
from tournaments.pairing.dutch.criteria import Criteria
from tournaments.pairing.dutch.duals import prices
from tournaments.pairing.dutch.field import Float

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.duals import Weights
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import PairingProblem

# Up to here every player is a kind of its own: the bound is sharper.
_SMALL = 14
# Kinds beyond which prices take longer than they are worth.
_MOST_KINDS = 160


class TightGraph:
    """A bracket as a graph of its members and of the places, one for each who floats, where they float to.

    Attributes:
        members: places of the field; their indices are the first vertices.
        moved: how many of them are MDPs, who come first.
        homes: how many residents float; the vertices after the members are theirs to float to.
        exits: the pairing scores of all who float, the residents' first.
    """

    def __init__(
        self, problem: PairingProblem, field: Field, bracket: Bracket, floating: Counter[int]
    ) -> None:
        self._field = field
        self._bracket = bracket
        self.members = bracket.members
        self.moved = len(bracket.mdps)
        home = field.entrants[bracket.residents.start].halves
        self.exits = sorted(floating.elements())
        self.homes = floating[home]
        self._criteria = Criteria(
            problem,
            field,
            bracket.mdps,
            bracket.residents,
            (),
            mdps_may_float=len(self.exits) > self.homes,
            residents_may_float=self.homes > 0,
        )
        self._asked_floats = {Float.DOWN} if self.homes else set()
        if self.moved:
            self._asked_floats.add(Float.UP)
        self._legal = self._may_meet()
        self._has_topscorer = any(field.entrants[p].is_topscorer for p in self.members)

    def _may_meet(self) -> list[int]:
        """Who may meet whom, as bits over the members; MDPs do not meet each other."""
        start, size = self._bracket.residents.start, len(self._bracket.residents)
        window = (1 << size) - 1
        legal = []
        for v, place in enumerate(self.members):
            near = (self._field.legal[place] >> start & window) << self.moved
            if v >= self.moved:
                near |= sum(
                    1 << m
                    for m, mdp in enumerate(self._bracket.mdps)
                    if self._field.legal[place] >> mdp & 1
                )
            legal.append(near)
        return legal

    def perfect(self, barred: int) -> tuple[list[int], list[int]] | None:
        """The tight edges as bits and a perfect matching of them, none of the `barred` floating; None: the bound is not reached."""
        neighbours = list(self._legal)
        kinds: list[Hashable] = [self._kind(v, barred) for v in range(len(self.members))]
        for halves, count in sorted(Counter(self.exits).items()):
            leaving = self._may_float(halves, barred)
            mask = (1 << len(neighbours) + count) - (1 << len(neighbours))
            for v in bits(leaving):
                neighbours[v] |= mask
            neighbours += [leaving] * count
            kinds += [("exit", halves)] * count
        return best_matching(neighbours, kinds, self._weight)

    def _may_float(self, halves: int, barred: int) -> int:
        """Who of that score may, as bits."""
        mask = 0
        for v, place in enumerate(self.members):
            if self._field.entrants[place].halves == halves and (
                not self._bracket.bye_falls_here or place in self._bracket.bye
            ):
                mask |= 1 << v
        return mask & ~barred

    def _kind(self, v: int, barred: int) -> Hashable:
        """What the weights of a member depend on."""
        if len(self.members) <= _SMALL:
            return v
        entrant = self._field.entrants[self.members[v]]
        due = entrant.preference
        own = entrant.tpn if self._has_topscorer and due.strength is Strength.ABSOLUTE else 0
        kind = (due.side, due.strength, own)
        if v < self.moved:
            limbo = entrant.floats if len(self.exits) > self.homes else ()
            return kind, entrant.halves, limbo
        floats = tuple(f if f in self._asked_floats else None for f in entrant.floats)
        bye = (entrant.unplayed, self.members[v] in self._bracket.bye) if self._gives_bye() else ()
        return kind, floats, bye, barred >> v & 1

    def _gives_bye(self) -> bool:
        return len(self.exits) > 0 and self._bracket.bye_falls_here

    def _weight(self, one: int, other: int) -> int:
        high, low = sorted((one, other))
        if low < len(self.members):
            return self._criteria.pair(self.members[high], self.members[low])
        if self._gives_bye():  # C9
            return -self._criteria.c9 * self._field.entrants[self.members[high]].unplayed
        return 0


def best_matching(
    neighbours: Sequence[int], kinds: Sequence[Hashable], weight: Callable[[int, int], int]
) -> tuple[list[int], list[int]] | None:
    """The edges that heaviest perfect matchings may use, as bits, and one of these matchings; None: the bound is not reached.

    Weights depend on the kinds of the two vertices only. At first all pairs of two kinds are taken for edges if one is.
    Where that makes the bound too good, the vertices that a largest matching can leave free, and their neighbours, are
    priced apart from the others of their kind.
    """
    marks = [0] * len(neighbours)
    count = 0
    while True:
        found: dict[Hashable, list[int]] = {}
        for v, (kind, mark) in enumerate(zip(kinds, marks, strict=True)):
            found.setdefault((kind, mark), []).append(v)
        groups = list(found.values())
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
    """The edges that are tight at the prices of these kinds, or None when no perfect matching can be."""
    masks = [sum(1 << v for v in group) for group in groups]
    weights: Weights = [[None] * len(groups) for _ in groups]
    for k, group in enumerate(groups):
        near = 0
        for v in group:
            near |= neighbours[v]
        for other in range(k + 1):
            if near & masks[other] and (other != k or len(group) > 1):
                weights[k][other] = weights[other][k] = weight(group[0], groups[other][-1])
    found = prices([len(group) for group in groups], weights)
    if found is None:
        return None
    tight = [0] * len(neighbours)
    for k, group in enumerate(groups):
        near = sum(
            masks[other]
            for other, worth in enumerate(weights[k])
            if worth is not None and found[k] + found[other] == 2 * worth
        )
        for v in group:
            tight[v] = neighbours[v] & near
    return tight
