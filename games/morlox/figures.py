"""The figures of Morlox's rules page. They show one thing each and need not come from a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.morlox.rules import Morlox
from games.presentation import Figure, message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.morlox.position import MorloxPosition


def position_of(drawing: str, turn: str = "b") -> MorloxPosition:
    """Return the position of a drawing: rows from the top, `b` black, `w` white, `.` empty, with `turn` to move."""
    rows = drawing.split()
    stones = sum(row.count("b") + row.count("w") for row in rows)
    # The earliest ply that the colour to move allows.
    plies = stones + (stones % 2 != (turn == "w"))
    return Morlox(len(rows)).parse(f"{'/'.join(rows)} {turn} {plies} -")


def figures() -> Sequence[Figure]:
    """Return the figures of Morlox."""
    flipping = position_of("....... ...b... ....... .b.w..b ....... ...w... .......")
    chain = "..w.b.. .wbbb.w ..bww.. w.b.w.. .wbb.w. ...bw.. w..b..."
    return (
        Figure(
            name="three",
            caption=message(
                "First case: d4 sees black stones above, on the left and on the right, however far. Black controls it."
            ),
            position=position_of("....... ...b... ....... .b....b ..w.... ....... ....w..", "w"),
            targets=["d4"],
        ),
        Figure(
            name="diagonal",
            caption=message(
                "Second case: above and on the right, and on the diagonals up-left and down-right."
            ),
            position=position_of("....... .b.b..w ....... .....b. ....... .w...b. .......", "w"),
            targets=["d4"],
        ),
        Figure(
            name="edge",
            caption=message(
                "Third case: a4 is on the edge, so two orthogonal directions are enough."
            ),
            position=position_of("....... b...... ....w.. ...b... ....... ....w.. .......", "w"),
            targets=["a4"],
        ),
        Figure(
            name="before_flip",
            caption=message("Black controls d4, so the white stone there can be flipped …"),
            position=flipping,
            targets=["d4"],
        ),
        Figure(
            name="after_flip",
            caption=message("… with d4x. Stones never leave the board."),
            position=flipping,
            move="d4x",
            is_after=True,
        ),
        Figure(
            name="forbidden",
            caption=message(
                "White lacks only d4 for a chain from left to right, and may not place there: Black, with stones above, on the right, up-left and down-right, controls it."
            ),
            position=position_of("b...... ...b..b ..b.... www..b. b..wb.. ...wwww b......", "w"),
            targets=["d4"],
        ),
        Figure(
            name="forced_pass",
            caption=message(
                "White must pass. Black controls all three empty squares, and White controls no square with a black stone on it."
            ),
            position=position_of("w.bbw wb.bw wbbbw wwbww bb.bb", "w"),
            move="pass",
            targets=["b5", "c4", "c1"],
        ),
        Figure(
            name="chain",
            caption=message("Black is to move and has a chain from e7 to d1: Black has won."),
            position=position_of(chain),
        ),
        Figure(
            name="swap",
            caption=message("White may play now, or take over Black and this stone."),
            position=position_of("....... ....... ..b.... ....... ....... ....... .......", "w"),
        ),
    )
