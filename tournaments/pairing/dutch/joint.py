"""A bracket solved together with all that is below it, by prices of kinds: where C4 makes more float than C6 alone would.

The pairing of the whole field that is best in C6 to C21 of the bracket, generated first, as `exact` finds it; the answer
is None where the bound of the prices is not reached, and where the bye falls into the bracket (C9).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import Strength
from tournaments.pairing.dutch.bits import PerfectMatching, matching
from tournaments.pairing.dutch.completion import induced
from tournaments.pairing.dutch.criteria import Criteria
from tournaments.pairing.dutch.exchanges import heads
from tournaments.pairing.dutch.tight import best_matching

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import PairingProblem

_Pairs = list[tuple[int, int]]


def joint_pairs(problem: PairingProblem, field: Field, bracket: Bracket) -> _Pairs | None:
    """The pairs of the bracket by place, higher first, or None when they are not found this way."""
    if bracket.bye_falls_here or not bracket.below:
        return None
    whole = _Whole(problem, field, bracket)
    found = best_matching(whole.neighbours, whole.kinds, whole.weight)
    if found is None:
        return None
    tight, mate = found
    graph = PerfectMatching(tight, mate)
    size, moved = len(bracket.members), len(bracket.mdps)
    residents = (1 << size) - (1 << moved)
    # 4.4 and 4.2 as on the quick way.
    paired = []
    for v in range(moved):
        is_paired = graph.choose(v, residents) >= 0
        graph.keep(v, residents if is_paired else ~residents)
        paired += [v] if is_paired else []
    pairs = []
    for v in paired:
        pairs.append((v, graph.choose(v, residents)))
        graph.close(*pairs[-1])
    taken = {v for pair in pairs for v in pair}
    remainder = [v for v in range(moved, size) if v not in taken]
    others = [v for v in range(len(tight)) if v not in taken and not moved <= v < size]
    floating = sum(graph.mate(v) >= size or graph.mate(v) < moved for v in remainder)
    pairs += _remainder_pairs(tight, remainder, others, (len(remainder) - floating) // 2)
    return [(whole.places[a], whole.places[b]) for a, b in pairs]


def _remainder_pairs(
    tight: Sequence[int], remainder: Sequence[int], others: Sequence[int], size: int
) -> _Pairs:
    """`size` pairs of the remainder, among the tight edges of it and of the `others`, where those go who float."""
    graph = induced(tight, (*remainder, *others))
    count = len(remainder)
    first = heads(graph, size, count)
    head_mask = sum(1 << v for v in first)
    tail_mask = (1 << count) - 1 & ~head_mask
    for v in range(count):
        graph[v] &= tail_mask if head_mask >> v & 1 else ~tail_mask
    for v in range(count, len(graph)):
        graph[v] &= ~head_mask
    chosen = PerfectMatching(graph, matching(graph))
    pairs = []
    for head in first:
        tail = chosen.choose(head, tail_mask)
        chosen.close(head, tail)
        pairs.append((remainder[head], remainder[tail]))
    return pairs


class _Whole:
    """The bracket's members, the next score group, the others below, and the bye if there is one, in this order."""

    def __init__(self, problem: PairingProblem, field: Field, bracket: Bracket) -> None:
        self._entrants = field.entrants
        following = bracket.below[0]
        self._members = len(bracket.members)
        self._near = self._members + len(following)
        self.places = [*bracket.members, *(p for group in bracket.below for p in group)]
        self._criteria = Criteria(problem, field, bracket.mdps, bracket.residents, following)
        self.neighbours = induced(field.legal, self.places)
        apart = (1 << len(bracket.mdps)) - 1
        for v in range(len(bracket.mdps)):
            self.neighbours[v] &= ~apart
        self._has_topscorer = any(field.entrants[p].is_topscorer for p in bracket.members)
        moved = len(bracket.mdps)
        self.kinds: list[Hashable] = [
            self._kind(v, is_mdp=v < moved) for v in range(len(self.places))
        ]
        if bracket.bye:
            candidates = sum(1 << v for v, p in enumerate(self.places) if p in bracket.bye)
            for v in range(len(self.places)):
                self.neighbours[v] |= (candidates >> v & 1) << len(self.places)
            self.neighbours.append(candidates)
            self.kinds.append("bye")

    def _kind(self, v: int, *, is_mdp: bool) -> Hashable:
        """What the weights of a vertex depend on."""
        entrant = self._entrants[self.places[v]]
        if v >= self._near:
            return "rest"
        if v >= self._members:
            return "next", entrant.halves
        due = entrant.preference
        own = entrant.tpn if self._has_topscorer and due.strength is Strength.ABSOLUTE else 0
        return is_mdp, due.side, due.strength, own, entrant.halves, entrant.floats

    def weight(self, one: int, other: int) -> int:
        """What the pair of these two is worth to the bracket."""
        high, low = sorted((one, other))
        if low < self._members:
            return self._criteria.pair(self.places[high], self.places[low])
        if low < self._near:
            return self._criteria.pair_below(self.places[high], self.places[low])
        return 0
