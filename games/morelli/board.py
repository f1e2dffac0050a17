"""Tables of one size of board: cells, bands, the outer ring, lines, brackets and frames.

A cell is a number, `file * size + rank` with both counted from 0, so that cells in numerical order
are in the order of the notation (seed section 10: by file, then rank). A set of cells is an int
with one bit a cell.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import NamedTuple

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
SIZES = range(5, 32, 2)  # D-M22


@dataclass(frozen=True, slots=True)
class Ray:
    """The cells that a piece may reach in one direction, as far as the Throne lets it.

    Attributes:
        cells: all cells from the piece's neighbour to the edge, as a set.
        forwards: whether the cells' numbers grow along the ray.
        targets: the cells of an inner band, in order from the piece.
        reach: for the nearest occupied cell, as `bit_length` of its bit, the number of targets
            before it. Entry 0 is for an empty ray.
    """

    cells: int
    forwards: bool
    targets: tuple[int, ...]
    reach: dict[int, int]


class Bracket(NamedTuple):
    """A victim's cell next to a landing cell, and the flanker's cell behind it, as sets of one."""

    victim: int
    flanker: int


class MorelliBoard:
    """Tables of the n x n board, made once a size by `board` and never changed afterwards."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.centre = size // 2
        self.throne = self.centre * size + self.centre
        self.throne_bit = 1 << self.throne
        self.names = tuple(f"{file_name(f)}{r + 1}" for f in range(size) for r in range(size))
        self.cell_of = {name: cell for cell, name in enumerate(self.names)}
        # The distance from the Throne tells the band: 0 is the Throne, 1 Indigo, 2 Blue, ...
        # (D-M21).
        self.depth = tuple(
            max(abs(f - self.centre), abs(r - self.centre))
            for f in range(size)
            for r in range(size)
        )
        self.ring = self._ring()
        self.outer = sum(1 << cell for cell in self.ring)
        self.brackets = tuple(self._brackets(cell) for cell in range(size * size))
        self.victims = tuple(sum(b.victim for b in around) for around in self.brackets)
        self.flankers = tuple(sum(b.flanker for b in around) for around in self.brackets)
        # Depth is convex along a line, so a piece that can move inwards at all can move one cell
        # inwards.
        self.ways_in = tuple(self._ways_in(cell) for cell in range(size * size))
        self.frames = tuple(self._frame(cell) for cell in range(size * size))
        # 6.3.1: no frame is ever formed on the outermost band. The Throne is no frame either.
        inside = (cell for cell in range(size * size) if 0 < self.depth[cell] < self.centre)
        self.inner_frames = tuple(sorted({self.frames[cell] for cell in inside}))

    @functools.cached_property
    def most_moves(self) -> int:
        """Return the largest number of moves in a game.

        Each move raises the sum of band numbers, and the bands fill from within (D-M24).
        """
        inner = sorted(depth for depth in self.depth if depth)[: len(self.ring)]
        return sum(self.centre - depth for depth in inner)

    def opposite(self, cell: int) -> int:
        """Return the cell diametrically opposite `cell`."""
        return self.size * self.size - 1 - cell

    def line(self, start: int, step: tuple[int, int]) -> list[int]:
        """Return the cells from the neighbour of `start` to the edge, in steps of (files, ranks)."""
        file, rank = divmod(start, self.size)
        cells: list[int] = []
        while True:
            file, rank = file + step[0], rank + step[1]
            if not (0 <= file < self.size and 0 <= rank < self.size):
                return cells
            cells.append(file * self.size + rank)

    def between(self, start: int, end: int) -> int | None:
        """Return the set of cells strictly between two cells, or None when they share no line (4.2)."""
        files, ranks = (
            b - a for a, b in zip(divmod(start, self.size), divmod(end, self.size), strict=True)
        )
        distance = max(abs(files), abs(ranks))
        if distance == 0 or (files and ranks and abs(files) != abs(ranks)):
            return None
        step = (files // distance) * self.size + ranks // distance
        return sum(1 << (start + k * step) for k in range(1, distance))

    @functools.cached_property
    def rays(self) -> tuple[tuple[Ray, ...], ...]:
        """Return for every cell the directions in which a piece there can ever move inwards."""
        return tuple(
            tuple(ray for step in DIRECTIONS if (ray := self._ray(cell, step)).targets)
            for cell in range(self.size * self.size)
        )

    @functools.cached_property
    def sights(self) -> tuple[tuple[Ray, ...], ...]:
        """Return for every cell the directions in which it sees the board, independent of the pieces' moves."""
        return tuple(
            tuple(ray for step in DIRECTIONS if (ray := self._ray(cell, step)).cells)
            for cell in range(self.size * self.size)
        )

    @functools.cached_property
    def moves(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return for every cell its targets on an empty board, each with the cells that must be free.

        These are the path and the target, as a set.
        """
        return tuple(
            tuple(
                (target, sum(1 << cell for cell in line[: line.index(target) + 1]))
                for step in DIRECTIONS
                for line in (self.line(start, step),)
                for target in line
                if self.is_inwards(start, target)
            )
            for start in range(self.size * self.size)
        )

    @functools.cached_property
    def most_targets(self) -> int:
        """Return the largest number of targets in `moves`."""
        return max(len(targets) for targets in self.moves)

    def is_inwards(self, start: int, end: int) -> bool:
        """Return whether `end` is on a band nearer the Throne (4.2.1) and not the Throne (4.2.4)."""
        return 0 < self.depth[end] < self.depth[start]

    def _ray(self, start: int, step: tuple[int, int]) -> Ray:
        line = self.line(start, step)
        reach = {0: 0}
        targets: list[int] = []
        for cell in line:
            reach[cell + 1] = len(targets)
            if self.is_inwards(start, cell):
                targets.append(cell)
        reach[0] = len(targets)
        forwards = step > (0, 0)
        return Ray(sum(1 << cell for cell in line), forwards, tuple(targets), reach)

    def _ring(self) -> tuple[int, ...]:
        last = self.size - 1
        corner_to_corner = range(last)
        return (
            *(rank for rank in corner_to_corner),
            *(file * self.size + last for file in corner_to_corner),
            *(last * self.size + last - k for k in corner_to_corner),
            *((last - k) * self.size for k in corner_to_corner),
        )

    def _brackets(self, cell: int) -> tuple[Bracket, ...]:
        lines = (self.line(cell, step) for step in DIRECTIONS)
        return tuple(Bracket(1 << line[0], 1 << line[1]) for line in lines if len(line) > 1)

    def _ways_in(self, cell: int) -> int:
        lines = (self.line(cell, step) for step in DIRECTIONS)
        return sum(1 << line[0] for line in lines if line and self.is_inwards(cell, line[0]))

    def _frame(self, cell: int) -> int:
        # 6.1.2, 6.1.3: the corners of a square centred upon the Throne are a cell and its
        # quarter-turns.
        file, rank = (k - self.centre for k in divmod(cell, self.size))
        corners = ((file, rank), (rank, -file), (-file, -rank), (-rank, file))
        bits = {1 << ((f + self.centre) * self.size + r + self.centre) for f, r in corners}
        return sum(bits)


@functools.lru_cache(maxsize=len(SIZES))
def board(size: int) -> MorelliBoard:
    """Return the tables of the `size` x `size` board."""
    return MorelliBoard(size)


def file_name(file: int) -> str:
    """Return the letters of a file counted from 0: A to Z, then AA to AE (D-M22)."""
    return chr(ord("A") + file) if file < 26 else "A" + chr(ord("A") + file - 26)


def cells_of(bits: int) -> list[int]:
    """Return the cells of a set in order of the notation."""
    cells = []
    while bits:
        low = bits & -bits
        cells.append(low.bit_length() - 1)
        bits ^= low
    return cells
