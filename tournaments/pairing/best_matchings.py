"""The perfect matchings of the greatest weight, and the first of them in an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.search.bits import (
    PerfectMatching,
    bits,
    first_transversal,
    matching,
)
from tournaments.pairing.dutch.search.odd_sets import worth_of_tight
from tournaments.pairing.dutch.search.tight import best_matching
from tournaments.pairing.matching import heaviest

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence


class BestMatchings:
    """The perfect matchings of the greatest weight; `mate` is one of them.

    Weights depend on the kinds of the two vertices only. Where odd sets have prices, one edge out of each is what such a
    matching has too; then the order is added to the weights as further digits.
    """

    def __init__(
        self,
        neighbours: list[int],
        kinds: Sequence[Hashable],
        weight: Callable[[int, int], int],
    ) -> None:
        self.sets: dict[tuple[int, int], int] = {}
        bound = best_matching(neighbours, kinds, weight)
        if bound is not None:
            self.tight, self.mate = bound
            return
        edges = {
            (v, w): weight(v, w) for v, near in enumerate(neighbours) for w in bits(near >> v << v)
        }
        worth = worth_of_tight(edges, kinds.__getitem__)
        assert worth is not None, "the round can be completed"
        self.tight = [0] * len(neighbours)
        for one, two in worth:
            self.tight[one] |= 1 << two
            self.tight[two] |= 1 << one
        if any(worth.values()):
            self.sets = worth
            self.mate = self._solved(1, lambda *_: 0)
        else:
            self.mate = matching(self.tight)

    def _solved(self, room: int, order: Callable[[int, int], int]) -> list[int]:
        """The heaviest matching by odd sets, and then by the `order` of its edges, whose sums are below `room`."""
        edges = {(a, b): w * room + order(a, b) for (a, b), w in self.sets.items()}
        partners = heaviest(edges, most_pairs=True)
        return [partners[v] for v in range(len(self.tight))]

    def first_across(self, residents: int, count: int) -> list[int]:
        """The first `count` vertices beyond the `residents`, in their order, whose partners are residents."""
        size = residents.bit_length()
        if self.sets:
            last = len(self.tight)
            mate = self._solved(1 << last, lambda a, b: 1 << (last - b - 1) if a < size <= b else 0)
            return [v for v in range(size, last) if mate[v] < size]
        graph = PerfectMatching(list(self.tight), list(self.mate))
        chosen: list[int] = []
        for v in range(size, len(self.tight)):
            if len(chosen) == count:
                break
            if graph.choose(v, residents) >= 0:
                graph.keep(v, residents)
                chosen.append(v)
            else:
                graph.keep(v, ~residents)
        return chosen

    def first_identifier(self) -> list[tuple[int, int]]:
        """The pairs of the matching with the first identifier: the lower vertices, then the higher ones in their order."""
        half = len(self.tight) // 2
        upper = (1 << half) - 1
        if self.sets:
            return self._first_by_weights()
        # The best identifier that there can be begins with the first half.
        bottoms = first_transversal([near >> half << half for near in self.tight[:half]])
        if bottoms is not None:
            return list(enumerate(bottoms))
        graph = PerfectMatching(list(self.tight), matching(self.tight, self._natural(upper)))
        tops: list[int] = []
        for v in range(len(self.tight)):
            later = -1 << v + 1
            if graph.mate(v) > v or (len(tops) < half and graph.choose(v, later) >= 0):
                graph.keep(v, later)
                tops.append(v)
        pairs = []
        for top in tops:
            bottom = graph.choose(top, -1)
            graph.close(top, bottom)
            pairs.append((top, bottom))
        return pairs

    def _natural(self, upper: int) -> list[int]:
        """The pairs of first and second half that are allowed, to begin with."""
        half = upper.bit_length()
        mate = [-1] * len(self.tight)
        for v in range(half):
            if self.tight[v] >> v + half & 1:
                mate[v], mate[v + half] = v + half, v
        return mate

    def _first_by_weights(self) -> list[tuple[int, int]]:
        last = len(self.tight)
        mate = self._solved(1 << last, lambda a, _: 1 << last - a - 1)
        tops = [v for v in range(last) if mate[v] > v]
        digit = {top: (last + 1) ** (len(tops) - n - 1) for n, top in enumerate(tops)}
        self.sets = {(a, b): w for (a, b), w in self.sets.items() if a in digit and b not in digit}
        mate = self._solved((last + 1) ** len(tops), lambda a, b: digit[a] * (last - b))
        return [(top, mate[top]) for top in tops]
