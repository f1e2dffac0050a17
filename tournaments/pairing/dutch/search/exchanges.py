"""The players in S1: the first exchange (C.04.3 4.3) after which S1 and S2 can be paired by tight edges.

In the first such exchange S1 is the higher player of each pair. From a pair in S2 the higher one
has moved to S1, from a pair in S1 the lower one to S2. The number that move (4.3.1) and their
distance (4.3.2) are sums over pairs, so that prices bound them. The moving players (4.3.3, 4.3.4)
are decided one by one among the tight edges of that bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.search.bits import PerfectMatching, bits, matching
from tournaments.pairing.dutch.search.duals import prices
from tournaments.pairing.dutch.search.nested import NestedMatching
from tournaments.pairing.dutch.search.odd_sets import tight_edges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.search.duals import Weights


def s1_after_exchange(graph: Sequence[int], size: int, players: int) -> list[int]:
    """Return the vertices of S1 after the first exchange, ascending.

    `graph` has the tight edges, as bits, of the remainder in its order, `players` of them, and then
    of the places to float to. It has a perfect matching. The first `size` players are S1 before the
    exchange.
    """
    worth = _Worth(size, players)
    bound = _bounded(graph, worth)
    perfect = PerfectMatching(*bound) if bound else _nested(graph, worth)
    everybody = (1 << len(graph)) - 1
    s1 = []
    # 4.3.3: the lowest of those who leave S1 is as low as possible, then the next. They meet a
    # higher player, or float.
    for v in range(size - 1, -1, -1):
        lower = (1 << players) - (1 << v + 1)
        if perfect.choose(v, everybody & ~lower) < 0:
            s1.append(v)
        else:
            perfect.keep(v, everybody & ~lower)
    # 4.3.4: of those who leave S2 the highest is as high as can be.
    for v in range(size, players):
        lower = (1 << players) - (1 << v + 1)
        if perfect.choose(v, lower) >= 0:
            perfect.keep(v, lower)
            s1.append(v)
    return sorted(s1)


class _Worth:
    """The worth of a pair: the fewer exchanges the more (4.3.1), then the smaller the numbers in S1 (4.3.2)."""

    def __init__(self, size: int, players: int) -> None:
        self.size = size
        self.players = players
        self._exchange = (players + 1) ** 2

    def __call__(self, one: int, other: int) -> int:
        high, low = min(one, other), max(one, other)
        if low >= self.players:
            return 0
        # The number of pairs is constant, so that all of them may be worth `players` more.
        return self.of_higher(high)

    def of_higher(self, v: int) -> int:
        """Return the worth of a pair of which this player is the higher one."""
        return self.players - v - (self._exchange if v >= self.size else 0)

    def start(self, v: int) -> int:
        """Return a price that makes every pair of S1 with S2 tight, and no pair too expensive."""
        return self.players - v if v < self.size else 0

    def doubled_prices(self, graph: Sequence[int]) -> list[int]:
        """Return prices under which no edge is too expensive, and all are tight if the first of the others are the higher ones.

        The others are those with more than one opponent. Two who have only each other are a pair in
        any case, and the sides of the rest move up or down for them.
        """
        alone = _mutual_only(graph, self.players)
        rest = [v for v in range(self.players) if v not in alone]
        higher = (len(rest) - (len(graph) - self.players)) // 2
        level = self.of_higher(rest[higher - 1]) if higher > 0 else 0
        if higher > 0 and rest[higher - 1] == self.size - 1:
            level = 0
        doubled = [max(2 * self.of_higher(v) - level, level) for v in range(self.players)]
        for v, other in alone.items():
            doubled[v] = self(v, other)
        return doubled + [-level] * (len(graph) - self.players)


def _mutual_only(graph: Sequence[int], players: int) -> dict[int, int]:
    """Return players whose only neighbour is another one who has no other neighbour either, with that one."""
    only = {
        v: graph[v].bit_length() - 1
        for v in range(players)
        if graph[v] and not graph[v] & (graph[v] - 1)
    }
    return {v: other for v, other in only.items() if only.get(other) == v}


def _bounded(graph: Sequence[int], worth: _Worth) -> tuple[list[int], list[int]] | None:
    """Return the edges of the best pairings and one of these, or None where halves of pairs would do better."""
    tight = _tight(graph, worth, worth.doubled_prices(graph))
    mate = matching(tight)
    if min(mate) >= 0:
        return tight, mate
    weights: Weights = [[None] * len(graph) for _ in graph]
    for v, mask in enumerate(graph):
        for other in bits(mask):
            weights[v][other] = worth(v, other)
    start = [worth.start(v) for v in range(len(graph))]
    mate = matching(_tight(graph, worth, [2 * price for price in start]))
    if min(mate) < 0:
        doubled = prices([1] * len(graph), weights, start=start, mate=mate)
        assert doubled is not None, "the caller has a perfect matching"
        tight = _tight(graph, worth, doubled)
        mate = matching(tight)
    return (tight, mate) if min(mate) >= 0 else None


def _tight(graph: Sequence[int], worth: _Worth, doubled: Sequence[int]) -> list[int]:
    """Return edges whose two prices add up to their worth, found by the price that each vertex leaves for the other."""
    at_price: dict[int, int] = {}
    asks: dict[int, int] = {}
    targets = [2 * worth.of_higher(v) - doubled[v] for v in range(worth.players)]
    for v, price in enumerate(doubled):
        at_price[price] = at_price.get(price, 0) | 1 << v
    for v, price in enumerate(targets):
        asks[price] = asks.get(price, 0) | 1 << v
    everybody = (1 << worth.players) - 1
    tight = []
    for v, mask in enumerate(graph):
        to_slots = mask & ~everybody & at_price.get(-doubled[v], 0)
        if v >= worth.players:
            tight.append(mask & at_price.get(-doubled[v], 0))
            continue
        higher = (1 << v) - 1
        as_higher = mask & everybody & ~higher & at_price.get(targets[v], 0)
        as_lower = mask & higher & asks.get(doubled[v], 0)
        tight.append(as_higher | as_lower | to_slots)
    return tight


def _nested(graph: Sequence[int], worth: _Worth) -> NestedMatching:
    """The best pairings where odd sets have prices too."""
    best = tight_edges(graph, range(len(graph)), worth)
    assert best is not None, "the caller has a perfect matching"
    return NestedMatching(best.neighbours, best.sets)
