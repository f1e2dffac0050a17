"""Positions of Morelli drawn as text, for tests: ranks from the top, `b` and `w` pieces, `.` empty.

On the Throne `B` and `W` are Kings. Drawings need not be reachable in a game.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import games
from games.core import Side
from games.morelli import Morelli, MorelliPosition
from games.morelli.board import board


def drawn(drawing: str, *, to_move: str = "black", edition: str = "revised") -> MorelliPosition:
    """Return the position of a drawing."""
    rows = drawing.split()
    return placed(
        {
            f"{chr(ord('A') + file)}{len(rows) - row}": letter
            for row, letters in enumerate(rows)
            for file, letter in enumerate(letters)
            if letter != "."
        },
        size=len(rows),
        to_move=to_move,
        edition=edition,
    )


def pieces(
    *,
    black: str = "",
    white: str = "",
    king: str | None = None,
    to_move: str = "black",
    edition: str = "revised",
    size: int = 13,
) -> MorelliPosition:
    """Return the position with pieces on the named cells, and the King of a colour on the Throne."""
    letters = dict.fromkeys(black.split(), "b") | dict.fromkeys(white.split(), "w")
    if king:
        letters[board(size).names[board(size).throne]] = king[0].upper()
    return placed(letters, size=size, to_move=to_move, edition=edition)


def placed(letters: dict[str, str], *, size: int, to_move: str, edition: str) -> MorelliPosition:
    ruleset = games.load(f"morelli(edition={edition},size={size},setup=ring)")
    assert isinstance(ruleset, Morelli)
    cell_of = board(size).cell_of
    sets = {
        letter: sum(1 << cell_of[name] for name, other in letters.items() if other == letter)
        for letter in "bw"
    }
    kings = {"B": Side.FIRST, "W": Side.SECOND}
    throne = next((kings[letter] for letter in letters.values() if letter in kings), None)
    return replace(
        ruleset.initial(seed=0),
        black=sets["b"],
        white=sets["w"],
        throne=throne,
        side_to_move=Side.FIRST if to_move == "black" else Side.SECOND,
    )


def colour_on(position: MorelliPosition, name: str) -> str | None:
    """Return the piece on a cell: `black`, `white`, `black-king`, ... or None."""
    return next(cell.piece for cell in position.cells() if cell.name == name)


def refused(position: MorelliPosition, move: str) -> str:
    """Return the paragraph that refuses a move."""
    with pytest.raises(games.IllegalMoveError) as caught:
        position.play(move)
    return caught.value.rule
