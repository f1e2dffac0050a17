"""The values of first moves, against every game that can follow, looked at one by one in `games`."""

from __future__ import annotations

import random

import pytest

from engine.kernel.host import Kernel
from engine.kernel.solving import Value, first_moves
from games.core import Position
from games.registry import load
from tests.engine.kernel.best_play import value_after

_VALUES = {1: Value.WIN, 0: Value.DRAW, -1: Value.LOSS}


def _after(key: str, plies: int, seed: int) -> Position:
    rng = random.Random(seed)
    position = load(key).initial(seed=seed)
    for _ in range(plies):
        position = position.play(rng.choice(position.legal_moves()))
    return position


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "plies", "seed"),
    [
        ("morlox(size=2,swap=off)", 0, 1),
        ("morlox(size=3,swap=off)", 0, 1),
        *(("morelli(size=5)", 3, seed) for seed in range(1, 5)),
        *(("morelli(edition=original,size=5)", 4, seed) for seed in range(1, 5)),
    ],
)
@pytest.mark.part(0.3)
def test_values_are_those_of_every_game_that_can_follow(
    kernel: Kernel, key: str, plies: int, seed: int
) -> None:
    position = _after(key, plies, seed)
    known: dict[str, int] = {}
    values = {move: _VALUES[value_after(position, move, known)] for move in position.legal_moves()}
    solved = list(first_moves(position, kernel, most_nodes=10_000_000))
    assert {first.move: first.value for first in solved} == values
    assert all((first.plies > 0) == (first.value is not Value.DRAW) for first in solved)


def test_a_search_that_ends_too_early_leaves_the_value_open(kernel: Kernel) -> None:
    position = load("morelli(size=7)").initial(seed=1)
    first, *_ = first_moves(position, kernel, most_nodes=1)
    assert first.value is Value.OPEN
