"""The first of the heaviest perfect matchings, against all perfect matchings of small graphs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tournaments.pairing import best_matchings
from tournaments.pairing.best_matchings import BestMatchings

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
