"""Prices of kinds of vertices, against a linear program of scipy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tournaments.pairing.dutch.search import duals
from tournaments.pairing.dutch.search.duals import Weights


@dataclass(frozen=True)
class _Graph:
    counts: list[int]
    weights: Weights


@st.composite
def _graphs(draw: st.DrawFn) -> _Graph:
    counts = draw(st.lists(st.integers(1, 3), min_size=2, max_size=5))
    weights: Weights = [[None] * len(counts) for _ in counts]
    for a, count in enumerate(counts):
        for b in range(a + (count == 1), len(counts)):
            weights[a][b] = weights[b][a] = draw(st.none() | st.integers(0, 9))
    return _Graph(counts, weights)


def _greatest_sum(graph: _Graph) -> float | None:
    """Return the sum of the heaviest fractional perfect matching, or None without one."""
    edges = [
        (a, b, weight)
        for a, row in enumerate(graph.weights)
        for b, weight in enumerate(row[: a + 1])
        if weight is not None
    ]
    if not edges:
        return None
    degrees = np.zeros((len(graph.counts), len(edges)))
    for k, (a, b, _) in enumerate(edges):
        degrees[a, k] += 1
        degrees[b, k] += 1
    result = linprog([-w for _, _, w in edges], A_eq=degrees, b_eq=graph.counts)
    return None if result.status else float(-result.fun)


@settings(max_examples=150)
@given(_graphs())
@pytest.mark.long
def test_prices_bound_every_edge_and_no_others_have_a_smaller_sum(graph: _Graph) -> None:
    prices = duals.prices(graph.counts, graph.weights)
    greatest = _greatest_sum(graph)
    if prices is None or greatest is None:
        assert prices is None
        assert greatest is None
        return
    for a, row in enumerate(graph.weights):
        for b, weight in enumerate(row):
            assert weight is None or prices[a] + prices[b] >= 2 * weight
    total = sum(count * price for count, price in zip(graph.counts, prices, strict=True))
    assert total / 2 == pytest.approx(greatest)
