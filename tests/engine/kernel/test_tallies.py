"""Random games in bulk have the chances of single ones. Seeds are fixed, so that no run is unlucky."""

from __future__ import annotations

import functools
import random
from collections import Counter

import pytest

import games
from games.core import Outcome
from tests.engine.kernel.rulesets import start

_KEYS = (
    "morelli(size=7)",
    "morelli(size=7,setup=placement)",
    "morelli(edition=original,size=7)",
    "morelli(edition=original,size=9)",
    "morlox(size=5)",
    "perfect()",
)


def positions(key, seed):
    position, rng = start(games.load(key).key, seed), random.Random(seed)
    while position.outcome() is None:
        yield position
        position = position.play(position.random_move(rng))


@functools.cache
def chances(position):
    """Return the exact chance of each outcome of a random game."""
    if (outcome := position.outcome()) is not None:
        return {outcome: 1.0}
    moves = position.legal_moves()
    sums: Counter[Outcome] = Counter()
    for move in moves:
        for outcome, chance in chances(position.play(move)).items():
            sums[outcome] += chance / len(moves)
    return dict(sums)


@pytest.mark.parametrize("key", _KEYS[:-1])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.part(0.3)
def test_tallies_have_the_exact_chances(kernel, key, seed):
    """Near the end of a game all of its continuations can be followed."""
    position = list(positions(key, seed))[-3]
    expected = chances(position)
    count = 10_000
    tally = kernel.load(position).playouts(count, seed)
    wins = {Outcome.FIRST: tally.first, Outcome.SECOND: tally.second, Outcome.DRAW: tally.draws}
    for outcome, number in wins.items():
        chance = expected.get(outcome, 0.0)
        assert abs(number - count * chance) <= 5 * (count * chance * (1 - chance)) ** 0.5, outcome


@pytest.mark.parametrize("key", [*_KEYS, "morlox(size=11)"])
def test_tallies_are_of_the_games_that_are_written(kernel, key):
    """Games in bulk may take a separate path. Their length is that of written ones."""
    kernel.load(start(games.load(key).key, 3))
    count = 400
    lengths = [len(kernel.random_game(seed)) for seed in range(count)]
    mean = sum(lengths) / count
    variance = sum((length - mean) ** 2 for length in lengths) / count
    tally = kernel.playouts(count, 1_000_000)
    assert abs(tally.plies / count - mean) <= 5 * (2 * variance / count) ** 0.5
