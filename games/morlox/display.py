"""The squares of Morlox for display."""

from __future__ import annotations

import functools

from games.morlox.board import board_of
from games.view import Cell


def cells_of(size: int, *, black: int, white: int) -> list[Cell]:
    """The squares from the top left, row by row; their two grounds are decoration (D-X15)."""
    bits = board_of(size).bits
    squares = (rank * size + file for rank in reversed(range(size)) for file in range(size))
    return [_cell(size, square, _piece(bits[square], black, white)) for square in squares]


# A move changes a few squares of many: equal cells are one object, and soon compared.
@functools.cache
def _cell(size: int, square: int, piece: str | None) -> Cell:
    rank, file = divmod(square, size)
    ground = "light" if (file + rank) % 2 else "dark"
    return Cell(board_of(size).names[square], file, rank, ground, piece)


def _piece(bit: int, black: int, white: int) -> str | None:
    if bit & black:
        return "black"
    return "white" if bit & white else None
