"""A second Morelli from the rule text: slow, plain, with coordinates and dictionaries.

Nothing here is shared with `games.morelli`, except cell names.
"""

from __future__ import annotations

import itertools

Cell = tuple[int, int]
DIRECTIONS = [(f, r) for f in (-1, 0, 1) for r in (-1, 0, 1) if f or r]


def cell_name(cell: Cell) -> str:
    file, rank = cell
    letters = chr(65 + file) if file < 26 else "A" + chr(65 + file - 26)
    return f"{letters}{rank + 1}"


class Oracle:
    """The legal moves of one position.

    `pieces` maps cells to "black" or "white". `throne` is a colour or None.
    """

    def __init__(
        self,
        size: int,
        pieces: dict[Cell, str],
        throne: str | None,
        colour: str,
        *,
        is_revised: bool,
    ):
        self.size, self.middle = size, size // 2
        self.pieces, self.throne, self.colour, self.is_revised = pieces, throne, colour, is_revised

    def band(self, cell: Cell) -> int:
        return max(abs(cell[0] - self.middle), abs(cell[1] - self.middle))

    def moves(self) -> list[str]:
        moves = []
        for start, colour in self.pieces.items():
            if colour == self.colour:
                for end in self.ends(start):
                    moves += self.written(start, end)
        return sorted(moves)

    def ends(self, start: Cell) -> list[Cell]:
        ends = []
        for df, dr in DIRECTIONS:
            for k in itertools.count(1):
                cell = (start[0] + k * df, start[1] + k * dr)
                if not all(0 <= x < self.size for x in cell) or cell in self.pieces:
                    break
                if self.band(cell) == 0:
                    if self.throne:
                        break
                elif self.band(cell) < self.band(start):
                    ends.append(cell)
        return ends

    def written(self, start: Cell, end: Cell) -> list[str]:
        pieces = {cell: colour for cell, colour in self.pieces.items() if cell != start}
        victims = []
        for df, dr in DIRECTIONS:
            victim, flanker = (end[0] + df, end[1] + dr), (end[0] + 2 * df, end[1] + 2 * dr)
            if (
                pieces.get(victim, self.colour) != self.colour
                and pieces.get(flanker) == self.colour
            ):
                victims.append(victim)
        victims.sort()
        if self.is_revised:
            choices = [tuple(victims)]
        else:
            choices = [
                c for k in range(len(victims) + 1) for c in itertools.combinations(victims, k)
            ]
        texts = []
        for taken in choices:
            text = f"{cell_name(start)}-{cell_name(end)}"
            if taken:
                text += " x" + "".join(map(cell_name, taken))
            after = {**pieces, end: self.colour, **dict.fromkeys(taken, self.colour)}
            has_frame = self.throne != self.colour and any(
                self.frame(cell, after) for cell in (end, *taken)
            )
            if not (has_frame and self.is_revised):
                texts.append(text)
            if has_frame:
                texts.append(text + "*")
        return texts

    def frame(self, cell: Cell, pieces: dict[Cell, str]) -> bool:
        f, r = cell[0] - self.middle, cell[1] - self.middle
        corners = [(f, r), (r, -f), (-f, -r), (-r, f)]
        return all(
            pieces.get((a + self.middle, b + self.middle)) == self.colour for a, b in corners
        )
