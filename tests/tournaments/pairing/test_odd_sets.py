"""Edges that a search leaves out do not change the result: prices of odd sets, forced pairs, components, and the brackets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.hard_fields import exhausted
from tests.tournaments.pairing.test_dutch import fields, small_fields
from tournaments.pairing import NoPairingError, PairingProblem
from tournaments.pairing.dutch.rules.field import field_of
from tournaments.pairing.dutch.search import exact
from tournaments.pairing.dutch.search.bits import bits
from tournaments.pairing.dutch.search.needless import connected, without_forced
from tournaments.pairing.dutch.search.nested import heaviest_perfect
from tournaments.pairing.dutch.search.odd_sets import worth_of_tight
from tournaments.pairing.dutch.search.steps import brackets
from tournaments.pairing.matching import heaviest

Edge = tuple[int, int]
Weights = dict[Edge, int]


def _matchings(edges: Collection[Edge], left: tuple[int, ...]) -> Iterator[frozenset[Edge]]:
    """All perfect matchings."""
    if not left:
        yield frozenset()
        return
    for other in left[1:]:
        if (left[0], other) in edges:
            rest = tuple(v for v in left[1:] if v != other)
            for matching in _matchings(edges, rest):
                yield matching | {(left[0], other)}


def _best(edges: Weights, size: int) -> set[frozenset[Edge]]:
    """All heaviest perfect matchings."""
    every = {m: sum(edges[edge] for edge in m) for m in _matchings(edges, tuple(range(size)))}
    return {m for m, worth in every.items() if worth == max(every.values())}


@st.composite
def _graphs(draw: st.DrawFn) -> tuple[Weights, list[int], int]:
    """Edges with weights by the kinds of their ends, the kinds, and the number of vertices."""
    size = draw(st.sampled_from((2, 4, 6, 8)))
    kinds = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    if draw(st.booleans()):
        kinds = list(range(size))
    top = draw(st.sampled_from((1, 3, 40)))
    pairs = st.sets(st.sampled_from(list(combinations(range(size), 2))), min_size=size // 2)
    worth: dict[frozenset[int], int] = {}
    edges = {}
    for one, two in sorted(draw(pairs)):
        both = frozenset((kinds[one], kinds[two]))
        if both not in worth:
            worth[both] = draw(st.integers(-top, top))
        edges[one, two] = worth[both]
    return edges, kinds, size


@settings(max_examples=300)
@given(graph=_graphs())
@pytest.mark.long
def test_the_small_numbers_have_the_same_best_matchings_as_the_weights(
    graph: tuple[Weights, list[int], int],
) -> None:
    edges, kinds, size = graph
    vertices = {vertex for edge in edges for vertex in edge}
    best = _best(edges, size) if len(vertices) == size else set()
    worth = worth_of_tight(edges, kinds.__getitem__)
    if len(vertices) == size:
        assert (worth is None) == (not best)
    if worth is not None and best:
        assert worth.keys() <= edges.keys()
        assert _best(worth, size) == best


@pytest.mark.long
@settings(max_examples=200)
@given(graph=_graphs())
def test_who_may_stay_unpaired_does_so_where_that_is_worth_more(
    graph: tuple[Weights, list[int], int],
) -> None:
    edges, kinds, size = graph
    worth = worth_of_tight(edges, kinds.__getitem__, range(size))
    assert worth is not None
    unpaired = dict.fromkeys(combinations(range(size), 2), 0)
    assert _best(worth, size) == _best(unpaired | edges, size)


@pytest.mark.long
@settings(max_examples=200)
@given(graph=_graphs(), root=st.integers(0, 7))
def test_no_perfect_matching_uses_an_edge_beside_a_forced_pair(
    graph: tuple[Weights, list[int], int], root: int
) -> None:
    edges, _, size = graph
    matchings = set(_matchings(edges, tuple(range(size))))
    assert set(_matchings(without_forced(edges), tuple(range(size)))) == matchings
    near = connected(edges, {root})
    far = edges.keys() - near
    assert {v for edge in near for v in edge}.isdisjoint(v for edge in far for v in edge)
    assert all(edge in near for edge in edges if root in edge)


def test_a_chain_of_forced_pairs_leaves_one_matching() -> None:
    path = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert without_forced([*path, (1, 4)]) == {(0, 1), (2, 3), (4, 5)}


def test_three_who_could_all_meet_have_a_price_of_their_own() -> None:
    """Two triangles joined by one expensive edge: halves of pairs are worth 30 more than any pairing."""
    triangles = {(0, 1): 20, (0, 2): 20, (1, 2): 20, (3, 4): 20, (3, 5): 20, (4, 5): 20}
    worth = worth_of_tight({**triangles, (2, 3): 0, (0, 5): -5}, lambda v: v)
    assert worth == {(0, 1): 1, (0, 2): 1, (1, 2): 1, (3, 4): 1, (3, 5): 1, (4, 5): 1, (2, 3): 0}


@pytest.mark.parametrize(
    ("edges", "has_matching"),
    [
        pytest.param(
            {(0, 1): 3, (0, 7): 3, (1, 7): 2, (2, 3): 2, (2, 4): 2}
            | {(2, 6): 0, (3, 4): 1, (3, 5): 1, (4, 6): 0},
            False,
            id="three and five apart",
        ),
        pytest.param(
            {(0, 1): 1, (0, 4): 2, (0, 6): 3, (1, 5): 1, (1, 7): 2, (2, 3): 1}
            | {(2, 4): 2, (2, 6): 1, (3, 4): 2, (5, 7): 0, (6, 7): 0},
            True,
            id="three who are joined to the last vertex",
        ),
    ],
)
def test_an_odd_set_with_a_free_vertex_takes_no_mate_from_others(
    edges: Weights, *, has_matching: bool
) -> None:
    worth = worth_of_tight(edges, lambda v: v)
    assert (worth is not None) == has_matching
    if worth is not None:
        assert _best(worth, 8) == _best(edges, 8)


def _plain(
    edges: Mapping[Edge, int], kind: Callable[[int], Hashable], unpaired: Collection[int] = ()
) -> Weights:
    """Return every edge at its weight, without any knowledge of them."""
    return dict.fromkeys(combinations(sorted(unpaired), 2), 0) | dict(edges)


def _by_networkx(edges: Mapping[Edge, int]) -> dict[int, int]:
    return heaviest(edges, most_pairs=True)


@pytest.mark.long
@settings(max_examples=60)
@given(problem=st.one_of(small_fields, fields))
def test_brackets_are_paired_as_with_all_edges_and_digits(problem: PairingProblem) -> None:
    try:
        steps = list(brackets(field_of(problem)))
    except NoPairingError:
        return
    for step in steps:
        narrowed = exact.exact_pairs(step.bracket, step.completion)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exact, "worth_of_tight", _plain)
            patch.setattr(exact, "without_forced", set)
            patch.setattr(exact, "heaviest_perfect", _by_networkx)
            assert exact.exact_pairs(step.bracket, step.completion) == narrowed


@pytest.mark.long
@settings(max_examples=100)
@given(problem=fields)
def test_floaters_taken_are_those_who_are_taken_one_by_one(problem: PairingProblem) -> None:
    try:
        steps = list(brackets(field_of(problem)))
    except NoPairingError:
        return
    for bracket, completion in ((step.bracket, step.completion) for step in steps):
        if bracket.bye_falls_here or not bracket.below:
            continue
        taken = set(bits(completion.floaters_taken(bracket)))
        one_by_one = {p for p in bracket.members if completion.takes_floater(bracket, p)}
        assert taken & set(bracket.members) == one_by_one


@pytest.mark.long
@settings(max_examples=100)
@given(problem=fields)
def test_groups_below_need_as_many_floaters_as_their_largest_matching_leaves(
    problem: PairingProblem,
) -> None:
    try:
        steps = list(brackets(field_of(problem)))
    except NoPairingError:
        return
    for bracket, completion in ((step.bracket, step.completion) for step in steps):
        needed, useful = completion.needed_above(bracket.below)
        for count in range(min(needed, 2) + 1):
            for places in combinations(bracket.members, count):
                floaters = sum(1 << place for place in places)
                if completion.takes(floaters, bracket.below):
                    assert count == needed
                    assert not floaters & ~useful
        assert needed <= len(bracket.members)
        if needed == 1:
            for place in bits(useful & sum(1 << place for place in bracket.members)):
                assert completion.takes(1 << place, bracket.below)


@pytest.mark.long
def test_weighted_matchings_of_a_nearly_exhausted_field_look_at_few_edges(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """300 players with four possible opponents each: 8,122 edges in all without the omissions."""
    looked_at = []

    def counted(edges: Mapping[Edge, int]) -> dict[int, int]:
        looked_at.append(len(edges))
        return heaviest_perfect(edges)

    monkeypatch.setattr(exact, "heaviest_perfect", counted)
    for step in brackets(field_of(exhausted(300, left=4))):
        exact.exact_pairs(step.bracket, step.completion)
    assert 0 < sum(looked_at) < 3500
