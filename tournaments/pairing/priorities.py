"""The first of the best perfect matchings by a list of priorities: a place, and whom it should meet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.digits import Digits
from tournaments.pairing.dutch.search.bits import PerfectMatching, bits, matching
from tournaments.pairing.dutch.search.odd_sets import worth_of_tight
from tournaments.pairing.matching import heaviest, refuse_too_many

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

Edge = tuple[int, int]

_NOBODY = -1  # whose partner is alone


@dataclass(frozen=True, slots=True)
class Priority:
    """The preferred opponent of a place among equally good pairings: one of `partners`, as bits, or the first if `is_exact`."""

    place: int
    partners: int
    is_exact: bool = False


def first_of_best(
    edges: Mapping[Edge, int],
    kind: Callable[[int], Hashable],
    priorities: Sequence[Priority],
    *,
    order: Sequence[int] = (),
    idle: Sequence[int] = (),
) -> dict[int, int]:
    """Return the partner by place in the heaviest perfect matching, by the priorities among equal ones.

    Weights are equal for all edges between two kinds of places. The partner that comes first in
    `order` is the first. The places in `idle` may have no partner. The result is empty if the
    others cannot all have one.
    """
    refuse_too_many(len(edges))
    everybody = {p for edge in edges for p in edge} | set(idle)
    alone = {*idle, *((_NOBODY,) if len(everybody) % 2 else ())}
    worth = worth_of_tight(edges, lambda p: None if p == _NOBODY else kind(p), alone)
    if worth is None:
        return {}
    near = dict.fromkeys(everybody, 0)
    for one, two in edges:
        near[one] |= 1 << two
        near[two] |= 1 << one
    # Two without a partner are no requested pair.
    priorities = [replace(p, partners=p.partners & near.get(p.place, 0)) for p in priorities]
    places = list(dict.fromkeys([*order, *sorted({p for edge in worth for p in edge})]))
    vertex = {place: v for v, place in enumerate(places)}
    find = _first_by_digits if any(worth.values()) else _first_by_paths
    partners = find(worth, priorities, vertex)
    return {one: two for one, two in partners.items() if (min(one, two), max(one, two)) in edges}


def _first_by_paths(
    worth: Mapping[Edge, int], priorities: Sequence[Priority], vertex: Mapping[int, int]
) -> dict[int, int]:
    """The partners where every perfect matching of the edges is best: each priority by alternating paths."""
    places = list(vertex)
    graph = [0] * len(places)
    for one, two in worth:
        graph[vertex[one]] |= 1 << vertex[two]
        graph[vertex[two]] |= 1 << vertex[one]
    perfect = PerfectMatching(graph, matching(graph))
    for priority in priorities:
        v = vertex[priority.place]
        mask = sum(1 << vertex[p] for p in bits(priority.partners))
        partner = perfect.choose(v, mask)
        if partner < 0:
            perfect.keep(v, ~mask)
        else:
            perfect.keep(v, 1 << partner if priority.is_exact else mask)
    return {place: places[perfect.mate(v)] for v, place in enumerate(places)}


def _first_by_digits(
    worth: Mapping[Edge, int], priorities: Sequence[Priority], vertex: Mapping[int, int]
) -> dict[int, int]:
    """The same with a digit for each priority below the weights: where prices of odd sets say which tight edges go together."""
    digits = Digits()
    granted: dict[int, tuple[Priority, int]] = {}
    for priority in reversed(priorities):
        granted[priority.place] = priority, digits.take(len(vertex) if priority.is_exact else 1)

    def order(one: int, two: int) -> int:
        if two == _NOBODY or one not in granted or not granted[one][0].partners >> two & 1:
            return 0
        priority, unit = granted[one]
        return unit * (len(vertex) - vertex[two] if priority.is_exact else 1)

    return heaviest(
        {
            (one, two): weight * digits.next + order(one, two) + order(two, one)
            for (one, two), weight in worth.items()
        },
        most_pairs=True,
    )
