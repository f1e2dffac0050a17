"""The possible edges of a heaviest perfect matching if prices of vertices alone do not show them: odd sets have prices too.

Prices bound the worth of an edge. An odd number of vertices that could all be paired with each
other, except for one, makes that bound too high. The price of such a set is paid by the edges
inside it (Edmonds 1965). Every heaviest perfect matching consists of tight edges, with one edge out
of each set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.search.bits import alternating_forest, bits, matching
from tournaments.pairing.dutch.search.duals import prices

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence

    from tournaments.pairing.dutch.search.duals import Weights

Edge = tuple[int, int]


def worth_of_tight(
    edges: Mapping[Edge, int], kind: Callable[[int], Hashable], unpaired: Collection[int] = ()
) -> dict[Edge, int] | None:
    """Return the edges that a heaviest perfect matching can have, and their worth relative to each other.

    The heaviest perfect matchings by these small numbers are those by the weights. Weights are
    equal for all edges between two kinds of vertices. Any two of the `unpaired` have an edge of no
    weight if `edges` has no edge. The result is None without a perfect matching.
    """
    vertices = sorted({vertex for edge in edges for vertex in edge} | set(unpaired))
    number = {vertex: v for v, vertex in enumerate(vertices)}
    numbered = {(number[one], number[two]): weight for (one, two), weight in edges.items()}
    idle = sum(1 << number[vertex] for vertex in unpaired)
    start = _start(numbered, [kind(vertex) for vertex in vertices], idle)
    if start is None:
        return None
    search = _Search(numbered, start, idle)
    if not search.solve():
        return None
    sets = search.odd_sets()
    tight = {
        edge: pair
        for edge, pair in zip(edges, numbered, strict=True)
        if search.tight[pair[0]] >> pair[1] & 1
    }
    for one, two in search.tight_idle():
        tight[vertices[one], vertices[two]] = one, two
    return {
        edge: sum(members >> one & members >> two & 1 for members in sets)
        for edge, (one, two) in tight.items()
    }


def _start(edges: Mapping[Edge, int], kinds: Sequence[Hashable], idle: int) -> list[int] | None:
    """Doubled prices by vertex, the best that are the same for all of a kind, or None when no perfect matching is."""
    numbers: dict[Hashable, int] = {}
    of = [numbers.setdefault(kind, len(numbers)) for kind in kinds]
    counts = [0] * len(numbers)
    for k in of:
        counts[k] += 1
    weights: Weights = [[None] * len(numbers) for _ in numbers]
    kinds_idle = sorted({of[v] for v in bits(idle)})
    for one in kinds_idle:
        for two in kinds_idle:
            weights[one][two] = 0
    for (one, two), weight in edges.items():
        most = weights[of[one]][of[two]]
        if most is None or weight > most:
            weights[of[one]][of[two]] = weights[of[two]][of[one]] = weight
    by_kind = prices(counts, weights)
    return None if by_kind is None else [by_kind[k] for k in of]


@dataclass(slots=True)
class _Node:
    """A vertex, or an odd set with its price, doubled.

    The lowest vertex represents the set in the graph.

    Any one of the `children` can be left out so that tight edges pair the others.
    """

    members: int
    children: tuple[_Node, ...] = ()
    price: int = 0

    @property
    def first(self) -> int:
        """Return the vertex that represents the node."""
        return (self.members & -self.members).bit_length() - 1


class _Search:
    """The primal-dual search: the largest matching of tight edges, and other prices while it is not perfect."""

    def __init__(self, edges: Mapping[Edge, int], start: Sequence[int], idle: int) -> None:
        n = len(start)
        self.price = list(start)
        self.weight: list[dict[int, int]] = [{} for _ in range(n)]
        self.neighbours = [idle & ~(1 << v) if idle >> v & 1 else 0 for v in range(n)]
        self.tight = self._tight_at_start(idle)
        for (one, two), weight in edges.items():
            self.weight[one][two] = self.weight[two][one] = 2 * weight
            self.neighbours[one] |= 1 << two
            self.neighbours[two] |= 1 << one
            if start[one] + start[two] == 2 * weight:
                self._add_tight(one, two)
            else:
                self.tight[one] &= ~(1 << two)
                self.tight[two] &= ~(1 << one)
        self.nodes = {v: _Node(1 << v) for v in range(n)}  # by the vertex that stands for it
        self.node_of = list(range(n))
        self.mate = [-1] * n

    def _tight_at_start(self, idle: int) -> list[int]:
        """The edges of no weight that are tight."""
        at_price: dict[int, int] = {}
        for v in bits(idle):
            at_price[self.price[v]] = at_price.get(self.price[v], 0) | 1 << v
        return [at_price.get(-price, 0) & self.neighbours[v] for v, price in enumerate(self.price)]

    def solve(self) -> bool:
        """Change prices until tight edges hold a perfect matching, or return False without one at any prices."""
        while True:
            graph = self._graph()
            matching(graph, self.mate)
            free = [v for v in self.nodes if self.mate[v] < 0]
            if not free:
                return True
            even, cycles = alternating_forest(graph, self.mate, free)
            odd = 0
            for v in bits(even):
                if self.mate[v] >= 0:
                    odd |= 1 << self.mate[v]
            odd &= ~even
            evens = self._members(even)
            odds = self._members(odd)
            for cycle in cycles:
                self._shrink(cycle)
            if not self._change_prices(evens, odds):
                return False

    def odd_sets(self) -> list[int]:
        """The sets that have a price, as bits."""
        stack = list(self.nodes.values())
        sets = []
        while stack:
            node = stack.pop()
            if node.children:
                sets.append(node.members)
                stack += node.children
        return sets

    def tight_idle(self) -> Iterator[Edge]:
        """The tight edges of no weight, the lower vertex first."""
        for one, near in enumerate(self.tight):
            for two in bits(near >> one << one):
                if two not in self.weight[one]:
                    yield one, two

    def _add_tight(self, one: int, two: int) -> None:
        self.tight[one] |= 1 << two
        self.tight[two] |= 1 << one

    def _members(self, firsts: int) -> int:
        """Return the vertices of the nodes that these represent."""
        return sum(self.nodes[v].members for v in bits(firsts))

    def _graph(self) -> list[int]:
        """Return the tight edges between nodes. A vertex inside a set has no edge."""
        sets = [node for node in self.nodes.values() if node.children]
        graph = list(self.tight)
        for node in sets:
            near = 0
            for v in bits(node.members):
                near |= graph[v]
                graph[v] = 0
            graph[node.first] = near & ~node.members
        for node in sets:
            others = node.members & ~(1 << node.first)
            first = 1 << node.first
            for v, near in enumerate(graph):
                if near & others:
                    graph[v] = near & ~others | first
        return graph

    def _shrink(self, cycle: int) -> None:
        """Make one node of those that these represent."""
        children = tuple(self.nodes.pop(v) for v in bits(cycle))
        node = _Node(sum(child.members for child in children), children)
        # The mate of the only one that is not matched inside.
        outside = [m for v in bits(cycle) if (m := self.mate[v]) < 0 or not cycle >> m & 1]
        for v in bits(node.members):
            self.mate[v] = v
            self.node_of[v] = node.first
        self.nodes[node.first] = node
        self.mate[node.first] = outside[0]
        if outside[0] >= 0:
            self.mate[outside[0]] = node.first

    def _dissolve(self, node: _Node) -> None:
        """Put the children of a matched node in its place, and pair all but the one that keeps its mate."""
        other = self.mate[node.first]
        near = self._tight_of(self.nodes[other])
        del self.nodes[node.first]
        for child in node.children:
            self.nodes[child.first] = child
            for v in bits(child.members):
                self.node_of[v] = child.first
                self.mate[v] = v
            self.mate[child.first] = -1
        keeps = next(child for child in node.children if child.members & near)
        self.mate[keeps.first], self.mate[other] = other, keeps.first
        rest = [child for child in node.children if child is not keeps]
        links = [self._tight_of(child) for child in rest]
        inner = [sum(1 << i for i, c in enumerate(rest) if c.members & link) for link in links]
        for i, j in enumerate(matching([link & ~(1 << i) for i, link in enumerate(inner)])):
            self.mate[rest[i].first] = rest[j].first

    def _tight_of(self, node: _Node) -> int:
        near = 0
        for v in bits(node.members):
            near |= self.tight[v]
        return near

    def _change_prices(self, even: int, odd: int) -> bool:
        """Lower the prices of even vertices and raise those of odd ones until an edge gets tight or a set has no price left."""
        doubled, edges = self._least_slack(even, odd)
        sets = [node for node in self.nodes.values() if node.children]
        rising = [node for node in sets if node.members & even]
        falling = [node for node in sets if node.members & odd]
        least = min((node.price for node in falling), default=-1)
        if least >= 0 and (doubled < 0 or least < doubled):
            doubled, edges = least, []
        if doubled < 0:
            return False
        if doubled % 2:
            self._double()
            doubled *= 2
        self._move_prices(even, odd, doubled // 2)
        for one, two in edges:
            self._add_tight(one, two)
        for node in rising:
            node.price += doubled
        for node in falling:
            node.price -= doubled
            if not node.price:
                self._dissolve(node)
        return True

    def _move_prices(self, even: int, odd: int, change: int) -> None:
        """Change the prices of vertices.

        Edges of odd ones to others than even ones are not tight any more.
        """
        for v in bits(even):
            self.price[v] -= change
        for v in bits(odd):
            self.price[v] += change
            within = self.nodes[self.node_of[v]].members
            for other in bits(self.tight[v] & ~even & ~within):
                self.tight[v] &= ~(1 << other)
                self.tight[other] &= ~(1 << v)

    def _double(self) -> None:
        """Count in halves of the unit."""
        self.price = [2 * price for price in self.price]
        self.weight = [{v: 2 * w for v, w in row.items()} for row in self.weight]
        stack = list(self.nodes.values())
        while stack:
            node = stack.pop()
            node.price *= 2
            stack += node.children

    def _least_slack(self, even: int, odd: int) -> tuple[int, list[Edge]]:
        """Return twice the change at which edges of even vertices get tight, and these edges, or -1 without any."""
        least = -1
        edges: list[Edge] = []
        for v in bits(even):
            price, weight = self.price[v], self.weight[v]
            near = self.neighbours[v] & ~odd & ~self.nodes[self.node_of[v]].members
            higher = even >> v << v
            for other in bits(near & (~even | higher)):
                slack = price + self.price[other] - weight.get(other, 0)
                # Two even ends come towards each other.
                doubled = slack if even >> other & 1 else 2 * slack
                if least < 0 or doubled < least:
                    least, edges = doubled, []
                if doubled == least:
                    edges.append((v, other))
        return least, edges
