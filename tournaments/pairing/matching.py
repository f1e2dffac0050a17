"""Maximum weight matching of a general graph with integer weights."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from tournaments.pairing.problem import PairingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_most_edges: ContextVar[int | None] = ContextVar("most_edges", default=None)


class TooManyEdgesError(PairingError):
    """The matching would take longer than the caller allows."""

    code = "too-many-edges"


@contextmanager
def limited(most_edges: int) -> Iterator[None]:
    """While it lasts graphs of more edges are refused: 20,000 take 5 s, and it grows faster than they do."""
    token = _most_edges.set(most_edges)
    try:
        yield
    finally:
        _most_edges.reset(token)


def refuse_too_many(edges: int) -> None:
    """Raise TooManyEdgesError when the caller allows fewer."""
    most = _most_edges.get()
    if most is not None and edges > most:
        raise TooManyEdgesError(f"{edges} edges")


def heaviest(edges: Mapping[tuple[int, int], int], *, most_pairs: bool = False) -> dict[int, int]:
    """Partner by vertex in a matching of the largest sum of weights, among those with most pairs if so asked.

    Raises TooManyEdgesError within `limited`.
    """
    refuse_too_many(len(edges))
    # Loaded here: it costs 0.25 s of start-up, and most rounds are paired without it.
    import networkx

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_weighted_edges_from((a, b, w) for (a, b), w in edges.items())
    pairs = networkx.max_weight_matching(graph, maxcardinality=most_pairs)
    return dict(pairs) | {b: a for a, b in pairs}
