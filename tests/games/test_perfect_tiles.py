"""The starting phase of The Perfect Game?: its text (seed 004), decisions D-P1 to D-P9."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core import Side
from games.perfect import Colour, Perfect
from games.perfect.tiles import Stock
from games.view import Notice
from tests.games.oracle_perfect import OracleGame
from tests.games.perfect_positions import (
    SEEDS,
    random_game,
    refusal,
    squares,
    tiled_at_random,
    tiling,
)

BARE = "\n".join([". . . . . . . . . ."] * 10)


def test_board_has_ten_start_squares_a_side_and_eighty_neutral_ones():
    grounds = [cell.ground for cell in Perfect().initial().cells()]
    assert {ground: grounds.count(ground) for ground in grounds} == {
        "purple": 38,
        "yellow": 42,
        "start-red": 6,
        "start-orange": 4,
        "start-blue": 6,
        "start-green": 4,
    }


def test_red_starts_at_a1_and_blue_at_j10():
    # D-P1, with the corners orange and green.
    position = Perfect().initial()
    cells = {cell.name: cell for cell in position.cells()}
    red = {name for name, cell in cells.items() if cell.piece == "red-man"}
    blue = {name for name, cell in cells.items() if cell.piece == "blue-man"}
    assert red == set("a1 b1 c1 d1 a2 b2 c2 a3 b3 a4".split())  # noqa: SIM905 - as in the notation
    assert blue == set("j10 i10 h10 g10 j9 i9 h9 j8 i8 j7".split())  # noqa: SIM905
    assert (cells["a1"].ground, cells["j10"].ground) == ("start-orange", "start-green")


def test_eighty_tiles_of_forty_a_side():
    assert Perfect().initial().notices() == [
        Notice("tiles-left", "red", 19),
        Notice("tiles-left", "orange", 21),
        Notice("tiles-left", "blue", 19),
        Notice("tiles-left", "green", 21),
    ]


def test_perft_of_the_tile_phase_is_as_published():
    start = Perfect().initial()
    assert len(start.legal_moves()) == 80
    assert sum(len(start.play(move).legal_moves()) for move in start.legal_moves()) == 6_320


@pytest.mark.parametrize("first", list(Colour))
def test_first_side_lays_the_first_tile_in_its_colour(first):
    # D-P2
    position = Perfect(first).initial()
    assert position.side_to_move is Side.FIRST
    assert position.colour_of(Side.FIRST) == first.value
    assert position.colour_of(Side.SECOND) == first.other.value


@pytest.mark.parametrize("first", list(Colour))
def test_last_to_lay_a_tile_is_first_to_move_a_man(first):
    positions = [position for _, position in random_game(Perfect(first, 2), 1)]
    assert [positions[ply].side_to_move for ply in (77, 78, 79, 80, 81)] == [
        Side.SECOND,
        Side.FIRST,
        Side.SECOND,
        Side.SECOND,
        Side.FIRST,
    ]
    assert [positions[ply].phase for ply in (79, 80)] == ["tiles", "men"]


@pytest.mark.parametrize(
    ("square", "turn", "ground"),
    [
        ("e5", "red", "tile-orange"),
        ("e6", "red", "tile-red"),
        ("e5", "blue", "tile-green"),
        ("e6", "blue", "tile-blue"),
    ],
)
def test_colour_of_the_square_fixes_the_tile(square, turn, ground):
    # D-P3
    after = tiling(BARE, turn).play(f"+{square}")
    assert {cell.name: cell.ground for cell in after.cells()}[square] == ground
    assert sum(after.stock) == 79


def test_square_is_refused_when_its_kind_of_tile_is_used_up():
    # D-P3
    position = tiling(BARE, "red", Stock(red=0))
    assert refusal(position, "+e6").rule == "perfect/D-P3"
    assert position.play("+e5").stock == Stock(red=0, orange=20)


@pytest.mark.parametrize("square", ["a1", "d1", "j10", "j7"])
def test_start_square_takes_no_tile(square):
    assert refusal(Perfect().initial(), f"+{square}").rule == "perfect/tiles"


def test_square_takes_one_tile_only():
    assert refusal(Perfect().initial().play("+e5"), "+e5").rule == "perfect/tiles"


@pytest.mark.parametrize("move", ["pass", "@b2", "b2-b3", "a4-a5", "a3-c5", "c3xe5"])
def test_men_stay_at_home_while_tiles_are_laid(move):
    assert refusal(Perfect().initial(), move).rule == "perfect/phases"


# Each drawing: Red lays a tile on the square marked `+`. The tiles that flip.
FLIPS = {
    "a single tile": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . r . . . . .
        . . . r b + . . . .
        . . . . r . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "e5",
    ),
    "not while one side is bare": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . r . . . . .
        . . . . b + . . . .
        . . . . r . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "",
    ),
    "a connected group, diagonals being no contact": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . r r . . . .
        . . . r b b r . . .
        . . . r b + . . . .
        . . . . r b . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "e6 f6 e5",
    ),
    "at the edge of the board (D-P5)": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        r . . . . . . . . .
        b + . . . . . . . .
        r . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "a6",
    ),
    "against the enemy's start squares (D-P4)": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        r . . . . . . . . .
        b + . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "a5",
    ),
    "not next to a flipped tile (D-P6)": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . r . . . . .
        . . . f b + . . . .
        . . . . r . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "",
    ),
    "not next to one's own start squares (D-P7)": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . r .
        . . . . . . . r b +
        . . . . . . . . r .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "i6",
    ),
    "not a group with one tile next to them (D-P7)": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . r b
        . . . . . . . r b b
        . . . . . . . . r +
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "",
    ),
    "several groups at once (D-P9)": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . r . r . . . .
        . . r b + b r . . .
        . . . r b r . . . .
        . . . . r . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "d5 f5 e4",
    ),
    "the enclosing tile may itself be enclosed": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . r b . . . .
        . . . r b + b . . .
        . . . . r b . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "e6",
    ),
    "not one's own tiles: suicide flips nothing (D-P8)": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . b . . . . .
        . . . b + b . . . .
        . . . . b . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        "",
    ),
}


@pytest.mark.parametrize(("drawing", "flipped"), FLIPS.values(), ids=FLIPS.keys())
def test_group_flips_when_a_move_surrounds_it(drawing, flipped):
    position = tiling(drawing.replace("+", "."), "red")
    row = next(index for index, line in enumerate(drawing.strip().splitlines()) if "+" in line)
    file = drawing.strip().splitlines()[row].split().index("+")
    after = position.play(f"+{'abcdefghij'[file]}{10 - row}")
    assert after.layout.flipped & ~position.layout.flipped == squares(flipped)
    assert not after.layout.blue_tiles & squares(flipped)
    assert after.layout.red_tiles.bit_count() == position.layout.red_tiles.bit_count() + 1


SUICIDE = """
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . b . . . . .
. . . b . b . . . .
. . . . b . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
"""


def test_suicide_never_flips_later():
    # D-P8: Blue's next tiles, even right beside it, do not make it surrounded a second time.
    position = tiling(SUICIDE, "red").play("+e5")
    for move in ("+d6", "+a9", "+f6", "+b9", "+d4"):
        position = position.play(move)
    assert position.layout.flipped == 0
    assert position.layout.red_tiles & squares("e5")


def test_flipped_tiles_stay_and_take_no_tile():
    surrounded, _ = FLIPS["a single tile"]
    position = tiling(surrounded.replace("+", "."), "red").play("+f5")
    assert refusal(position, "+e5").rule == "perfect/tiles"
    assert {cell.name: cell.ground for cell in position.cells()}["e5"] == "flipped-yellow"


@settings(max_examples=20)
@given(seed=SEEDS, first=st.sampled_from(list(Colour)))
@pytest.mark.long
def test_tile_phase_is_the_oracles_at_every_ply(seed, first):
    game = OracleGame(first.value, limit=1)
    for move, position in random_game(Perfect(first, limit=1), seed):
        if move:
            game.play(move)
        assert position.legal_moves() == game.legal_moves()
        ground = {"red": 0, "blue": 0, "flipped": 0}
        for (file, rank), kind in game.ground.items():
            ground[kind] |= 1 << (11 * (rank - 1) + file - 1)
        assert list(position.layout[:3]) == list(ground.values())


@settings(max_examples=30)
@given(seed=SEEDS)
def test_every_tile_can_be_laid(seed):
    position = tiled_at_random(seed)
    assert position.ply == 80
    assert sum(position.stock) == 0
    assert sum(tiles.bit_count() for tiles in position.layout[:3]) == 80
