"""Morelli for the eye and the ear: names of bands and frames, cells, notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Side
from games.morelli.board import board
from games.view import Cell

if TYPE_CHECKING:
    from games.morelli.editions import Edition

COLOURS = {Side.FIRST: "black", Side.SECOND: "white"}

# Section 11 (rules.md, trap 2), counted from the centre so that every size has the same colours (D-M21).
BAND_NAMES = ("Violet", "Indigo", "Blue", "Green", "Yellow", "Orange", "Red")


def band_name(depth: int) -> str:
    """The colour of the band at this distance from the Throne; beyond Red its number, `Band 7` (D-M22)."""
    return BAND_NAMES[depth] if depth < len(BAND_NAMES) else f"Band {depth}"


def frame_name(cell: str, *, size: int) -> str | None:
    """The name of the frame with a corner on `cell`, such as `Orange 5` for F12 on 13x13; None for the Throne.

    Numbers run clockwise from the top left corner of the band (10.2, Fig 11). Raises KeyError off the board.
    """
    table = board(size)
    number = table.cell_of[cell]
    depth = table.depth[number]
    if depth == 0:
        return None
    file, rank = (k - table.centre for k in divmod(number, size))
    # A quarter-turn at a time until the corner is in the top row, whose last cell is a corner numbered 1 again.
    while rank != depth or file == depth:
        file, rank = rank, -file
    return f"{band_name(depth)} {file + depth + 1}"


def display_cells(
    size: int, edition: Edition, *, black: int, white: int, throne: Side | None
) -> tuple[Cell, ...]:
    """The board in reading order, with the pieces and the King of the side on the Throne."""
    table = board(size)
    cells = []
    for row in range(size - 1, -1, -1):
        for column in range(size):
            number = column * size + row
            name = table.names[number]
            if number == table.throne:
                cells.append(_throne_cell(name, column, row, edition, throne))
                continue
            colour = "black" if black >> number & 1 else "white" if white >> number & 1 else None
            depth = table.depth[number]
            band = (
                f"{band_name(depth).lower()} band" if depth < len(BAND_NAMES) else f"band {depth}"
            )
            label = (
                f"{name}, {band}, {colour} {edition.piece}" if colour else f"{name}, {band}, empty"
            )
            cells.append(Cell(name, column, row, f"band-{depth}", colour, label))
    return tuple(cells)


def _throne_cell(name: str, column: int, row: int, edition: Edition, throne: Side | None) -> Cell:
    colour = COLOURS[throne] if throne else None
    label = (
        f"{name}, {edition.throne}, {colour} {edition.king}"
        if colour
        else f"{name}, {edition.throne}, vacant"
    )
    return Cell(name, column, row, "throne", f"{colour}-king" if colour else None, label)
