"""The main phase of The Perfect Game? against the oracle, and its symmetries."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.perfect import Colour, Perfect
from games.perfect.board import BLUE_HOME, RED_HOME
from tests.games.oracle_perfect import NAMED, OracleGame
from tests.games.perfect_positions import (
    SEEDS,
    as_oracle,
    random_game,
    refusal,
    scrambled,
    squares,
    tiled_at_random,
)


@settings(max_examples=10)
@given(seed=SEEDS)
@pytest.mark.long
def test_random_games_are_the_oracles_at_every_ply(seed):
    ruleset, game = Perfect(limit=150), OracleGame("red", limit=150)
    for move, position in random_game(ruleset, seed):
        if move:
            game.play(move)
        assert position.legal_moves() == game.legal_moves()
        assert position.turn.value == game.turn or position.outcome()
    outcome = {"red": "first", "blue": "second", "draw": "draw", None: None}[game.winner()]
    assert position.outcome() == outcome


@settings(max_examples=60)
@given(seed=SEEDS)
def test_crowded_positions_have_the_oracles_moves(seed):
    position = scrambled(seed)
    assert position.legal_moves() == as_oracle(position).legal_moves()


@settings(max_examples=40)
@given(seed=SEEDS)
def test_moves_lead_where_the_oracle_says(seed):
    position = scrambled(seed)
    for move in position.legal_moves()[::7]:
        game = as_oracle(position)
        game.play(move)
        assert as_oracle(position.play(move)).men == game.men


def spoiled(move: str, rng: random.Random) -> list[str]:
    """Near misses of `move`: cut, continued, with another sign, with another square."""
    name = rng.choice(list(NAMED))
    cut = move[: max(move.rfind("-"), move.rfind("x"))]
    return [
        cut,
        f"{move}-{name}",
        f"{move}x{name}",
        move.replace("-", "x", 1),
        move.replace("x", "-", 1),
        name + move[2:],
        f"{move[:2]}-{name}",
        f"@{name}",
        "pass",
    ]


@settings(max_examples=60)
@given(seed=SEEDS)
@pytest.mark.long
def test_play_accepts_exactly_the_legal_moves(seed):
    position, rng = scrambled(seed), random.Random(seed)
    legal = set(position.legal_moves())
    own_names = [name for name in NAMED if squares(name) & position._field.own]
    candidates = {f"{name}-{other}" for name in own_names for other in NAMED}
    candidates |= {near for move in legal for near in spoiled(move, rng)}
    for move in candidates - legal:
        refusal(position, move)
    assert all(position.play(move).ply == position.ply + 1 for move in legal)


@settings(max_examples=30)
@given(seed=SEEDS, turns=st.integers(min_value=1, max_value=60))
def test_men_are_on_the_board_or_in_hand(seed, turns):
    rng, position = random.Random(seed), tiled_at_random(seed % 50)
    for _ in range(turns):
        position = position.play(position.random_move(rng))
    red, blue = position.layout.red_men, position.layout.blue_men
    assert red & blue == 0
    assert red.bit_count() <= 10 >= blue.bit_count()


def mirrored(move: str) -> str:
    """`move` with files and ranks exchanged: the mirror in the diagonal from a1 to j10."""
    return re.sub(
        r"([a-j])(\d+)", lambda name: f"{'abcdefghij'[int(name[2]) - 1]}{ord(name[1]) - 96}", move
    )


def half_turned(move: str) -> str:
    """`move` with the board turned by 180 degrees."""
    return re.sub(
        r"([a-j])(\d+)", lambda name: f"{chr(203 - ord(name[1]))}{11 - int(name[2])}", move
    )


@pytest.mark.parametrize(
    ("symmetry", "first"),
    [
        pytest.param(mirrored, Colour.RED, id="mirror in the long diagonal"),
        pytest.param(half_turned, Colour.BLUE, id="half turn with colours exchanged"),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_symmetric_games_have_symmetric_moves(symmetry, first, seed):
    image = Perfect(first, limit=100).initial()
    for move, position in random_game(Perfect(Colour.RED, limit=100), seed):
        image = image.play(symmetry(move)) if move else image
        assert image.legal_moves() == sorted(map(symmetry, position.legal_moves()))
        assert image.evaluation() == pytest.approx(position.evaluation())
        assert image.outcome() == position.outcome()


def test_start_areas_are_a_half_turn_apart():
    assert RED_HOME.bit_count() == BLUE_HOME.bit_count() == 10
    assert sum(1 << (108 - square) for square in range(109) if RED_HOME >> square & 1) == BLUE_HOME
