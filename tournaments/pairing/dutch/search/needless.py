"""Edges that a search for perfect matchings can ignore: those beside forced pairs, and those far from the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Edge = tuple[int, int]


def without_forced(edges: Iterable[Edge]) -> set[Edge]:
    """Return the edges without those that no perfect matching has, because one end is the only neighbour of another vertex."""
    beside = _neighbours(edges)
    alone = [v for v, near in beside.items() if len(near) == 1]
    while alone:
        v = alone.pop()
        for only in list(beside[v]):
            for other in beside[only] - {v}:
                beside[other].discard(only)
                if len(beside[other]) == 1:
                    alone.append(other)
            beside[only] = {v}
    return {(one, two) for one, two in edges if two in beside[one]}


def connected(edges: Iterable[Edge], roots: Iterable[int]) -> set[Edge]:
    """Return the edges that a chain of edges joins to one of the roots.

    Choices elsewhere have no effect on them.
    """
    beside = _neighbours(edges)
    reached = set(roots)
    stack = list(reached)
    while stack:
        for other in beside.get(stack.pop(), ()):
            if other not in reached:
                reached.add(other)
                stack.append(other)
    return {(one, two) for one, two in edges if one in reached}


def _neighbours(edges: Iterable[Edge]) -> dict[int, set[int]]:
    beside: dict[int, set[int]] = {}
    for one, two in edges:
        beside.setdefault(one, set()).add(two)
        beside.setdefault(two, set()).add(one)
    return beside
