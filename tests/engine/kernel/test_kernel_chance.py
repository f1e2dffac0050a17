"""The kernel's random games take each legal move with the same chance. Seeds are fixed, so that no run is unlucky."""

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

_PERFECT = "perfect(limit=9)"
# What decides about a move, by name.
_TEXTS = {
    "a stone or the swap": ("morlox(size=4)", "..../..../.b../.... w 1 -"),
    "placements and flips": ("morlox(size=5)", "bw.b./w.b.w/.bwb./w.w.b/.b.w. b 14 -"),
    "steps and series": (
        _PERFECT,
        "fbrrfbBBBB/fbfbfrrBBB/fbrrfbbrBB/rbfrbrffrB/rbfrbfrbff/rrrrfbbffb/Rffrbbbrrf/RRfbbrfrrf/RRRfrbrrfb/RRRRrbrrbr "
        ".b....brbb/.......brb/....b...br/.........b/........../..b......./........../........../....r..r../.......... "
        "blue men 86 0,0,0,0",
    ),
    "a duty to capture": (
        _PERFECT,
        "ffffffBBBB/fffffffBBB/fffrffffBB/fbfffrfffB/fbffffffff/ffbffffffb/Rfffffffff/RRfrffrfff/RRRbfffrfb/RRRRffffff "
        "...b.r.b../........../...r.b..../........../.....b.b.b/b........./.b.r.r...r/......b.../....rr...b/.......... "
        "blue men 86 0,0,0,0",
    ),
    "a man must leave home": (
        _PERFECT,
        "fbrrfbBBBB/fbfbfrrBBB/fbrrfbbrBB/rbfrbrffrB/rbfrbfrbff/rrrrfbbffb/Rffrbbbrrf/RRfbbrfrrf/RRRfrbrrfb/RRRRrbrrbr "
        ".b....brbb/.......brb/........br/.........b/........../..b......./........../........../....r..r../.......... "
        "blue men 86 0,0,0,0",
    ),
    "a man in hand": (
        _PERFECT,
        "fbrrfbBBBB/fbfbfrrBBB/fbrrfbbrBB/rbfrbrffrB/rbfrbfrbff/rrrrfbbffb/Rffrbbbrrf/RRfbbrfrrf/RRRfrbrrfb/RRRRrbrrbr "
        ".b....b..b/.......brb/........b./.........b/........../..b......./........../........../....r..r../.......... "
        "blue men 86 0,0,0,0",
    ),
}


def positions(key, seed):
    position, rng = start(games.load(key).key, seed), random.Random(seed)
    while position.outcome() is None:
        yield position
        position = position.play(position.random_move(rng))


def chi_square(counts, expected):
    return sum((count - expected) ** 2 / expected for count in counts)


@pytest.mark.parametrize("key", _KEYS)
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_each_move_has_the_same_chance(kernel, key, part):
    walk = list(positions(key, 1))
    compare_chances(kernel, walk[int(part * len(walk))], each=30)


@pytest.mark.parametrize(("key", "text"), list(_TEXTS.values()), ids=list(_TEXTS))
def test_each_move_has_the_same_chance_whatever_the_duty(kernel, key, text):
    compare_chances(kernel, games.load(key).parse(text), each=300)


def compare_chances(kernel, position, *, each):
    """Draw one move for each legal one `each` times, and hold their numbers against equal chances."""
    moves = position.legal_moves()
    kernel.load(position)
    counts = Counter(kernel.random_game(seed)[0] for seed in range(each * len(moves)))
    assert set(counts) <= set(moves)
    freedom = len(moves) - 1
    # Five standard deviations of the chi-square distribution above its mean.
    limit = freedom + 5 * (2 * freedom) ** 0.5
    assert chi_square([counts[move] for move in moves], each) <= limit


@functools.cache
def chances(position):
    """The exact chance of each outcome of a random game."""
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
def test_tallies_have_the_exact_chances(kernel, key, seed):
    """Near the end of a game, where all of its continuations can be followed."""
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
    """Games in bulk may take a way of their own; their length is that of written ones."""
    kernel.load(start(games.load(key).key, 3))
    count = 400
    lengths = [len(kernel.random_game(seed)) for seed in range(count)]
    mean = sum(lengths) / count
    variance = sum((length - mean) ** 2 for length in lengths) / count
    tally = kernel.playouts(count, 1_000_000)
    assert abs(tally.plies / count - mean) <= 5 * (2 * variance / count) ** 0.5
