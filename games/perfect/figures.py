"""The figures of the rules page. They show one thing each and need not come from a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from games.perfect.layout import Layout
from games.perfect.rules import Perfect
from games.perfect.tiles import Stock
from games.presentation import Figure, message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.perfect.position import PerfectPosition

_TILES = """
    rrfrbbBBBB rrrfbbbBBB frrffbbbBB rrrfbbbbbB rrffrbbfbb rrrrfrbbbb Rrrrrfrbbf RRrrrrffbb RRRrrfrrfb RRRRrrrrbb
"""


def position_of(ground: str, men: str) -> PerfectPosition:
    """Return two drawings, rows from the top, as `games.perfect.layout` writes them.

    All tiles are laid, and Red is to move.
    """
    layout = Layout.parse(ground="".join(ground.split()), men="".join(men.split()))
    if layout is None:
        raise ValueError("a drawing has 100 letters")
    return replace(Perfect().initial(), layout=layout, stock=Stock(0, 0, 0, 0), ply=81)


def figures() -> Sequence[Figure]:
    """Return the figures of The Perfect Game?."""
    laid = after("+e5 +d5 +b9 +f5 +c8 +e4 +h2")
    return (
        Figure(
            name="start",
            caption=message("The start: the men at home, no tile laid."),
            position=Perfect().initial(),
        ),
        Figure(
            name="before_flip",
            caption=message("Red's tile on e5 has one way out left, e6 …"),
            position=laid,
            targets=["e6"],
        ),
        Figure(
            name="after_flip",
            caption=message(
                "… and Blue takes it with +e6: the tile is turned over. The square stays occupied."
            ),
            position=laid,
            move="+e6",
            is_after=True,
        ),
        Figure(
            name="saved",
            caption=message(
                "Blue has just closed in the red group on e1 and e2 with +d2, and the group stays: it touches d1, a start square of Red's."
            ),
            position=after("+e1 +f1 +e2 +f2 +g8 +e3 +b7"),
            targets=["d1"],
            move="+d2",
            is_after=True,
        ),
        Figure(
            name="step",
            caption=message(
                "The red man on d4 may step to four squares. Men move in all directions, into any area and out of it."
            ),
            position=men_on("d4 a1 b1 c1 d1 a2 b2 c2 a3 b3", "h8"),
            selected="d4",
            targets=["d5", "c4", "e4", "d3"],
        ),
        Figure(
            name="capture",
            caption=message("e5 is neutral: d4xf6 captures, and has to be played."),
            position=men_on("d4 a1 b1 c1 d1 a2 b2 c2 a3 a4", "e5 h8 i9 g10"),
            move="d4xf6",
        ),
        Figure(
            name="protected",
            caption=message(
                "e7 is a tile of Blue's: d6-f8 jumps over the man and leaves him in peace."
            ),
            position=men_on("d6 a1 b1 c1 d1 a2 b2 c2 a3 a4", "e7 h8 i9 g10"),
            move="d6-f8",
        ),
        Figure(
            name="series",
            caption=message(
                "b2-d4xf6-h8: over a man of his own, over one he captures on neutral e5, and over one who is safe on his own colours."
            ),
            position=men_on("b2 c3 a1 b1 c1 d1 a2 a3 a4 f3", "e5 g7 i9 j8"),
            move="b2-d4xf6-h8",
        ),
        Figure(
            name="re_entry",
            caption=message(
                "Red has captured a man, and Blue must put him back on one of the two empty start squares. No other man of Blue's may move before that."
            ),
            position=men_on(
                "d4 a1 b1 c1 d1 a2 b2 c2 a3 a4", "e5 h8 i9 g10 j10 i10 h10 j9 h9 j8"
            ).play("d4xf6"),
            targets=["i8", "j7"],
            examples=("@i8", "@j7"),
        ),
        Figure(
            name="goal",
            caption=message("f10-g10, and the tenth man has arrived: Red wins."),
            position=men_on("f10 h10 i10 j10 h9 i9 j9 i8 j8 j7", "b1 b3 c2 d5"),
            move="f10-g10",
            is_after=True,
        ),
    )


def after(moves: str) -> PerfectPosition:
    """Return the position after `moves` from the start."""
    position = Perfect().initial()
    for move in moves.split():
        position = position.play(move)
    return position


def men_on(red: str, blue: str) -> PerfectPosition:
    """Return men on the named squares of a board whose tiles are all laid, with Red to move."""
    letters = dict.fromkeys(red.split(), "r") | dict.fromkeys(blue.split(), "b")
    rows = [
        "".join(letters.get(f"{file}{rank}", ".") for file in "abcdefghij")
        for rank in range(10, 0, -1)
    ]
    return position_of(_TILES, "".join(rows))
