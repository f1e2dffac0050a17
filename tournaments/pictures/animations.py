"""A game as an animated GIF: as many positions as fit, and always the first and the last.

resvg needs 75 ms for a board of 13 x 13, and 2 ms for one cell. Therefore each look of a cell is drawn once,
and frames are put together from these pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TypeAlias

from PIL import Image

from games import svg
from games.svg_defs import CELL
from games.view import Cell, Goal
from tournaments.pictures import raster

MOST_FRAMES = 200
# A shorter game is shown slower, a longer one is over within a minute and a half.
PLY_MS, QUICK_PLY_MS, END_MS = 900, 450, 4_000
_LONG = 60
_COLOURS = 96
# The ground, the piece, and the marks.
_Look: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A position: its cells, with the last move and the pieces that it turned or took."""

    cells: Sequence[Cell]
    marks: svg.Marks


def chosen_places(count: int) -> list[int]:
    """Return the places of the positions to show, of `count`: every k-th from the first, and the last."""
    step = max(1, -(-(count - 1) // (MOST_FRAMES - 1)))
    return [*range(0, count - 1, step), count - 1]


def gif(frames: Sequence[Frame], goals: Sequence[Goal]) -> bytes:
    """Return `frames` as an animation that repeats for ever. A cell has 40 pixels, as in the drawing."""
    cells = frames[0].cells
    board = _drawn(svg.board_svg([replace(cell, piece=None) for cell in cells], goals))
    looks = {_look(cell, frame): cell for frame in frames for cell in frame.cells}
    pictures = {look: _picture(cell, look) for look, cell in looks.items()}
    palette = _sheet([board, *pictures.values()]).quantize(_COLOURS)
    pictures = {look: _reduced(picture, palette) for look, picture in pictures.items()}
    images = list(_images(frames, _reduced(board, palette), pictures, svg.corners(cells, goals)))
    ply_ms = PLY_MS if len(frames) <= _LONG else QUICK_PLY_MS
    file = BytesIO()
    images[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=images[1:],
        duration=[*[ply_ms] * (len(images) - 1), END_MS],
        loop=0,
        optimize=True,
    )
    return file.getvalue()


def _images(
    frames: Sequence[Frame],
    board: Image.Image,
    pictures: Mapping[_Look, Image.Image],
    corners: Mapping[str, tuple[int, int]],
) -> Iterator[Image.Image]:
    """Each frame as a picture: the one before it with the cells that look different."""
    looks: dict[str, _Look] = {}
    for frame in frames:
        board = board.copy()
        for cell in frame.cells:
            look = _look(cell, frame)
            if looks.get(cell.name) != look:
                board.paste(pictures[look], corners[cell.name])
                looks[cell.name] = look
        yield board


def _look(cell: Cell, frame: Frame) -> _Look:
    return cell.ground, cell.piece, *frame.marks.on(cell.name)


def _picture(cell: Cell, look: _Look) -> Image.Image:
    """Draw one cell, as a board of one cell without its edge."""
    cell = replace(cell, column=0, row=0)
    names = {mark: [cell.name] for mark in look[2:]}
    marks = svg.Marks(last=names.get("last", ()), captured=names.get("captured", ()))
    whole = _drawn(svg.board_svg([cell], marks=marks, look=svg.Look(has_coordinates=False)))
    edge = (whole.width - CELL) // 2
    return whole.crop((edge, edge, edge + CELL, edge + CELL))


def _drawn(board: str) -> Image.Image:
    size = int(board.partition('viewBox="0 0 ')[2].partition(" ")[0])
    return raster.pixels(board, width=size, height=size)


def _sheet(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return all pictures on one, from which the common palette is made."""
    sheet = Image.new(
        "RGB", (max(each.width for each in pictures), sum(each.height for each in pictures))
    )
    y = 0
    for picture in pictures:
        sheet.paste(picture, (0, y))
        y += picture.height
    return sheet


def _reduced(picture: Image.Image, palette: Image.Image) -> Image.Image:
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)
