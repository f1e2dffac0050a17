"""Features of a Morlox board: controlled squares, and the stones that a square sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.morlox.board import Colour, board_of
from games.view import Shape, Trait

if TYPE_CHECKING:
    from collections.abc import Mapping

_WAYS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def control_traits(size: int, control: Mapping[Colour, int]) -> list[Trait]:
    """`control_traits` with the squares of each colour that controls any."""
    table = board_of(size)
    return [
        Trait("controlled", Shape.SPOT, _names(size, squares), colour=colour.value)
        for colour, squares in control.items()
        if squares & table.full
    ]


def chain_trait(size: int, colour: Colour, chain: int) -> Trait:
    """`winning-chain`: the stones by which `colour` has won."""
    return Trait(
        "winning-chain", Shape.SPOT, _names(size, chain), colour=colour.value, is_decisive=True
    )


def sight_traits(size: int, square: str, *, black: int, white: int) -> list[Trait]:
    """`seen`: a line to each stone that `square` sees, the first in each direction (D-X1).

    Empty for a name that is not on the board.
    """
    table = board_of(size)
    if square not in table.placements:
        return []
    rank, file = divmod(table.placements[square], size)
    lines = []
    for east, north in _WAYS:
        f, r = file + east, rank + north
        while 0 <= f < size and 0 <= r < size:
            bit = table.bits[r * size + f]
            if bit & (black | white):
                colour = Colour.BLACK if bit & black else Colour.WHITE
                there = table.names[r * size + f]
                lines.append(Trait("seen", Shape.LINE, (square, there), colour=colour.value))
                break
            f, r = f + east, r + north
    return lines


def _names(size: int, squares: int) -> tuple[str, ...]:
    table = board_of(size)
    return tuple(table.names[index] for index in table.squares_of(squares))
