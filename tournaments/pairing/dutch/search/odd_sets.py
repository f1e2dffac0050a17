"""The possible edges of a heaviest perfect matching if prices of vertices alone do not show them: odd sets have prices too.

Prices bound the worth of an edge. An odd number of vertices that could all be paired with each
other, except for one, makes that bound too high. The price of such a set is paid by the edges
inside it (Edmonds 1965). Every heaviest perfect matching consists of tight edges, with one edge out
of each set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
    neighbours = [0] * len(vertices)
    weights: dict[tuple[Hashable, Hashable], int] = {}
    kinds = [kind(vertex) for vertex in vertices]
    for (one, two), weight in edges.items():
        a, b = number[one], number[two]
        neighbours[a] |= 1 << b
        neighbours[b] |= 1 << a
        weights[kinds[a], kinds[b]] = weights[kinds[b], kinds[a]] = weight
    idle = sum(1 << number[vertex] for vertex in unpaired)
    best = tight_edges(neighbours, kinds, lambda a, b: weights[kinds[a], kinds[b]], idle)
    if best is None:
        return None
    pairs = [(one, two) for one, two in edges if best.neighbours[number[one]] >> number[two] & 1]
    pairs += [
        (vertices[a], vertices[b])
        for a, near in enumerate(best.neighbours)
        for b in bits((near & ~neighbours[a]) >> a << a)
    ]
    return {
        (one, two): sum(m >> number[one] & m >> number[two] & 1 for m in best.sets)
        for one, two in pairs
    }


class TightEdges(NamedTuple):
    """The edges that a heaviest perfect matching can have: it has one edge out of each odd set.

    Attributes:
        neighbours: the tight edges as bits.
        sets: the odd sets that have a price, as bits. For any two, one contains the other, or they
            are disjoint.
    """

    neighbours: list[int]
    sets: list[int]


def tight_edges(
    neighbours: Sequence[int],
    kinds: Sequence[Hashable],
    weight: Callable[[int, int], int],
    idle: int = 0,
) -> TightEdges | None:
    """Return the tight edges for vertices with these neighbours, as bits.

    Vertices in the bits of `idle` may stay unpaired.
    """
    numbers: dict[Hashable, int] = {}
    of = [numbers.setdefault(kind, len(numbers)) for kind in kinds]
    masks = [0] * len(numbers)
    beside = [0] * len(numbers)
    for v, k in enumerate(of):
        masks[k] |= 1 << v
        beside[k] |= neighbours[v]
    weights: Weights = [[None] * len(masks) for _ in masks]
    for k, members in enumerate(masks):
        for other in range(k + 1):
            if beside[k] & masks[other]:
                a = next(v for v in bits(members) if neighbours[v] & masks[other])
                b = next(bits(neighbours[a] & masks[other]))
                weights[k][other] = weights[other][k] = weight(a, b)
    start = _start(masks, weights, idle)
    if start is None:
        return None
    search = _Search(neighbours, of, weights, [start[k] for k in of], idle)
    return TightEdges(search.tight, search.odd_sets()) if search.solve() else None


def _start(masks: Sequence[int], weights: Weights, idle: int) -> list[int] | None:
    """Doubled prices by kind, the best that are equal for all of a kind, or None when no perfect matching is."""
    weights = [list(row) for row in weights]
    kinds_idle = [k for k, members in enumerate(masks) if members & idle]
    for one in kinds_idle:
        for two in kinds_idle:
            weights[one][two] = max(0, weights[one][two] or 0)
    return prices([members.bit_count() for members in masks], weights)


class _Group(NamedTuple):
    """Vertices, as bits, of one kind and one price, doubled."""

    kind: int
    price: int
    members: int


class _Node:
    """A vertex, or an odd set with its price, doubled.

    The lowest vertex represents the set in the graph.

    Any one of the `children` can be left out so that tight edges pair the others.
    """

    __slots__ = ("children", "members", "price")

    def __init__(self, members: int, children: tuple[_Node, ...] = ()) -> None:
        self.members = members
        self.children = children
        self.price = 0

    @property
    def first(self) -> int:
        """Return the vertex that represents the node."""
        return (self.members & -self.members).bit_length() - 1


class _Search:
    """The primal-dual search: the largest matching of tight edges, and other prices while it is not perfect."""

    def __init__(
        self,
        neighbours: Sequence[int],
        kinds: Sequence[int],
        weights: Weights,
        start: Sequence[int],
        idle: int,
    ) -> None:
        n = len(start)
        self.price = list(start)
        self.kinds = kinds
        self.weights = [[w if w is None else 2 * w for w in row] for row in weights]
        self.neighbours = neighbours
        # The edges of no weight, between vertices without another edge.
        self.unpaired = [
            idle & ~(1 << v | near) if idle >> v & 1 else 0 for v, near in enumerate(neighbours)
        ]
        self.nodes = {v: _Node(1 << v) for v in range(n)}  # by the vertex that stands for it
        self.node_of = list(range(n))
        self.mate = [-1] * n
        self.tight = [0] * n
        groups = self._groups((1 << n) - 1)
        for one in groups:
            for two in groups:
                for doubled, graph in self._slacks(one, two):
                    if not doubled:
                        for v in bits(one.members):
                            self.tight[v] |= graph[v] & two.members

    def _groups(self, vertices: int) -> list[_Group]:
        """These vertices, those of one kind and price together."""
        members: dict[tuple[int, int], int] = {}
        for v in bits(vertices):
            key = self.kinds[v], self.price[v]
            members[key] = members.get(key, 0) | 1 << v
        return [_Group(*key, mask) for key, mask in members.items()]

    def _slacks(self, one: _Group, two: _Group) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield the slack of the edges between two groups, and the neighbours by such edges: of weight, or unpaired."""
        prices = one.price + two.price
        weight = self.weights[one.kind][two.kind]
        if weight is not None:
            yield prices - weight, self.neighbours
        yield prices, self.unpaired

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
        """Return the sets that have a price, as bits."""
        stack = list(self.nodes.values())
        sets = []
        while stack:
            node = stack.pop()
            if node.children:
                sets.append(node.members)
                stack += node.children
        return sets

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
        for v, near in edges:
            self.tight[v] |= near
            for other in bits(near & ~even):
                self.tight[other] |= 1 << v
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
        self.weights = [[w if w is None else 2 * w for w in row] for row in self.weights]
        stack = list(self.nodes.values())
        while stack:
            node = stack.pop()
            node.price *= 2
            stack += node.children

    def _least_slack(self, even: int, odd: int) -> tuple[int, list[tuple[int, int]]]:
        """Twice the change at which edges of even vertices get tight, and these edges; -1 when there are none.

        An edge is an even vertex with its neighbours as bits.
        """
        others = (1 << len(self.price)) - 1 & ~even & ~odd
        groups = [*self._groups(even), *self._groups(others)]
        least = -1
        tight: list[tuple[int, int]] = []
        for v in bits(even):
            for slack, near in self._slacks_of(v, odd, groups):
                # Two even ends come towards each other.
                doubled = slack if near & even else 2 * slack
                if least < 0 or doubled < least:
                    least, tight = doubled, []
                if doubled == least:
                    tight.append((v, near))
        return least, tight

    def _slacks_of(self, v: int, odd: int, groups: Sequence[_Group]) -> Iterator[tuple[int, int]]:
        """Yield the slack of edges of `v` to other nodes, with the neighbours by these edges as bits."""
        price, weights = self.price[v], self.weights[self.kinds[v]]
        far = ~(odd | self.nodes[self.node_of[v]].members)
        near, unpaired = self.neighbours[v] & far, self.unpaired[v] & far
        if near.bit_count() < len(groups):
            for other in bits(near):
                weight = weights[self.kinds[other]]
                assert weight is not None, "an edge has a weight"
                yield price + self.price[other] - weight, 1 << other
            near = 0
        for group in groups if near or unpaired else ():
            weight = weights[group.kind]
            if weight is not None and near & group.members:
                yield price + group.price - weight, near & group.members
            if unpaired & group.members:
                yield price + group.price, unpaired & group.members
