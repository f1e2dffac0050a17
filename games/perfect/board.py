"""The board of The Perfect Game?: its squares, their colours and the ways between them.

A set of squares is an integer. Square number `11 * rank + file`, both from 0, is bit `1 << number`.
The unused bit after each row keeps shifts from stepping from one row into the next.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

SIZE = 10
STRIDE = SIZE + 1
MEN = 10  # of each colour

_POINTS = [(file, rank) for rank in range(SIZE) for file in range(SIZE)]


def _square(file: int, rank: int) -> int:
    return rank * STRIDE + file


SQUARES = {f"{'abcdefghij'[file]}{rank + 1}": _square(file, rank) for file, rank in _POINTS}
NAMES = {square: name for name, square in SQUARES.items()}


class Colour(StrEnum):
    """One of the two sides' colours."""

    RED = "red"
    BLUE = "blue"

    @property
    def other(self) -> Colour:
        """Return the opposing colour."""
        return Colour.BLUE if self is Colour.RED else Colour.RED


BOARD = sum(1 << square for square in NAMES)
# D-P1: Red starts in the corner triangle at a1, Blue in the one at j10.
RED_HOME = sum(1 << _square(file, rank) for file, rank in _POINTS if file + rank < 4)
BLUE_HOME = sum(1 << _square(file, rank) for file, rank in _POINTS if file + rank > 14)
HOMES = {Colour.RED: RED_HOME, Colour.BLUE: BLUE_HOME}
NEUTRAL = BOARD & ~(RED_HOME | BLUE_HOME)
# Red and blue squares and tiles have the parity of purple, orange and green that of yellow and the
# corners.
PURPLE_PARITY = sum(1 << _square(file, rank) for file, rank in _POINTS if (file + rank) % 2)
PURPLE = NEUTRAL & PURPLE_PARITY
YELLOW = NEUTRAL & ~PURPLE_PARITY


class Jump(NamedTuple):
    """A diagonal jump: the squares leapt over and landed on as bits, and the landing number."""

    over: int
    landing: int
    square: int


def _jumps(square: int) -> tuple[Jump, ...]:
    """Return the jumps from `square` that stay on the board."""
    ways = [
        (square + way, square + 2 * way)
        for way in (STRIDE + 1, STRIDE - 1, 1 - STRIDE, -1 - STRIDE)
    ]
    return tuple(Jump(1 << over, 1 << to, to) for over, to in ways if to in NAMES and over in NAMES)


STEPS = (STRIDE, 1, -1, -STRIDE)
JUMPS = {square: _jumps(square) for square in NAMES}


def spread(squares: int) -> int:
    """`squares` and their orthogonal neighbours, with stray bits outside the board."""
    return squares | squares << 1 | squares >> 1 | squares << STRIDE | squares >> STRIDE


def group(seed: int, members: int) -> int:
    """Return the squares of `members` connected orthogonally to `seed`, itself one of them."""
    previous, squares = 0, seed
    while squares != previous:
        previous = squares
        squares = spread(squares) & members
    return squares


def numbers(squares: int) -> list[int]:
    """Return the numbers of the squares of a set, rising."""
    rising = []
    while squares:
        lowest = squares & -squares
        rising.append(lowest.bit_length() - 1)
        squares ^= lowest
    return rising


def steps_advanced(colour: Colour, men: int) -> int:
    """Return the sum of the steps of `men` towards the opposite corner: 20 at home, 160 at the goal."""
    steps = sum(sum(divmod(square, STRIDE)) for square in numbers(men))
    return steps if colour is Colour.RED else 2 * (SIZE - 1) * men.bit_count() - steps
