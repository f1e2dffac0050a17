"""Symmetries of each family's rules: a start turned or mirrored, and what becomes of a move.

A new family adds its function to `SYMMETRIES`; `test_symmetries` finds it there, and fails without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import games

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Symmetry:
    """Two starts that are images of each other, and the map between their moves."""

    name: str
    start: games.Position
    image: games.Position
    map_move: Callable[[str], str]


def morelli(seed: int) -> list[Symmetry]:
    """The eight symmetries of the square, for a random ring in both editions."""
    maps = []
    for key in ("morelli(size=7,setup=ring)", "morelli(edition=original,size=7,setup=ring)"):
        ruleset = games.load(key)
        start = ruleset.initial(seed=seed)
        for turns in range(4):
            for is_mirrored in (False, True):
                square = _Square(ruleset.size, turns, is_mirrored)
                image = ruleset.initial(ring=square.ring(_full_ring(start)))
                name = f"{key} turned {turns}{' mirrored' if is_mirrored else ''}"
                maps.append(Symmetry(name, start, image, square.move))
    return maps


def _full_ring(position: games.Position) -> str:
    letters = {cell.name: (cell.piece or "-")[0].upper() for cell in position.cells()}
    return "".join(letters[name] for name in _ring_names(position.ruleset.size))


def _ring_names(size: int) -> list[str]:
    last = size - 1
    corners = [
        *((0, k) for k in range(last)),
        *((k, last) for k in range(last)),
        *((last, last - k) for k in range(last)),
        *((last - k, 0) for k in range(last)),
    ]
    return [f"{chr(ord('A') + file)}{rank + 1}" for file, rank in corners]


@dataclass(frozen=True)
class _Square:
    size: int
    turns: int
    is_mirrored: bool

    def cell(self, name: str) -> str:
        file, rank = ord(name[0]) - ord("A"), int(name[1:]) - 1
        if self.is_mirrored:
            file, rank = rank, file
        for _ in range(self.turns):
            file, rank = rank, self.size - 1 - file
        return f"{chr(ord('A') + file)}{rank + 1}"

    def ring(self, ring: str) -> str:
        names = _ring_names(self.size)
        letters = {self.cell(name): letter for name, letter in zip(names, ring, strict=True)}
        return "".join(letters[name] for name in names)

    def move(self, move: str) -> str:
        start, end, *captured = map(self.cell, re.findall(r"[A-Z]\d+", move))
        captured.sort(key=lambda name: (name[0], int(name[1:])))
        text = f"{start}-{end}" + (f" x{''.join(captured)}" if captured else "")
        return text + "*" * move.endswith("*")


def morlox(_seed: int) -> list[Symmetry]:
    """The mirrors that leave each colour its edges, the half-turn, and the diagonals.

    The diagonals exchange the colours.
    """
    start = games.load("morlox(size=6)").initial()
    flips = {"mirrored": (True, False), "upside down": (False, True), "half-turned": (True, True)}
    return [
        Symmetry(name, start, start, _flipped(start.ruleset.size, *flip))
        for name, flip in flips.items()
    ]


def perfect(_seed: int) -> list[Symmetry]:
    """The diagonal through both start corners; the half-turn exchanges the colours."""
    start = games.load("perfect()").initial()
    return [Symmetry("mirrored at the long diagonal", start, start, _transposed)]


_SQUARE_NAME = re.compile(r"([a-z])(\d+)")


def _flipped(size: int, is_mirrored: bool, is_upside_down: bool) -> Callable[[str], str]:
    def square(match: re.Match[str]) -> str:
        file, rank = ord(match[1]) - ord("a"), int(match[2]) - 1
        file = size - 1 - file if is_mirrored else file
        rank = size - 1 - rank if is_upside_down else rank
        return f"{chr(ord('a') + file)}{rank + 1}"

    # `pass` and `swap` name no square.
    return lambda move: _SQUARE_NAME.sub(square, move)


def _transposed(move: str) -> str:
    return _SQUARE_NAME.sub(
        lambda match: f"{chr(ord('a') + int(match[2]) - 1)}{ord(match[1]) - ord('a') + 1}", move
    )


SYMMETRIES: dict[str, Callable[[int], list[Symmetry]]] = {
    "morelli": morelli,
    "morlox": morlox,
    "perfect": perfect,
}
