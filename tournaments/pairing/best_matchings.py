"""The perfect matchings of the greatest weight, and the first of them in an order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tournaments.pairing.dutch.search.bits import (
    PerfectMatching,
    bits,
    first_transversal,
    matching,
)
from tournaments.pairing.dutch.search.completion import induced
from tournaments.pairing.dutch.search.nested import NestedMatching
from tournaments.pairing.dutch.search.odd_sets import tight_edges
from tournaments.pairing.dutch.search.tight import best_matching

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    Weight = Callable[[int, int], int]


class Priority(NamedTuple):
    """The wish of a place among equally good pairings: one of `partners`, as bits, or the first of them if `is_exact`."""

    place: int
    partners: int
    is_exact: bool = False


def first_of_best(
    legal: Sequence[int],
    places: Sequence[int],
    kind: Callable[[int], Hashable],
    weight: Weight,
    priorities: Sequence[Priority],
) -> dict[int, int]:
    """Return the partner of each place in the heaviest perfect matching; among equals the priorities decide.

    Weights are equal for all pairs of two kinds of places. Earlier `places` are preferred as partners. Empty without a perfect matching.
    """
    neighbours = induced(legal, places)
    kinds: list[Hashable] = [kind(place) for place in places]
    vertex = {place: v for v, place in enumerate(places)}
    best = BestMatchings(neighbours, kinds, lambda a, b: weight(places[a], places[b]))
    if not best.tight:
        return {}
    graph = best.graph()
    for priority in priorities:
        v = vertex[priority.place]
        mask = neighbours[v] & sum(1 << vertex[p] for p in bits(priority.partners) if p in vertex)
        partner = graph.choose(v, mask)
        if partner >= 0:
            graph.keep(v, 1 << partner if priority.is_exact else mask)
    return {place: places[graph.mate(v)] for v, place in enumerate(places)}


class BestMatchings:
    """The perfect matchings of the greatest weight.

    `mate` is one of them, and without any there are no `tight` edges.

    Weights depend on the kinds of the two vertices only.
    """

    def __init__(
        self,
        neighbours: list[int],
        kinds: Sequence[Hashable],
        weight: Weight,
    ) -> None:
        self.sets: list[int] = []
        bound = best_matching(neighbours, kinds, weight)
        if bound is not None:
            self.tight, self.mate = bound
            return
        best = tight_edges(neighbours, kinds, weight)
        self.tight, self.sets = best or ([], [])
        if self.sets:
            graph = NestedMatching(list(self.tight), self.sets)
            self.mate = [graph.mate(v) for v in range(len(self.tight))]
        else:
            self.mate = matching(self.tight)

    def graph(self) -> PerfectMatching | NestedMatching:
        """The matchings, to choose from."""
        if self.sets:
            return NestedMatching(list(self.tight), self.sets)
        return PerfectMatching(list(self.tight), list(self.mate))

    def first_across(self, size: int) -> list[int]:
        """Return the first vertices beyond the residents, the first `size`, in their order, whose partners are residents.

        All matchings have an equal number of them.
        """
        graph = self.graph()
        residents = (1 << size) - 1
        chosen: list[int] = []
        count = sum(partner >= size for partner in self.mate[:size])
        for v in range(size, len(self.tight)):
            if len(chosen) == count:
                break
            if graph.choose(v, residents) >= 0:
                graph.keep(v, residents)
                chosen.append(v)
        return chosen

    def first_identifier(self) -> list[tuple[int, int]]:
        """The pairs of the matching with the first identifier: the lower vertices, then the higher ones in their order."""
        half = len(self.tight) // 2
        if not self.sets:
            # The best identifier that there can be begins with the first half.
            bottoms = first_transversal([near >> half << half for near in self.tight[:half]])
            if bottoms is not None:
                return list(enumerate(bottoms))
        graph = self.graph()
        tops: list[int] = []
        for v in range(len(self.tight)):
            later = -1 << v + 1
            if graph.choose(v, later) >= 0:
                graph.keep(v, later)
                tops.append(v)
        pairs = []
        for top in tops:
            bottom = graph.choose(top, -1)
            graph.close(top, bottom)
            pairs.append((top, bottom))
        return pairs
