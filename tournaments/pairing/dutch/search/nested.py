"""Perfect matchings with one pair out of each of some odd sets: the heaviest ones among tight edges.

A part is the whole graph or a set. Its nodes are its single vertices and the sets directly in it. A
set is left by a vertex without which its other nodes can be paired. The parts can therefore be
looked at one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.search.bits import bits, exchange, exchangeable, matching
from tournaments.pairing.dutch.search.odd_sets import tight_edges

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.pairing.dutch.search.odd_sets import Edge


class _Part:
    """The whole graph or an odd set.

    Attributes:
        rows: neighbours of each node, by the lowest vertex of it.
        mate: a largest matching of the nodes. Vertices that name no node have themselves.
        exposed: the vertices, as bits, by which a set can be left.
        is_known: whether these are those of the current graph.
    """

    __slots__ = ("children", "exposed", "is_known", "mate", "members", "rows")

    def __init__(self, members: int) -> None:
        self.members = members
        self.children: list[_Part] = []
        self.rows: list[int] = []
        self.mate: list[int] = []
        self.exposed = 0
        self.is_known = False

    @property
    def first(self) -> int:
        """Return the vertex that names a set among the nodes."""
        return (self.members & -self.members).bit_length() - 1

    @property
    def singles(self) -> int:
        """Return the vertices in no set of this part."""
        return self.members & ~sum(child.members for child in self.children)

    def vertices(self, nodes: int) -> int:
        """Return the vertices by which these nodes can be left."""
        mask = nodes & self.singles
        for child in self.children:
            if nodes >> child.first & 1:
                mask |= child.exposed
        return mask

    def nodes(self, vertices: int) -> int:
        """Return the nodes in which these vertices are."""
        mask = vertices & self.singles
        for child in self.children:
            if vertices & child.members:
                mask |= 1 << child.first
        return mask

    def child_with(self, v: int) -> _Part | None:
        """Return the set of this part that contains `v`, or None."""
        return next((child for child in self.children if child.members >> v & 1), None)


class NestedMatching:
    """The perfect matchings of a graph with one pair out of each of the `sets`, narrowed until the asked one is left."""

    def __init__(self, graph: list[int], sets: Sequence[int]) -> None:
        self._graph = graph
        self._parts = [_Part((1 << len(graph)) - 1)]
        self._mates: list[int] = []
        for members in sorted(sets, key=int.bit_count, reverse=True):
            part = _Part(members)
            around = next(p for p in reversed(self._parts) if not members & ~p.members)
            around.children.append(part)
            self._parts.append(part)

    def mate(self, v: int) -> int:
        """Return the mate that `v` has in one of the matchings, unchanged until a pair is kept."""
        if not self._mates:
            self._mates = self._matching()
        return self._mates[v]

    def choose(self, v: int, allowed: int) -> int:
        """Return the lowest of the `allowed` neighbours that `v` has in any of the matchings, or -1 without one."""
        near = self._graph[v] & allowed
        if not near:
            return -1
        if near != self._graph[v] or near & near - 1:
            near &= self._partners(v)
        return (near & -near).bit_length() - 1

    def keep(self, v: int, mask: int) -> None:
        """Leave `v` only these neighbours. One of the matchings has such a pair."""
        lost = self._graph[v] & ~mask
        if not lost:
            return
        self._graph[v] &= mask
        for other in bits(lost):
            self._graph[other] &= ~(1 << v)
        for part in self._parts:
            if part.members >> v & 1 and part.members & lost:
                part.is_known = False
        if self._mates and lost >> self._mates[v] & 1:
            self._mates = []
        left = self._graph[v]
        if left & left - 1 == 0:
            self.keep(left.bit_length() - 1, 1 << v)

    def close(self, v: int, mate: int) -> None:
        """Fix the pair of these two."""
        self.keep(v, 1 << mate)

    def _refresh(self) -> _Part:
        """Update the parts that have lost edges, the inner ones first, then the whole graph."""
        for part in reversed(self._parts):
            if not part.is_known:
                self._look(part)
        return self._parts[0]

    def _look(self, part: _Part) -> None:
        part.rows = self._rows(part)
        nodes = part.nodes(part.members)
        before = part.mate or [-1] * len(part.rows)
        part.mate = [
            (m if m >= 0 and part.rows[v] >> m & 1 else -1) if nodes >> v & 1 else v
            for v, m in enumerate(before)
        ]
        matching(part.rows, part.mate)
        free = [v for v, m in enumerate(part.mate) if m < 0]
        part.exposed = 0
        if len(free) == 1:
            part.exposed = part.vertices(exchangeable(part.rows, part.mate, free))
        part.is_known = True

    def _rows(self, part: _Part) -> list[int]:
        """Return the neighbours of each node among the nodes of the part."""
        rows = [0] * len(self._graph)
        singles = part.singles
        for v in bits(singles):
            rows[v] = self._graph[v] & part.members
        for child in part.children:
            near = self._beside(child.exposed)
            rows[child.first] = near & part.members & ~child.members
        nodes = part.nodes(part.members)
        for child in part.children:
            bit = 1 << child.first
            for v in bits(nodes):
                row = rows[v]
                if row & child.members:
                    rows[v] = row & ~child.members | (bit if row & child.exposed else 0)
        return rows

    def _beside(self, vertices: int) -> int:
        near = 0
        for v in bits(vertices):
            near |= self._graph[v]
        return near

    def _partners(self, v: int) -> int:
        """Return the vertices that `v` meets in any of the matchings, and others that are no neighbours of it."""
        part = self._refresh()
        exits = 0  # by which the part can be left, so that the parts around it have a matching
        partners = 0
        while True:
            child = part.child_with(v)
            near = self._possible(part, child.first if child else v, exits)
            if child is None:
                return partners | near
            if child.exposed >> v & 1:
                partners |= near
            exits = child.exposed & (self._beside(near) | exits)
            part = child

    def _possible(self, part: _Part, node: int, exits: int) -> int:
        """Return the vertices of the part that the node can meet if the part is left by one of these exits."""
        rows, mate = list(part.rows), list(part.mate)
        out = len(rows)
        if part is not self._parts[0]:
            leaving = part.nodes(exits)
            rows.append(leaving)
            mate.append(-1)
            for v in bits(leaving):
                rows[v] |= 1 << out
            matching(rows, mate)
        lost, near = mate[node], rows[node]
        without = ~(1 << node)
        narrowed = [row & without for row in rows]
        narrowed[node] = 0
        mate[node], mate[lost] = node, -1
        near &= exchangeable(narrowed, mate, [lost])
        return part.vertices(near & ~(1 << out))

    def _matching(self) -> list[int]:
        """Return one of the matchings."""
        mates = [-1] * len(self._graph)
        todo = [(self._refresh(), -1)]
        while todo:
            part, way_out = todo.pop()
            for one, two in self._pairs(part, way_out):
                mates[one], mates[two] = two, one
            for child in part.children:
                outside = [v for v in bits(child.exposed) if mates[v] >= 0 or v == way_out]
                todo.append((child, outside[0]))
        return mates

    def _pairs(self, part: _Part, way_out: int) -> Iterator[tuple[int, int]]:
        """Pairs between the nodes of a part that is left by this vertex."""
        mate = list(part.mate)
        if way_out >= 0:
            free = mate.index(-1)
            exchange(part.rows, mate, free, part.nodes(1 << way_out).bit_length() - 1)
        for one, two in enumerate(mate):
            if one < two:
                ends = part.vertices(1 << two)
                start = next(v for v in bits(part.vertices(1 << one)) if self._graph[v] & ends)
                ends &= self._graph[start]
                yield start, (ends & -ends).bit_length() - 1


def heaviest_perfect(edges: Mapping[Edge, int]) -> dict[int, int]:
    """Return the partner by vertex in a perfect matching of the largest sum of weights. The edges have one."""
    vertices = sorted({vertex for edge in edges for vertex in edge})
    number = {vertex: v for v, vertex in enumerate(vertices)}
    weights = {(number[a], number[b]): w for e, w in edges.items() for a, b in (e, e[::-1])}
    neighbours = [0] * len(vertices)
    for one, two in weights:
        neighbours[one] |= 1 << two
    best = tight_edges(neighbours, range(len(vertices)), lambda a, b: weights[a, b])
    assert best is not None, "a perfect matching exists"
    graph = NestedMatching(best.neighbours, best.sets)
    return {vertex: vertices[graph.mate(v)] for v, vertex in enumerate(vertices)}
