"""The frames to point out: complete ones and those lacking a corner, by name (10.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Side
from games.morelli.board import board, cells_of
from games.morelli.display import COLOURS, frame_name
from games.view import Shape, Trait

if TYPE_CHECKING:
    from games.morelli.board import MorelliBoard

_CORNERS = 4


def frames(size: int, *, black: int, white: int) -> list[Trait]:
    """Return `frame` for each that a side holds, and `frame-lacking-one` for three corners.

    The firm ones come last.
    """
    table = board(size)
    traits = [
        _trait(table, corners, colour=COLOURS[side], count=count)
        for corners in table.inner_frames
        for side, stones in ((Side.FIRST, black), (Side.SECOND, white))
        if (count := (corners & stones).bit_count()) >= _CORNERS - 1
    ]
    return sorted(traits, key=lambda trait: trait.is_firm)


def frame_at(size: int, cell: str) -> list[Trait]:
    """Return the frame with a corner on `cell`, or an empty result for the Throne, the edge and other names."""
    table = board(size)
    number = table.cell_of.get(cell)
    if number is None or table.frames[number] not in table.inner_frames:
        return []
    return [_trait(table, table.frames[number], colour=None, count=_CORNERS)]


def _trait(table: MorelliBoard, corners: int, *, colour: str | None, count: int) -> Trait:
    first = cells_of(corners)[0]
    name = frame_name(table.names[first], size=table.size)
    assert name is not None, "only the Throne is no frame"
    return Trait(
        "frame" if count == _CORNERS else "frame-lacking-one",
        Shape.FRAME,
        _around(table, first),
        colour=colour,
        name=name,
        is_firm=count == _CORNERS,
    )


def _around(table: MorelliBoard, cell: int) -> tuple[str, ...]:
    """Return a cell and its quarter-turns about the Throne, clockwise."""
    file, rank = (k - table.centre for k in divmod(cell, table.size))
    corners = ((file, rank), (rank, -file), (-file, -rank), (-rank, file))
    return tuple(
        table.names[(f + table.centre) * table.size + r + table.centre] for f, r in corners
    )
