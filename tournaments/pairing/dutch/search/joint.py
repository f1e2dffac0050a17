"""A bracket solved together with all groups below it, by prices of kinds.

It is for a C4 that makes more float than C6 alone, and for the last players of a field.
The result is the pairing of the whole field that is best in C6 to C21 of the bracket, generated
first, as `exact` finds it. It is None if the bound of the prices is not reached, or if only the player
with the bye floats (C9).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.weights import BracketWeights
from tournaments.pairing.dutch.search.bits import PerfectMatching, matching
from tournaments.pairing.dutch.search.completion import induced
from tournaments.pairing.dutch.search.exchanges import s1_after_exchange
from tournaments.pairing.dutch.search.tight import best_matching

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket, Pairs


def joint_pairs(bracket: Bracket) -> Pairs | None:
    """Return the pairs of the bracket by place, higher first, or None when they are not found this way."""
    if not bracket.below:
        return None
    whole = _Whole(bracket)
    bound = best_matching(whole.neighbours, whole.kinds, whole.weight)
    if bound is None:
        return None
    tight, mate = bound
    size, mdp_count = len(bracket.members), len(bracket.mdps)
    if bracket.bye_falls_here and sum(other >= size for other in mate[:size]) == 1:
        return None
    graph = PerfectMatching(tight, mate)
    residents = (1 << size) - (1 << mdp_count)
    # 4.4 and 4.2 as on the quick way.
    paired = []
    for v in range(mdp_count):
        is_paired = graph.choose(v, residents) >= 0
        graph.keep(v, residents if is_paired else ~residents)
        paired += [v] if is_paired else []
    pairs = []
    for v in paired:
        pairs.append((v, graph.choose(v, residents)))
        graph.close(*pairs[-1])
    closed = {v for pair in pairs for v in pair}
    remainder = [v for v in range(mdp_count, size) if v not in closed]
    others = [v for v in range(len(tight)) if v not in closed and not mdp_count <= v < size]
    floating = sum(graph.mate(v) >= size or graph.mate(v) < mdp_count for v in remainder)
    pairs += _remainder_pairs(tight, remainder, others, (len(remainder) - floating) // 2)
    return [(whole.places[a], whole.places[b]) for a, b in pairs]


def _remainder_pairs(
    tight: Sequence[int], remainder: Sequence[int], others: Sequence[int], size: int
) -> Pairs:
    """`size` pairs of the remainder, among the tight edges of it and of the `others`, where those go who float."""
    graph = induced(tight, (*remainder, *others))
    count = len(remainder)
    first = s1_after_exchange(graph, size, count)
    s1_mask = sum(1 << v for v in first)
    s2_mask = (1 << count) - 1 & ~s1_mask
    for v in range(count):
        graph[v] &= s2_mask if s1_mask >> v & 1 else ~s2_mask
    for v in range(count, len(graph)):
        graph[v] &= ~s1_mask
    perfect = PerfectMatching(graph, matching(graph))
    pairs = []
    for one in first:
        other = perfect.choose(one, s2_mask)
        perfect.close(one, other)
        pairs.append((remainder[one], remainder[other]))
    return pairs


class _Whole:
    """The bracket's members, the next score group, the others below, and the bye if there is one, in this order."""

    def __init__(self, bracket: Bracket) -> None:
        field = bracket.field
        self._players = field.players
        following = bracket.below[0]
        self._members = len(bracket.members)
        self._near = self._members + len(following)
        self.places = [*bracket.members, *(p for group in bracket.below for p in group)]
        self._weights = BracketWeights(bracket, following)
        self.neighbours = induced(field.legal, self.places)
        apart = (1 << len(bracket.mdps)) - 1
        for v in range(len(bracket.mdps)):
            self.neighbours[v] &= ~apart
        self.kinds: list[Hashable] = [self._kind(v) for v in range(len(self.places))]
        if bracket.bye:
            candidates = sum(1 << v for v, p in enumerate(self.places) if p in bracket.bye)
            for v in range(len(self.places)):
                self.neighbours[v] |= (candidates >> v & 1) << len(self.places)
            self.neighbours.append(candidates)
            self.kinds.append("bye")

    def _kind(self, v: int) -> Hashable:
        """Return the inputs of the weights of a vertex."""
        if v >= self._near:
            return "rest"
        if v >= self._members:
            return "next", self._players[self.places[v]].score_halves
        return self._weights.kind(self.places[v])

    def weight(self, one: int, other: int) -> int:
        """Return the worth of the pair of these two for the bracket."""
        high, low = sorted((one, other))
        if low < self._members:
            return self._weights.pair(self.places[high], self.places[low])
        if low < self._near:
            return self._weights.pair_below(self.places[high], self.places[low])
        return 0
