"""Random moves of the kernel: every legal move, each equally likely, with any rules of the moment."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import games

_DRAWS = 100  # for each legal move


_PERFECT = "perfect(limit=9)"
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


# Part of the way through a random game: many steps and few, captures, frames, placements.
_WALKS = [
    ("morelli(size=7)", 0),
    ("morelli(size=7)", 10),
    ("morelli(size=7)", 18),
    ("morelli(size=9)", 29),
    ("morelli(size=7,setup=placement)", 5),
    ("morelli(edition=original,size=7)", 8),
    ("morelli(edition=original,size=7,setup=adjacent)", 15),
    ("morelli(edition=original,size=9)", 30),
]


def _walked(key, plies):
    position, rng = games.load(key).initial(seed=1), random.Random(1)
    for _ in range(plies):
        position = position.play(position.random_move(rng))
    return position


def _positions():
    for name, (key, text) in _TEXTS.items():
        yield pytest.param(games.load(key).parse(text), id=name)
    for key, plies in _WALKS:
        yield pytest.param(_walked(key, plies), id=f"{key} after {plies} plies")
    tiles = games.load(_PERFECT).initial()
    for _ in range(60):
        tiles = tiles.play(tiles.legal_moves()[0])
    yield pytest.param(tiles, id="tiles")


@pytest.mark.parametrize("position", list(_positions()))
@pytest.mark.part(0.3)
def test_each_legal_move_is_equally_likely(kernel, position):
    kernel.load(position)
    moves = position.legal_moves()
    draws = Counter(kernel.random_game(seed)[0] for seed in range(_DRAWS * len(moves)))
    assert sorted(draws) == moves
    freedom = len(moves) - 1
    chi_squared = sum((count - _DRAWS) ** 2 / _DRAWS for count in draws.values())
    # Four standard deviations of the distribution above its mean. The seeds are fixed.
    assert chi_squared <= freedom + 4 * (2 * freedom) ** 0.5
