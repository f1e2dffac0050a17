"""Maximum weight matching of a general graph with integer weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def heaviest(edges: Mapping[tuple[int, int], int], *, most_pairs: bool = False) -> dict[int, int]:
    """Partner by vertex in a matching of the largest sum of weights, among those with most pairs if so asked."""
    # Loaded here: it costs 0.25 s of start-up, and most rounds are paired without it.
    import networkx

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_weighted_edges_from((a, b, w) for (a, b), w in edges.items())
    pairs = networkx.max_weight_matching(graph, maxcardinality=most_pairs)
    return dict(pairs) | {b: a for a, b in pairs}
