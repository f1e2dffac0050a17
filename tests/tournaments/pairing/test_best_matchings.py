"""The first of the heaviest perfect matchings, against all perfect matchings of small graphs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tournaments.pairing import best_matchings
from tournaments.pairing.best_matchings import BestMatchings, Priority, first_of_best

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


def _graph(rng: random.Random, size: int) -> tuple[list[int], Callable[[int, int], int]]:
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


@pytest.mark.parametrize("is_quick", [True, False], ids=["by kinds", "by odd sets"])
@settings(max_examples=200)
@given(seed=st.integers(0, 10**9), size=st.sampled_from([4, 6, 8]))
def test_the_first_identifier_and_the_first_set_are_those_of_all_matchings(
    is_quick: bool, seed: int, size: int
) -> None:
    near, weight = _graph(random.Random(seed), size)
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
        assert graph.first_across((1 << residents) - 1, count) == min(crossing)


@settings(max_examples=300)
@given(
    seed=st.integers(0, 10**9),
    size=st.sampled_from([4, 5, 6, 7, 8]),
    is_exact=st.booleans(),
    is_idle=st.booleans(),
)
def test_of_the_best_matchings_the_one_that_follows_the_priorities_is_found(
    seed: int, size: int, is_exact: bool, is_idle: bool
) -> None:
    rng = random.Random(seed)
    near, weight = _graph(rng, size)
    everybody = tuple(range(size + size % 2))
    with_idle = [*near, *([0] * (size % 2))]
    if is_idle:
        with_idle = [sum(1 << w for w in everybody if w != v) for v in everybody]

    def worth(pairs: Pairs) -> int:
        return sum(weight(a, b) for a, b in pairs if b < size and near[a] >> b & 1)

    matchings = list(_matchings(with_idle, everybody))
    order = rng.sample(range(size), size)
    wanted = [Priority(v, rng.getrandbits(size), is_exact) for v in rng.sample(range(size), size)]

    def faults(pairs: Pairs) -> list[int]:
        met = {one: two for a, b in pairs for one, two in ((a, b), (b, a))}
        return [
            (order.index(met[v]) if is_exact else 0)
            if (met[v] < size and near[v] & partners) >> met[v] & 1
            else size
            for v, partners, _ in wanted
        ]

    found = first_of_best(near, order, lambda v: v, weight, wanted, order if is_idle else ())
    if not matchings:
        assert not found
        return
    most = max(map(worth, matchings))
    pairs = [(v, found.get(v, size)) for v in range(size)]
    assert worth([(a, b) for a, b in pairs if a < b]) == most
    assert faults(pairs) == min(faults(m) for m in matchings if worth(m) == most)
