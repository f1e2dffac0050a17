"""The kernel plays by the rules of `games`, ply by ply."""

from __future__ import annotations

import random

import pytest

import games
from engine.kernel.host import KernelMoveError
from tests.engine.kernel.rulesets import KEYS, LARGE, start

_GAMES = 2
_MANY = 2_000
_MANY_LARGE = 100


def compare_game(kernel, key, seed, *, each):
    """Play one of the kernel's random games with both.

    The lists of moves are compared at one ply of `each`.
    """
    rng = random.Random(seed)
    position = start(key, seed)
    moves = kernel.load(position).random_game(seed)
    for move in moves:
        compare(kernel, position)
        if rng.randrange(each) == 0:
            assert kernel.legal_moves() == position.legal_moves(), position.text()
        assert position.canonical(move) == move
        position = position.play(move)
        kernel.play(move)
    compare(kernel, position)
    assert position.outcome() is not None
    assert kernel.legal_moves() == []


def compare(kernel, position):
    assert kernel.text() == position.text()
    assert kernel.outcome() == position.outcome(), position.text()
    assert kernel.side_to_move is position.side_to_move, position.text()
    assert kernel.ply == position.ply


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.part(0.3)
def test_random_games_are_the_same(kernel, key):
    for seed in range(1 if key in LARGE else _GAMES):
        compare_game(kernel, key, seed, each=3)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_many_random_games_are_the_same(kernel, key):
    for seed in range(_GAMES, _MANY_LARGE if key in LARGE else _MANY):
        compare_game(kernel, key, seed, each=10)


@pytest.mark.parametrize("key", KEYS)
def test_positions_given_as_text_are_the_same(kernel, key):
    rng = random.Random(key)
    position = start(key, 1)
    while position.outcome() is None:
        if rng.randrange(20) == 0:
            kernel.load_text(key, position.text())
            compare(kernel, position)
            assert kernel.legal_moves() == position.legal_moves()
        position = position.play(position.random_move(rng))
    compare(kernel.load(position), position)


@pytest.mark.parametrize("key", KEYS)
def test_random_games_take_the_length_of_plays_together(kernel, key):
    """The tally is of whole games from the position: each ends, and no game is longer than the rules allow."""
    position = start(key, 2)
    tally = kernel.load(position).playouts(7, 5)
    assert tally.first + tally.second + tally.draws == 7
    assert 0 < tally.plies <= 7 * position.ruleset.max_plies
    assert kernel.text() == position.text()
    assert kernel.playouts(7, 5) == tally


@pytest.mark.parametrize("key", ["morelli(size=7)", "morelli(edition=original,size=7,setup=free)"])
def test_an_agreement_ends_the_game(kernel, key):
    rng = random.Random(3)
    position = start(key, 3)
    for ply in range(30):
        compare(kernel.load(position), position)
        agreed = position.play(games.AGREE)
        kernel.play(games.AGREE)
        compare(kernel, agreed)
        assert kernel.legal_moves() == []
        assert kernel.perft(1) == 0
        assert kernel.playouts(3, ply).plies == 0
        with pytest.raises(KernelMoveError):
            kernel.play(games.AGREE)
        position = position.play(position.random_move(rng))
        if position.outcome() is not None:
            break
