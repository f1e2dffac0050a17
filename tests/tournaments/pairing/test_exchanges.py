"""Players of S1: the first exchange (C.04.3 4.3) against all perfect matchings of small graphs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tournaments.pairing.dutch.search import exchanges

Edges = set[tuple[int, int]]


def _perfect(edges: Edges, left: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    if not left:
        yield []
        return
    for other in left[1:]:
        if (left[0], other) in edges:
            rest = tuple(v for v in left[1:] if v != other)
            for matching in _perfect(edges, rest):
                yield [(left[0], other), *matching]


def _obvious_s1(edges: Edges, size: int, players: int, vertices: int) -> list[int]:
    def order(s1: list[int]) -> object:
        leaving = sorted((v for v in range(size) if v not in s1), reverse=True)
        entering = [v for v in s1 if v >= size]
        difference = sum(entering) - sum(leaving)
        return len(entering), difference, [-v for v in leaving], entering

    candidates = [
        sorted(a for a, b in matching if b < players)
        for matching in _perfect(edges, tuple(range(vertices)))
    ]
    return min((c for c in candidates if len(c) == size), key=order)  # type: ignore[arg-type]  # tuples of ints and lists


@pytest.mark.parametrize("way", ["bounded", "weighted"])
@settings(max_examples=150)
@given(data=st.data(), pairs=st.integers(1, 4), exits=st.integers(0, 2))
@pytest.mark.long
def test_the_first_exchange_is_found(way: str, data: st.DataObject, pairs: int, exits: int) -> None:
    players = 2 * pairs + exits
    vertices = players + exits
    every = [(a, b) for a in range(players) for b in range(a + 1, vertices)]
    edges = data.draw(st.sets(st.sampled_from(every), min_size=pairs + exits))
    assume(any(True for _ in _perfect(edges, tuple(range(vertices)))))
    graph = [0] * vertices
    for a, b in edges:
        graph[a] |= 1 << b
        graph[b] |= 1 << a
    expected = _obvious_s1(edges, pairs, players, vertices)
    with pytest.MonkeyPatch.context() as patch:
        if way == "weighted":
            patch.setattr(exchanges, "_bounded", lambda *_: None)
        assert exchanges.s1_after_exchange(graph, pairs, players) == expected
