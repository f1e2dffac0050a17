"""The figures of the rules page. They show one thing each and need not come from a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.breakthrough.rules import Breakthrough

from games.presentation import Figure, message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.breakthrough.rules import BreakthroughPosition


def position_of(drawing: str, ply: int = 0) -> BreakthroughPosition:
    """A drawing: ranks from the top, `w` white, `b` black, `.` empty."""
    ranks = drawing.split()
    return Breakthrough(len(ranks)).parse(f"{'/'.join(ranks)} {ply}")


def figures() -> Sequence[Figure]:
    """The figures of Breakthrough."""
    return (
        Figure(
            name="start",
            caption=message("The start on the smallest board: two ranks of each side."),
            position=Breakthrough(5).initial(),
        ),
        Figure(
            name="steps",
            caption=message("The white piece on c2 may go to b3, c3 or d3."),
            position=position_of("b...b .b... ..... ..w.. w...."),
            selected="c2",
            targets=("b3", "c3", "d3"),
        ),
        Figure(
            name="capture",
            caption=message("c3xd4 takes a piece. The one on c4 blocks c3 and is safe from it."),
            position=position_of("b...b ..bb. ..w.. ..... w...w"),
            move="c3xd4",
        ),
        Figure(
            name="blocked",
            caption=message("c3 and c4 stand face to face: neither can go on, nor take the other."),
            position=position_of("b...b ..b.. ..w.. ..... w...w"),
        ),
        Figure(
            name="end",
            caption=message("b4-b5, and White has broken through."),
            position=position_of("....b .w... ...b. ..... w...."),
            move="b4-b5",
            is_after=True,
        ),
    )
