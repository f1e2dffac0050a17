"""The positions behind the figures of the rules pages. They show one thing each and need not come from a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from games.core import Side
from games.morelli import Morelli
from games.morelli.board import board
from games.morlox import Morlox
from games.perfect import Perfect
from games.perfect.layout import Layout
from games.perfect.tiles import Stock

if TYPE_CHECKING:
    from games.morelli import MorelliPosition
    from games.morlox import MorloxPosition
    from games.perfect import PerfectPosition


def morelli(
    *,
    black: str = "",
    white: str = "",
    king: Side | None = None,
    size: int = 9,
    turn: Side = Side.FIRST,
) -> MorelliPosition:
    """Pieces on the named cells, `king` on the Throne, `turn` to move."""
    ruleset = Morelli.from_options({"size": str(size), "setup": "ring"})
    cell_of = board(size).cell_of
    return replace(
        ruleset.initial(seed=0),
        black=sum(1 << cell_of[name] for name in black.split()),
        white=sum(1 << cell_of[name] for name in white.split()),
        throne=king,
        side_to_move=turn,
    )


def morlox(drawing: str, turn: str = "b") -> MorloxPosition:
    """A drawing: rows from the top, `b` black, `w` white, `.` empty; `turn` to move."""
    rows = drawing.split()
    stones = sum(row.count("b") + row.count("w") for row in rows)
    # As early as the colour to move allows.
    plies = stones + (stones % 2 != (turn == "w"))
    return Morlox(len(rows)).parse(f"{'/'.join(rows)} {turn} {plies} -")


def perfect(ground: str, men: str) -> PerfectPosition:
    """Two drawings, rows from the top, as `games.perfect.layout` writes them; all tiles are laid, Red is to move."""
    layout = Layout.parse(
        ground=ground.replace("\n", "").replace(" ", ""), men=men.replace("\n", "").replace(" ", "")
    )
    if layout is None:
        raise ValueError("a drawing has 100 letters")
    return replace(Perfect().initial(), layout=layout, stock=Stock(0, 0, 0, 0), ply=81)
