"""The squares of Morlox for display."""

from __future__ import annotations

from games.morlox.board import board_of
from games.view import Cell


def cells_of(size: int, *, black: int, white: int) -> list[Cell]:
    """The squares from the top left, row by row; their two grounds are decoration (D-X15)."""
    board = board_of(size)
    return [
        Cell(
            name=board.names[square],
            column=file,
            row=rank,
            ground="light" if (file + rank) % 2 else "dark",
            piece=_piece(board.bits[square], black, white),
        )
        for rank in reversed(range(size))
        for file in range(size)
        for square in (rank * size + file,)
    ]


def _piece(bit: int, black: int, white: int) -> str | None:
    if bit & black:
        return "black"
    return "white" if bit & white else None
