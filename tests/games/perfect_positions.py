"""Positions and games of The Perfect Game? for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import strategies as st

from games.core import IllegalMoveError
from games.perfect import Colour, Perfect, PerfectPosition
from games.perfect.board import HOMES, MEN, NEUTRAL, SQUARES, numbers
from games.perfect.layout import Layout
from games.perfect.tiles import TILES, Stock
from tests.games.oracle_perfect import NAMED, OracleGame

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
EMPTY = "/".join(["." * 10] * 10)
# One red man, in the middle.
ALONE = """
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . r . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
"""


def squares(names: str) -> int:
    """Return the set of the squares named, separated by spaces."""
    return sum(1 << SQUARES[name] for name in names.split())


def rows(drawing: str) -> str:
    return "/".join(line.replace(" ", "") for line in drawing.strip().splitlines())


def tiling(drawing: str, turn: str = "red", stock: Stock | None = None) -> PerfectPosition:
    """Return a position of the tile phase, with any ply and stock.

    `r` `b` `f` are tiles, `.` bare squares and start squares.
    """
    layout = Layout.parse(ground=rows(drawing), men=EMPTY)
    assert layout is not None
    men_at_home = layout._replace(red_men=HOMES[Colour.RED], blue_men=HOMES[Colour.BLUE])
    return PerfectPosition(Perfect(Colour(turn)), men_at_home, stock or Stock(), ply=40)


def race(
    drawing: str,
    turn: str = "red",
    *,
    flipped: str = "",
    red: str = "",
    in_hand: int = 0,
    limit: int = 400,
    ply: int = 100,
) -> PerfectPosition:
    """Return a position of the tile phase, with any ply and stock.

    `r` `b` `f` are tiles, `.` bare squares and start squares.
    """
    layout = Layout.parse(ground=EMPTY, men=rows(drawing))
    assert layout is not None
    men = {colour: layout.men(colour) for colour in Colour}
    for colour in Colour:
        missing = MEN - men[colour].bit_count() - (in_hand if colour.value == turn else 0)
        home = numbers(HOMES[colour] & ~(layout.red_men | layout.blue_men))
        corner_first = sorted(home, reverse=colour is Colour.BLUE)
        men[colour] |= sum(1 << square for square in corner_first[: max(missing, 0)])
    ground = Layout(
        red_tiles=squares(red),
        blue_tiles=NEUTRAL & ~squares(red) & ~squares(flipped),
        flipped=squares(flipped),
        red_men=men[Colour.RED],
        blue_men=men[Colour.BLUE],
    )
    # The second player moves at even plies of the main phase.
    first = Colour(turn).other if ply % 2 == 0 else Colour(turn)
    return PerfectPosition(Perfect(first, limit), ground, Stock(0, 0, 0, 0), ply)


def tiled_at_random(seed: int, ruleset: Perfect | None = None) -> PerfectPosition:
    """Return a start of the main phase."""
    rng, position = random.Random(seed), (ruleset or Perfect()).initial()
    while position.phase == "tiles":
        position = position.play(position.random_move(rng))
    return position


def random_game(ruleset: Perfect, seed: int) -> Iterator[tuple[str | None, PerfectPosition]]:
    """Yield the positions of a random game, the last one finished, each with the move that led to it."""
    rng, position = random.Random(seed), ruleset.initial()
    yield None, position
    while position.outcome() is None:
        move = position.random_move(rng)
        position = position.play(move)
        yield move, position


def scrambled(seed: int) -> PerfectPosition:
    """Return a main-phase position that no game need reach: crowded men, any ground, men in hand."""
    rng = random.Random(seed)
    board = list(SQUARES.values())
    crowd = (
        rng.sample(board, 40) if seed % 2 else numbers(HOMES[Colour.RED]) + rng.sample(board, 20)
    )
    places = rng.sample(sorted(set(crowd)), 20)
    kinds = [(1 << square, rng.choice("rbff")) for square in board]
    red, blue, flipped = (
        NEUTRAL & sum(bit for bit, kind in kinds if kind == letter) for letter in "rbf"
    )
    red_men = places[: 10 - rng.choice((0, 0, 0, 1, 2))]
    blue_men = places[10 : 20 - rng.choice((0, 0, 0, 1))]
    men = (sum(1 << square for square in chosen) for chosen in (red_men, blue_men))
    layout = Layout(red, blue, flipped, *men)
    return PerfectPosition(Perfect(), layout, Stock(0, 0, 0, 0), 100 + rng.randrange(2))


def as_oracle(position: PerfectPosition) -> OracleGame:
    """Return this main-phase position for the slow implementation."""
    layout, names = position.layout, list(NAMED.items())
    game = OracleGame(position.ruleset.first.value, position.ruleset.limit)
    tiles = {"red": layout.red_tiles, "blue": layout.blue_tiles, "flipped": layout.flipped}
    men = {"red": layout.red_men, "blue": layout.blue_men}
    game.ground = {at: who for name, at in names for who in tiles if tiles[who] & squares(name)}
    game.men = {at: who for name, at in names for who in men if men[who] & squares(name)}
    game.turn, game.turns = position.turn.value, position.ply - TILES
    return game


def refusal(position: PerfectPosition, move: str) -> IllegalMoveError:
    """Return the error with which `position` refuses `move`."""
    with pytest.raises(IllegalMoveError) as caught:
        position.play(move)
    return caught.value
