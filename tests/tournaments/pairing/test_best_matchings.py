"""The first of the heaviest perfect matchings, against all perfect matchings of small graphs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tournaments.pairing import best_matchings
from tournaments.pairing.best_matchings import BestMatchings, Priority, first_of_best
from tournaments.pairing.dutch.search.nested import NestedMatching

Pairs = list[tuple[int, int]]


def _matchings(near: list[int], left: tuple[int, ...]) -> Iterator[Pairs]:
    if not left:
        yield []
        return
    one, *others = left
    for two in others:
        if near[one] >> two & 1:
            for rest in _matchings(near, tuple(v for v in others if v != two)):
                yield [(one, two), *rest]


def random_graph(rng: random.Random, size: int) -> tuple[list[int], Callable[[int, int], int]]:
    """Neighbours as bits, and weights: odd cycles of good edges are frequent, which makes odd sets."""
    near = [0] * size
    weights = {}
    for one in range(size):
        for two in range(one + 1, size):
            if rng.random() < 0.8:
                near[one] |= 1 << two
                near[two] |= 1 << one
            weights[one, two] = rng.choice((0, 0, 0, 1, 2))
    return near, lambda a, b: weights[min(a, b), max(a, b)]


@pytest.mark.long
@pytest.mark.parametrize("is_quick", [True, False], ids=["by kinds", "by odd sets"])
@settings(max_examples=200)
@given(seed=st.integers(0, 10**9), size=st.sampled_from([4, 6, 8]))
def test_the_first_identifier_and_the_first_set_are_those_of_all_matchings(
    is_quick: bool, seed: int, size: int
) -> None:
    near, weight = random_graph(random.Random(seed), size)
    everything = list(_matchings(near, tuple(range(size))))
    assume(everything)
    most = max(sum(weight(*pair) for pair in pairs) for pairs in everything)
    best = [pairs for pairs in everything if sum(weight(*pair) for pair in pairs) == most]
    with pytest.MonkeyPatch.context() as patch:
        if not is_quick:
            patch.setattr(best_matchings, "best_matching", lambda *_: None)
        graph = BestMatchings(list(near), range(size), weight)
        identifiers = [([a for a, _ in pairs], [b for _, b in pairs]) for pairs in best]
        tops, bottoms = min(identifiers)
        assert graph.first_identifier() == list(zip(tops, bottoms, strict=True))
    residents = size // 2
    crossing = [sorted(b for a, b in pairs if a < residents <= b) for pairs in best]
    count = len(crossing[0])
    assume(all(len(each) == count for each in crossing))
    with pytest.MonkeyPatch.context() as patch:
        if not is_quick:
            patch.setattr(best_matchings, "best_matching", lambda *_: None)
        graph = BestMatchings(list(near), range(size), weight)
        assert graph.first_across(residents) == min(crossing)


@pytest.mark.long
@settings(max_examples=300)
@given(
    seed=st.integers(0, 10**9),
    size=st.sampled_from([4, 6, 8]),
    is_exact=st.booleans(),
)
def test_of_the_best_matchings_the_one_that_follows_the_priorities_is_found(
    seed: int, size: int, is_exact: bool
) -> None:
    rng = random.Random(seed)
    near, weight = random_graph(rng, size)

    def worth(pairs: Pairs) -> int:
        return sum(weight(a, b) for a, b in pairs)

    matchings = list(_matchings(near, tuple(range(size))))
    order = rng.sample(range(size), size)
    priorities = [
        Priority(v, rng.getrandbits(size), is_exact) for v in rng.sample(range(size), size)
    ]

    def faults(pairs: Pairs) -> list[int]:
        met = {one: two for a, b in pairs for one, two in ((a, b), (b, a))}
        return [
            (order.index(met[v]) if is_exact else 0) if mask >> met[v] & 1 else size
            for v, mask, _ in priorities
        ]

    partners = first_of_best(near, order, lambda v: v, weight, priorities)
    if not matchings:
        assert not partners
        return
    most = max(map(worth, matchings))
    pairs = [(a, b) for a, b in partners.items() if a < b]
    assert worth(pairs) == most
    assert faults(pairs) == min(faults(m) for m in matchings if worth(m) == most)


_SETS = (0b1111111, 0b0000111, 0b0011111, 0b0111000, 0b1110000000)


@settings(max_examples=600, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    seed=st.integers(0, 10**9),
    sets=st.sampled_from([(0, 1), (0, 2, 1), (0, 1, 3), (2, 1, 4), (0, 4), (0, 1, 3, 4), (3,)]),
)
@pytest.mark.long
def test_one_pair_leaves_each_odd_set_and_the_lowest_partners_are_chosen(
    seed: int, sets: tuple[int, ...]
) -> None:
    rng = random.Random(seed)
    size, odd_sets = 10, [_SETS[n] for n in sets]
    density = rng.choice((0.35, 0.5))
    near = [0] * size
    for one in range(size):
        for two in range(one + 1, size):
            if rng.random() < density:
                near[one] |= 1 << two
                near[two] |= 1 << one
    left = [
        pairs
        for pairs in _matchings(near, tuple(range(size)))
        if all(sum((m >> a ^ m >> b) & 1 for a, b in pairs) == 1 for m in odd_sets)
    ]
    assume(left)
    graph = NestedMatching(list(near), odd_sets)
    for v in rng.sample(range(size), size):
        mask = rng.getrandbits(size)
        mates = [next(b + a - v for a, b in pairs if v in (a, b)) for pairs in left]
        partner = graph.choose(v, mask)
        assert partner == min((m for m in mates if mask >> m & 1), default=-1)
        keeps = 1 << partner if partner >= 0 else ~mask
        graph.keep(v, keeps)
        left = [pairs for pairs, m in zip(left, mates, strict=True) if keeps >> m & 1]
        now = sorted((one, graph.mate(one)) for one in range(size) if one < graph.mate(one))
        assert now in map(sorted, left)


def _no_weight(_one: int, _two: int) -> int:
    return 0


def test_a_wish_for_several_partners_leaves_the_choice_to_later_wishes() -> None:
    everyone = [0b1110, 0b1101, 0b1011, 0b0111]
    wishes = [Priority(0, 0b1100), Priority(1, 0b0100)]
    pairs = first_of_best(everyone, range(4), lambda v: v, _no_weight, wishes)
    assert pairs == {0: 3, 1: 2, 2: 1, 3: 0}
    exact = [Priority(0, 0b1100, is_exact=True), Priority(1, 0b0100)]
    pairs = first_of_best(everyone, range(4), lambda v: v, _no_weight, exact)
    assert pairs == {0: 2, 1: 3, 2: 0, 3: 1}


def test_places_without_a_perfect_matching_have_no_partners() -> None:
    path = [0b0010, 0b1101, 0b0010, 0b0010]
    assert first_of_best(path, range(4), lambda v: v, _no_weight, []) == {}
