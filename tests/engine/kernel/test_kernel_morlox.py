"""The kernel's Morlox on boards that no game leads to, and its fast playout."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.core import Outcome
from tests.engine.kernel.readings import same_reading

_SIZES = (2, 3, 4, 5, 8, 11, 14, 15, 19, 26)


@st.composite
def texts(draw):
    """Return a rule set and the text of a board with stones at random, plausible or not."""
    size = draw(st.sampled_from(_SIZES))
    ruleset = games.load(f"morlox(size={size},swap={draw(st.sampled_from(['on', 'off']))})")
    letters = draw(st.sampled_from(["b", "w", "bw", "bw.", "bww.", "bw...", "bw........"]))
    rng = draw(st.randoms(use_true_random=False))
    rows = ["".join(rng.choices(letters, k=size)) for _ in range(size)]
    stones = sum(size - row.count(".") for row in rows)
    ply = stones + draw(st.integers(0, 3))
    is_swapped = draw(st.booleans())
    turn = "bw"[(ply - is_swapped) % 2] if draw(st.integers(0, 9)) else draw(st.sampled_from("bw"))
    return ruleset, f"{'/'.join(rows)} {turn} {ply} {'swapped' if is_swapped else '-'}"


@given(texts())
def test_boards_no_game_leads_to_are_read_alike(kernel, reading):
    same_reading(kernel, *reading)


@pytest.mark.parametrize("size", _SIZES)
def test_the_fast_playout_is_a_random_game(kernel, size):
    """Both draw their moves from equal numbers. The playout alone looks for chains in its own way."""
    position = games.load(f"morlox(size={size})").initial()
    for seed in range(max(5, 400 // size**2)):
        moves = kernel.load(position).random_game(seed)
        tally = kernel.playouts(1, seed)
        for move in moves:
            kernel.play(move)
        assert tally.plies == len(moves)
        assert {Outcome.FIRST: tally.first, Outcome.SECOND: tally.second}[kernel.outcome()] == 1


def test_the_fast_playout_goes_on_from_any_board(kernel):
    """Earlier stones are joined, and a complete chain of the opponent wins unless it is broken."""
    for rows, turn, ply in (
        ("b.w/b.w/b.w", "w", 9),
        (".wb/bwb/bw.", "b", 8),
        ("wbw/b.b/wbw", "b", 8),
        ("bbb/bwb/bbb", "w", 9),
    ):
        position = games.load("morlox(size=3)").parse(f"{rows} {turn} {ply} -")
        for seed in range(40):
            moves = kernel.load(position).random_game(seed)
            tally = kernel.playouts(1, seed)
            for move in moves:
                kernel.play(move)
            assert tally.plies == len(moves), (rows, seed)
            assert tally.first == (kernel.outcome() is Outcome.FIRST)
