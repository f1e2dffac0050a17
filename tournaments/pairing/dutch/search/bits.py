"""Matchings without weights, on graphs whose neighbours are the bits of integers."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the ones in `mask`, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def matching(neighbours: Sequence[int], mate: list[int] | None = None) -> list[int]:
    """Return a matching with the largest number of pairs: the mate of each vertex, or -1 (Edmonds 1965).

    Starts from `mate` when given.
    """
    n = len(neighbours)
    mate = [-1] * n if mate is None else mate
    free = _free(mate)
    for v in range(n):
        near = neighbours[v] & free
        if mate[v] < 0 and near:
            other = (near & -near).bit_length() - 1
            mate[v], mate[other] = other, v
            free &= ~(1 << v | 1 << other)
    for v in bits(free):
        if mate[v] < 0 and free & ~(1 << v):
            end = _augmented(neighbours, mate, v, free)
            free &= ~(1 << v | 1 << end) if end >= 0 else -1
    return mate


def augment(neighbours: Sequence[int], mate: list[int], root: int) -> bool:
    """Match one pair more by an alternating path from the free vertex `root`.

    Return False if that is impossible.
    """
    return _augmented(neighbours, mate, root, _free(mate)) >= 0


def _augmented(neighbours: Sequence[int], mate: list[int], root: int, free: int) -> int:
    """Return the other end of the path by which one pair more was matched, or -1.

    `free` are the vertices without a mate.
    """
    search = _Search(neighbours, mate, [root], free)
    last = end = search.free_end()
    while end >= 0:
        before = search.parent[end]
        following = mate[before]
        mate[end], mate[before] = before, end
        end = following
    return last


def _free(mate: Sequence[int]) -> int:
    return sum(1 << v for v, other in enumerate(mate) if other < 0)


def covering(
    neighbours: Sequence[int], ranks: Sequence[int], mate: list[int] | None = None
) -> list[int]:
    """Return a largest matching that leaves vertices of the lowest ranks free: the mate of each vertex, or -1.

    `ranks` fall or stay from each vertex to the next. The better of two largest matchings leaves
    fewer of the highest rank free, then of the next, and so on. Sets that can be covered are a
    matroid, so single exchanges do. Starts from `mate` when given.
    """
    mate = matching(neighbours, mate)
    # One exchange for each vertex that is free now: the best basis of the visited vertices remains
    # the best.
    for v in [v for v, other in enumerate(mate) if other < 0 and ranks[v] > ranks[-1]]:
        lowest = exchangeable(neighbours, mate, [v]).bit_length() - 1
        if ranks[lowest] < ranks[v]:
            exchange(neighbours, mate, v, lowest)
    return mate


def exchangeable(neighbours: Sequence[int], mate: list[int], roots: Sequence[int]) -> int:
    """Return the vertices, as bits, that could stay free instead of one of the free `roots`, these among them.

    The matching has the largest possible number of pairs.
    """
    search = _Search(neighbours, mate, roots, _free(mate))
    end = search.free_end()
    assert end < 0, "a largest matching has no augmenting path"
    return search.even_mask


def left_free(neighbours: Sequence[int]) -> int:
    """Return the vertices, as bits, each of which can be left out so that all the others are paired with each other."""
    mate = matching(neighbours)
    free = [v for v, other in enumerate(mate) if other < 0]
    return exchangeable(neighbours, mate, free) if len(free) == 1 else 0


def alternating_forest(
    neighbours: Sequence[int], mate: list[int], roots: Sequence[int]
) -> tuple[int, list[int]]:
    """Return the vertices at even distance from the free `roots`, as bits, and the contracted odd sets of several.

    The matching has the largest possible number of pairs. It can leave any vertex of a set free.
    """
    search = _Search(neighbours, mate, roots, _free(mate))
    end = search.free_end()
    assert end < 0, "a largest matching has no augmenting path"
    sets = [inside for v, inside in search.inside.items() if search.base[v] == v]
    return search.even_mask, sets


def exchange(neighbours: Sequence[int], mate: list[int], root: int, other: int) -> None:
    """Match the free vertex `root`, and leave the exchangeable vertex `other` free instead."""
    if other == root:
        return
    before = mate[other]
    mate[other] = mate[before] = -1
    without = ~(1 << other)
    narrowed = [0 if v == other else mask & without for v, mask in enumerate(neighbours)]
    augmented = augment(narrowed, mate, root)
    assert augmented, "an exchangeable vertex is at the end of an alternating path"


class PerfectMatching:
    """A perfect matching, changed until asked pairs are in it. Settled pairs leave the graph."""

    def __init__(self, graph: list[int], mate: list[int]) -> None:
        self._graph = graph
        self._mate = mate
        self._open = (1 << len(graph)) - 1

    def mate(self, v: int) -> int:
        """Return the mate that `v` has now."""
        return self._mate[v]

    def choose(self, v: int, allowed: int) -> int:
        """Return the lowest of the `allowed` neighbours that `v` has in any perfect matching, now its mate, or -1."""
        near = self._graph[v] & allowed & self._open
        lost = self._mate[v]
        if not near:
            return -1
        if near & -near == 1 << lost:
            return lost
        within = self._open & ~(1 << v)
        narrowed = [mask & within if within >> w & 1 else 0 for w, mask in enumerate(self._graph)]
        mates = list(self._mate)
        mates[lost], mates[v] = -1, v
        near &= exchangeable(narrowed, mates, [lost])
        if not near:
            return -1
        partner = (near & -near).bit_length() - 1
        exchange(narrowed, mates, lost, partner)
        mates[v], mates[partner] = partner, v
        self._mate = mates
        return partner

    def keep(self, v: int, mask: int) -> None:
        """Leave `v` only these neighbours, its mate among them."""
        for other in bits(self._graph[v] & ~mask):
            self._graph[other] &= ~(1 << v)
        self._graph[v] &= mask

    def close(self, v: int, mate: int) -> None:
        """Pair these two finally."""
        self._open &= ~(1 << v | 1 << mate)


class _Search:
    """Breadth-first search from free vertices for another one, contracting odd cycles to their base."""

    def __init__(
        self, neighbours: Sequence[int], mate: list[int], roots: Sequence[int], free: int
    ) -> None:
        n = len(neighbours)
        self.neighbours = neighbours
        self.mate = mate
        self.parent = [-1] * n
        self.base = list(range(n))
        self.inside: dict[
            int, int
        ] = {}  # by base: the vertices contracted to it, itself among them
        self.even = [False] * n
        self.even_mask = 0
        self.queue: deque[int] = deque()
        for root in roots:
            self._make_even(root)
        # An odd vertex is met once. After that only cycles through even ones are news.
        self.fresh = (1 << n) - 1 & ~self.even_mask
        self.free = free & self.fresh

    def free_end(self) -> int:
        """Return a free vertex at the end of an alternating path, or -1."""
        while self.queue:
            v = self.queue.popleft()
            near = self.neighbours[v]
            ends = near & self.free & self.fresh
            if ends:
                end = (ends & -ends).bit_length() - 1
                self.parent[end] = v
                return end
            # Each contraction takes in many that need no look of their own any more.
            while cycles := near & self.even_mask & ~self._inside(v):
                self._contract(v, (cycles & -cycles).bit_length() - 1)
            for to in bits(near & self.fresh & ~self.even_mask):
                if self.even[to]:
                    continue
                self.parent[to] = v
                self.fresh &= ~(1 << to)
                self._make_even(self.mate[to])
        return -1

    def _inside(self, v: int) -> int:
        """Return the vertices contracted to the base of `v`."""
        base = self.base[v]
        return self.inside.get(base, 1 << base)

    def _make_even(self, v: int) -> None:
        self.even[v] = True
        self.even_mask |= 1 << v
        self.queue.append(v)

    def _contract(self, one: int, other: int) -> None:
        """Contract the cycle closed by the edge between two even vertices. All of them become even."""
        ancestor = self._ancestor(one, other)
        cycle: set[int] = set()
        self._mark(one, ancestor, other, cycle)
        self._mark(other, ancestor, one, cycle)
        cycle.discard(ancestor)
        for base in cycle:
            inside = self._inside(base)
            self.inside[ancestor] = self._inside(ancestor) | inside
            for v in bits(inside):
                self.base[v] = ancestor
                if not self.even[v]:
                    self._make_even(v)

    def _ancestor(self, one: int, other: int) -> int:
        seen = set()
        v = one
        while True:
            v = self.base[v]
            seen.add(v)
            if self.mate[v] < 0:
                break
            v = self.parent[self.mate[v]]
        v = self.base[other]
        while v not in seen:
            v = self.base[self.parent[self.mate[v]]]
        return v

    def _mark(self, v: int, ancestor: int, child: int, cycle: set[int]) -> None:
        while self.base[v] != ancestor:
            cycle |= {self.base[v], self.base[self.mate[v]]}
            self.parent[v] = child
            child = self.mate[v]
            v = self.parent[child]


def first_transversal(rows: Sequence[int]) -> list[int] | None:
    """Return the lexicographically first choice of a different column for every row, or None.

    `rows` are the columns each row may have, as bits. There are equal numbers of columns and rows
    in all, so that every choice takes each of them.
    """
    chosen = _some_transversal(rows)
    if chosen is None:
        return None
    owner = {column: row for row, column in enumerate(chosen)}
    columns: dict[int, int] = {}
    settled = 0
    for row, mask in enumerate(rows):
        open_columns = mask & ~settled
        current = chosen[row]
        if open_columns & -open_columns != 1 << current:
            columns = columns or _transposed(rows)
            _improve(row, chosen, owner, columns, open_columns, settled)
        settled |= 1 << chosen[row]
    return chosen


def _improve(
    row: int,
    chosen: list[int],
    owner: dict[int, int],
    columns: dict[int, int],
    choices: int,
    settled: int,
) -> None:
    """Give `row` the first of its `choices` from which later rows can move up to the column it leaves."""
    start = chosen[row]
    # Backwards from the column left free: players who could take it, and which column that frees in turn.
    step: dict[int, int] = {}
    reached = 1 << start
    later = ~((1 << (row + 1)) - 1)
    queue = deque([start])
    while queue:
        column = queue.popleft()
        takers = columns[column] & later
        later &= ~takers
        for taker in bits(takers):
            freed = chosen[taker]
            if not reached >> freed & 1:
                reached |= 1 << freed
                step[freed] = column
                queue.append(freed)
    best = choices & reached & ~settled
    column = (best & -best).bit_length() - 1
    mover = row
    moves = []
    at = column
    while at != start:
        moves.append((owner[at], step[at]))
        at = step[at]
    for taker, taken in moves:
        chosen[taker] = taken
        owner[taken] = taker
    chosen[mover] = column
    owner[column] = mover


def _transposed(rows: Sequence[int]) -> dict[int, int]:
    # In the first rounds most rows are alike.
    alike: dict[int, int] = {}
    for row, mask in enumerate(rows):
        alike[mask] = alike.get(mask, 0) | 1 << row
    columns: dict[int, int] = {}
    for mask, those in alike.items():
        for column in bits(mask):
            columns[column] = columns.get(column, 0) | those
    return columns


def _some_transversal(rows: Sequence[int]) -> list[int] | None:
    chosen = [-1] * len(rows)
    owner: dict[int, int] = {}
    taken = 0
    for row, mask in enumerate(rows):
        near = mask & ~taken
        if near:
            column = (near & -near).bit_length() - 1
            chosen[row] = column
            owner[column] = row
            taken |= 1 << column
    for row in range(len(rows)):
        if chosen[row] < 0:
            column = _augment_rows(rows, chosen, owner, row, taken)
            if column < 0:
                return None
            taken |= 1 << column
    return chosen


def _augment_rows(
    rows: Sequence[int], chosen: list[int], owner: dict[int, int], root: int, taken: int
) -> int:
    """Give `root` a column by moving others. Return the column newly taken, or -1."""
    parent: dict[int, int] = {}
    unseen = -1
    queue = deque([root])
    while queue:
        row = queue.popleft()
        near = rows[row] & unseen
        unseen &= ~near
        free = near & ~taken
        if free:
            end = column = (free & -free).bit_length() - 1
            while row != root:
                chosen[row], column = column, chosen[row]
                owner[chosen[row]] = row
                row = parent[row]
            chosen[root] = column
            owner[column] = root
            return end
        for column in bits(near):
            other = owner[column]
            parent[other] = row
            queue.append(other)
    return -1
