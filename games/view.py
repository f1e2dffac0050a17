"""A position as data for display: cells, goals and notices.

Games fill them in, `svg.py` draws them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of the board.

    Attributes:
        name: the square in the game's notation, such as `A5` or `e5`.
        column: files from the left, 0 first, as the first side sees the board.
        row: ranks from the bottom, 0 first.
        ground: the square itself, a style token: `band-3`, `throne`, `plain`, `purple`, `red`, ...
        piece: the piece on it, a style token: `black`, `white`, `black-king`, `red-man`, ... or
            None.
    """

    name: str
    column: int
    row: int
    ground: str
    piece: str | None


@dataclass(frozen=True, slots=True)
class Goal:
    """A board edge owned by a colour: `edge` is `top`, `bottom`, `left` or `right`."""

    edge: str
    colour: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A fact beside the board: a stable `code`, a colour or None, and a count.

    The interface has the sentence for the code.
    """

    code: str
    colour: str | None
    count: int


class Shape(StrEnum):
    """The drawing of a trait: joined corners, a spot on every cell, or a line between two cells."""

    FRAME = "frame"
    SPOT = "spot"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class Trait:
    """A highlight of a position.

    Attributes:
        code: its meaning, a stable word such as `frame` or `in-danger`. The interface owns the
            sentence.
        shape: how to draw it.
        cells: the places, by name: of a frame the corners in their order, of a line its two ends.
        colour: its owner's, or None.
        name: its own name, such as `Orange 5`. Usually empty.
        is_firm: whether it exists. A possible future highlight is drawn broken.
        is_decisive: whether it has decided the game. It is then drawn without being asked for.
    """

    code: str
    shape: Shape
    cells: tuple[str, ...]
    colour: str | None = None
    name: str = ""
    is_firm: bool = True
    is_decisive: bool = False
