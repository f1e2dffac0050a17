"""Names of bands and frames, and the cells of a Morelli board for display."""

from __future__ import annotations

import functools

from games.core import Side
from games.morelli.board import board
from games.view import Cell

COLOURS = {Side.FIRST: "black", Side.SECOND: "white"}

# Section 11 (docs/games/notation.md, slip 2), counted from the centre so that every size has the
# same colours (D-M21).
BAND_NAMES = ("Violet", "Indigo", "Blue", "Green", "Yellow", "Orange", "Red")


def band_name(depth: int) -> str:
    """Return the colour of the band at this distance from the Throne.

    A band beyond Red has no colour but a number, such as `Band 7` (D-M22).
    """
    return BAND_NAMES[depth] if depth < len(BAND_NAMES) else f"Band {depth}"


def frame_name(cell: str, *, size: int) -> str | None:
    """Return the name of the frame with a corner on `cell`, such as `Orange 5` for F12 on 13x13.

    None for the Throne.

    Numbers run clockwise from the top left corner of the band (10.2, Fig 11). Raises KeyError off
    the board.
    """
    table = board(size)
    number = table.cell_of[cell]
    depth = table.depth[number]
    if depth == 0:
        return None
    file, rank = (k - table.centre for k in divmod(number, size))
    # A quarter-turn at a time until the corner is in the top row, whose last cell is a corner
    # numbered 1 again.
    while rank != depth or file == depth:
        file, rank = rank, -file
    return f"{band_name(depth)} {file + depth + 1}"


def display_cells(size: int, *, black: int, white: int, throne: Side | None) -> tuple[Cell, ...]:
    """Return the board in reading order, with the pieces and the King of the side on the Throne."""
    table = board(size)
    king = f"{COLOURS[throne]}-king" if throne else None
    cells = []
    for number in _reading_order(size):
        piece = "black" if black >> number & 1 else "white" if white >> number & 1 else None
        cells.append(_cell(size, number, king if number == table.throne else piece))
    return tuple(cells)


@functools.cache
def _reading_order(size: int) -> tuple[int, ...]:
    return tuple(column * size + row for row in range(size - 1, -1, -1) for column in range(size))


# A move changes a few cells of many, and thousands of moves are drawn: equal cells are one object.
@functools.cache
def _cell(size: int, number: int, piece: str | None) -> Cell:
    """Return the cell of this number with `piece` on it."""
    table = board(size)
    column, row = divmod(number, size)
    ground = "throne" if number == table.throne else f"band-{table.depth[number]}"
    return Cell(table.names[number], column, row, ground, piece)
