"""Matchings that would take longer than the caller allows."""

from __future__ import annotations

import pytest

from tests.tournaments.pairing.histories import random_problem
from tournaments.pairing import PairingError, matching, system

_SQUARE = {(1, 2): 3, (2, 3): 4, (3, 4): 3, (1, 4): 1}


def test_a_graph_of_more_edges_than_allowed_is_refused_within_the_limit_only() -> None:
    with matching.limited(4):
        assert matching.heaviest(_SQUARE, most_pairs=True) == {1: 2, 2: 1, 3: 4, 4: 3}
    with matching.limited(3), pytest.raises(matching.TooManyEdgesError) as refusal:
        matching.heaviest(_SQUARE)
    assert isinstance(refusal.value, PairingError)
    assert matching.heaviest(_SQUARE, most_pairs=True) == {1: 2, 2: 1, 3: 4, 4: 3}


@pytest.mark.parametrize("name", ["burstein", "double-swiss"])
def test_systems_that_pair_without_weighted_matchings_have_no_limit(name: str) -> None:
    problem = random_problem(size=31, rounds=3, seed=2, is_last=True)
    with matching.limited(0):
        assert system(name).pair(problem).boards
