"""A position as data for display: cells, goals and notices. Games fill them in, `svg.py` draws them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of the board.

    Attributes:
        name: the square in the game's notation, such as `A5` or `e5`.
        column: files from the left, 0 first, as the first side sees the board.
        row: ranks from the bottom, 0 first.
        ground: what the square itself is, a style token: `band-3`, `throne`, `plain`, `purple`, `red`, ...
        piece: what stands on it, a style token: `black`, `white`, `black-king`, `red-man`, ... or None.
        label: the square and what stands on it in English words, for people who cannot see it.
    """

    name: str
    column: int
    row: int
    ground: str
    piece: str | None
    label: str


@dataclass(frozen=True, slots=True)
class Goal:
    """A board edge owned by a colour: `edge` is `top`, `bottom`, `left` or `right`."""

    edge: str
    colour: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A fact beside the board: a stable `code` (the interface owns the sentence), a colour or None, and a count."""

    code: str
    colour: str | None
    count: int
