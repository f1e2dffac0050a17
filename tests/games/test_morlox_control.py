"""Control of a square of Morlox: sight, the perimeter, the edges of the board (D-X1 to D-X5)."""

from __future__ import annotations

from itertools import product

import pytest

from tests.games.morlox_positions import drawn
from tests.games.oracle_morlox import OracleGame

# Black to move on a 7x7 board: is d4 (the middle) controlled by White, so that Black may not place
# there?
CONTROL = {
    "nothing in sight": ("....... ....... ....... ....... ....... ....... .......", False),
    "two orthogonals": ("...w... ....... ....... w...... ....... ....... .......", False),
    "three orthogonals": ("...w... ....... ....... w...... ....... ....... ...w...", True),
    "three orthogonals, adjacent": (
        "....... ....... ...w... ..w.w.. ....... ....... .......",
        True,
    ),
    "four orthogonals": ("...w... ....... ....... w....w. ....... ....... ...w...", True),
    "an enemy stone hides the third": (
        "...w... ....... ...b... w.....w ....... ....... .......",
        False,
    ),
    "an own stone in front hides nothing": (
        "...b... ....... ...w... w.....w ....... ....... .......",
        True,
    ),
    "N E with NW SE": ("w..w... ....... ....... ......w ....... ....... ......w", True),
    "E S with NE SW": ("......w ....... ....... .....w. ....... .w..... ...w...", True),
    "S W with NW SE": ("....... .w..... ....... w...... ....w.. ....... ...w...", True),
    "W N with SW NE": ("......w ...w... ....... .w..... ....... .w..... .......", True),
    "N E with NE SW": ("......w ...w... ....... .....w. ....... .w..... .......", False),
    "N E with NW SW": ("w..w... ....... ....... ......w ....... .w..... .......", False),
    "N E with NW only": ("w..w... ....... ....... ......w ....... ....... .......", False),
    "N S with NW SE": ("w..w... ....... ....... ....... ....... ....... ...w..w", False),
    "four diagonals": ("w.....w ....... ....... ....... ....... ....... w.....w", False),
    "four diagonals and one orthogonal": (
        "w..w..w ....... ....... ....... ....... ....... w.....w",
        False,
    ),
}


@pytest.mark.parametrize(("drawing", "is_controlled"), CONTROL.values(), ids=CONTROL.keys())
def test_inner_square_is_controlled_as_the_text_says(drawing, is_controlled):
    assert ("d4" not in drawn(drawing).legal_moves()) == is_controlled


PERIMETER = {
    "edge, both ways along it": ("..... ..... ..... ..... w...w", "c1", True),
    "edge, along it and up": ("..w.. ..... ..... ..... w....", "c1", True),
    "edge, one way": ("..... ..... ..... ..... w....", "c1", False),
    "edge, one orthogonal and both diagonals": ("..... ..... w...w ..... w....", "c1", False),
    "corner, its two directions": ("..... w.... ..... ..... ..w..", "a1", True),
    "corner, one direction and the diagonal": ("....w ..... ..... ..... ..w..", "a1", False),
    "not the perimeter": ("..... ..... ..... .w..w w....", "c2", False),
}


@pytest.mark.parametrize(
    ("drawing", "square", "is_controlled"), PERIMETER.values(), ids=PERIMETER.keys()
)
def test_perimeter_square_needs_two_orthogonal_directions(drawing, square, is_controlled):
    # D-X3: any two of the three there are, in a corner the two.
    assert (square not in drawn(drawing).legal_moves()) == is_controlled


def test_board_edges_are_not_stones():
    # D-X2: d1 sees one white stone. The white side edges do not count as more.
    assert "d1" in drawn("....... ....... ....... ....... ....... ....... w......").legal_moves()


def test_stone_on_the_square_does_not_matter_for_its_control():
    # D-X1: White controls the empty c3 and, the same surroundings given, the black stone on c3.
    surroundings = "..w.. ..... w.{}.w ..... ....."
    assert "c3" not in drawn(surroundings.format("."), "b").legal_moves()
    assert "c3x" in drawn(surroundings.format("b"), "w").legal_moves()


@pytest.mark.long
@pytest.mark.parametrize("size", [2, 3])
def test_no_square_is_ever_controlled_by_both(size):
    # The oracle, not the fast code: all 81 and 19,683 positions.
    squares = [(file, rank) for file in range(size) for rank in range(size)]
    for stones in product((None, "black", "white"), repeat=len(squares)):
        placed = {square: stone for square, stone in zip(squares, stones, strict=True) if stone}
        game = OracleGame(size, swap=False, stones=placed)
        for square in squares:
            assert not (game.controls("black", square) and game.controls("white", square))
