"""The kernel's Perfect Game? with tiles and men in places that no game reaches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.perfect.figures import position_of
from tests.engine.kernel.readings import same_reading

_KEYS = ("perfect()", "perfect(first=blue,limit=3)", "perfect(first=blue,limit=2000)")
_SQUARES = [(file, rank) for rank in reversed(range(10)) for file in range(10)]
_ROOMS = {
    "anywhere": lambda file, rank: True,
    # Every second file and rank: men are placed as for long series.
    "lattice": lambda file, rank: file % 2 and rank % 2,
    "red home": lambda file, rank: file + rank < 5,
    "blue home": lambda file, rank: file + rank > 13,
}


def _ground(order):
    """Return start squares and tiles by square, with all tiles of each kind."""
    ground = {square: "R" if sum(square) < 4 else "B" for square in _SQUARES}
    for parity, most in ((1, 19), (0, 21)):
        squares = [s for s in _SQUARES if 3 < sum(s) < 15 and sum(s) % 2 == parity]
        ground |= zip(order(squares), "r" * most + "b" * most, strict=True)
    return ground


@st.composite
def texts(draw):
    """Return a rule set and the text of a position of its main phase, plausible or not."""
    ruleset = games.load(draw(st.sampled_from(_KEYS)))
    rng = draw(st.randoms(use_true_random=False))
    flipped = draw(st.sampled_from([0.05, 0.3, 0.9]))
    ground = {
        square: "f" if letter in "rb" and rng.random() < flipped else letter
        for square, letter in _ground(lambda squares: rng.sample(squares, len(squares))).items()
    }
    room = _ROOMS[draw(st.sampled_from(list(_ROOMS)))]
    squares = sorted(_SQUARES, key=lambda s: (not room(*s) and rng.random() < 0.8, rng.random()))
    red, blue = draw(st.integers(1, 10)), draw(st.integers(1, 10))
    men = dict(zip(squares, "r" * red + "b" * blue, strict=False))
    ply = draw(st.integers(80, ruleset.max_plies))
    turns = ("red", "blue") if ruleset.options["first"] == "red" else ("blue", "red")
    turn = turns[(ply + 1) % 2] if draw(st.integers(0, 9)) else draw(st.sampled_from(turns))
    blocks = [
        "/".join(
            "".join(letters.get((file, rank), ".") for file in range(10))
            for rank in reversed(range(10))
        )
        for letters in (ground, men)
    ]
    return ruleset, f"{blocks[0]} {blocks[1]} {turn} men {ply} 0,0,0,0"


@pytest.mark.long
@given(texts())
def test_men_anywhere_move_alike(kernel, reading):
    position = same_reading(kernel, *reading)
    for _ in range(3):
        if position is None or position.outcome():
            return
        move = kernel.random_game(1)[0]
        position = position.play(move)
        kernel.play(move)
        assert kernel.text() == position.text()
        assert kernel.legal_moves() == position.legal_moves(), position.text()


def test_an_eleventh_man_is_refused(kernel):
    ruleset = games.load("perfect()")
    letters = [_ground(list)[square] for square in _SQUARES]
    for men, is_read in (("r" * 10, True), ("r" * 11, False), ("b" * 11, False)):
        rows = ["".join(row) for row in (letters, men.ljust(100, "."))]
        blocks = ["/".join(row[at : at + 10] for at in range(0, 100, 10)) for row in rows]
        text = f"{blocks[0]} {blocks[1]} red men 81 0,0,0,0"
        assert (same_reading(kernel, ruleset, text) is not None) == is_read


def test_the_start_of_the_main_phase_has_the_published_counts(kernel):
    kernel.load(games.load("perfect()").initial())
    for move in kernel.random_game(1)[:80]:
        kernel.play(move)
    assert [kernel.perft(depth) for depth in (1, 2, 3)] == [11, 121, 1_848]


def test_the_longest_list_of_moves_fits(kernel):
    """No position with more moves is known (a search by small changes, 60,000 positions a start)."""
    red = dict.fromkeys(["h3", "b5", "a2", "e4", "h7", "i10", "f3", "d5", "i2", "h5"], "r")
    blue = dict.fromkeys(["d7", "b7", "f5", "b9", "h9", "b3", "d3", "f7", "d9", "f9"], "b")
    names = [f"{'abcdefghij'[file]}{rank + 1}" for file, rank in _SQUARES]
    position = position_of(
        "".join(_ground(list)[square] for square in _SQUARES),
        "".join((red | blue).get(name, ".") for name in names),
    )
    moves = position.legal_moves()
    assert len(moves) > 2_000
    assert kernel.load(position).legal_moves() == moves
