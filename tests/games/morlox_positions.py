"""Positions and games of Morlox for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import strategies as st

from games.core import IllegalMoveError
from games.morlox import Morlox, MorloxPosition

BLACK_CHAIN = ".b..w .b.w. .b... .bw.. .bw.."
SEEDS = st.integers(min_value=0, max_value=2**32 - 1)


def drawn(
    drawing: str, turn: str = "b", *, swap: bool = False, swapped: bool = False
) -> MorloxPosition:
    """Return the position of a drawing, rows from the top: `b` black, `w` white, `.` empty.

    `turn` is to move.
    """
    rows = drawing.split()
    stones = sum(row.count("b") + row.count("w") for row in rows)
    turns = stones + (stones % 2 != (turn == "w"))  # as early as the colour to move allows
    ending = f"{turn} {turns + swapped} {'swapped' if swapped else '-'}"
    return Morlox(len(rows), swap=swap or swapped).parse(f"{'/'.join(rows)} {ending}")


def played(ruleset: Morlox, moves: str) -> MorloxPosition:
    """Return the position after `moves`, separated by spaces."""
    position = ruleset.initial()
    for move in moves.split():
        position = position.play(move)
    return position


def refusal(position: MorloxPosition, move: str) -> IllegalMoveError:
    """Return the error with which `position` refuses `move`."""
    with pytest.raises(IllegalMoveError) as caught:
        position.play(move)
    return caught.value


def random_game(ruleset: Morlox, seed: int) -> Iterator[tuple[str | None, MorloxPosition]]:
    """Yield the positions of a random game, the last one finished, each with the move that led to it."""
    rng, position = random.Random(seed), ruleset.initial()
    yield None, position
    while position.outcome() is None:
        move = position.random_move(rng)
        position = position.play(move)
        yield move, position
