"""Men in the main phase of The Perfect Game?: its text (seed 004), decisions D-P10 to D-P18."""

from __future__ import annotations

import pytest

from games.perfect import PerfectPosition
from games.view import Notice
from tests.games.perfect_positions import (
    ALONE,
    race,
    refusal,
    squares,
    tiled_at_random,
)


def perft(position: PerfectPosition, depth: int) -> int:
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def moves_from(position: PerfectPosition, square: str) -> set[str]:
    """Return the legal moves of the man on `square`, without his name: `-e6`, `xg7-i5`."""
    names = (move for move in position.legal_moves() if move.startswith(square))
    return {name.removeprefix(square) for name in names}


@pytest.mark.parametrize(("depth", "count"), [(1, 11), (2, 121), (3, 1_848)])
@pytest.mark.parametrize("seed", [1, 2])
def test_perft_of_the_main_phase_is_as_published(depth, count, seed):
    assert perft(tiled_at_random(seed), depth) == count


def test_step_goes_one_square_orthogonally_any_way():
    # D-P10: also backwards.
    assert moves_from(race(ALONE), "e5") == {"-e6", "-f5", "-e4", "-d5"}


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("e5-f6", "perfect/D-P10"),
        ("e5-e7", "perfect/D-P10"),
        ("e5-e5", "perfect/D-P10"),
        ("e5-j10", "perfect/D-P10"),
        ("e5xe6", "perfect/D-P10"),
        ("e5-g7", "perfect/D-P11"),
        ("e5-e6-e7", "perfect/D-P11"),
        ("e6-e7", "perfect/men"),
        ("j10-j9", "perfect/men"),
        ("@b2", "perfect/D-P18"),
        ("pass", "perfect/D-P20"),
        ("+e5", "perfect/phases"),
    ],
)
def test_man_alone_can_do_nothing_else(move, rule):
    assert refusal(race(ALONE), move).rule == rule


def test_step_to_an_occupied_square_is_refused():
    assert refusal(race(ALONE), "a1-a2").rule == "perfect/D-P10"


JUMPS = """
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . b . r . . . .
. . . . r . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
"""


def test_jump_goes_diagonally_over_a_man_of_either_side():
    # All tiles are blue: the blue man is safe on them.
    assert moves_from(race(JUMPS), "e5") == {"-e6", "-f5", "-e4", "-d5", "-c7", "-g7"}


# The blue man on d6 (e5, the jumper, and c7 do not matter): his ground, and whether he is taken.
@pytest.mark.parametrize(
    ("ground", "is_taken"),
    [
        pytest.param({}, False, id="on a tile of his own colours"),
        pytest.param({"red": "d6"}, True, id="on a tile of the jumper's colours"),
        pytest.param({"flipped": "d6"}, True, id="on a flipped tile"),
    ],
)
def test_enemy_man_is_captured_unless_he_stands_on_his_own_colours(ground, is_taken):
    # D-P14
    position = race(JUMPS, **ground)
    move = "e5xc7" if is_taken else "e5-c7"
    assert move in position.legal_moves()
    assert refusal(position, move.translate(str.maketrans("-x", "x-"))).rule == "perfect/D-P14"
    assert position.play(move).layout.blue_men.bit_count() == (9 if is_taken else 10)


def test_man_on_his_own_start_square_is_not_captured():
    position = race(
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . b
        . . . . . . . . r .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """
    )
    assert "i6-i7" in position.legal_moves()
    assert not any("x" in move for move in position.legal_moves())


def test_man_on_the_enemys_start_square_is_captured():
    position = race(
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        r . . . . . . . . .
        . . . . . . . . . .
        . b . . . . . . . .
        r . . . . . . . . .
        . . . . . . . . . .
        """
    )
    assert "a2xc4" in position.legal_moves()
    after = position.play("a2xc4")
    assert Notice("men-in-hand", "blue", 1) in after.notices()


def test_own_man_jumped_over_stays():
    after = race(JUMPS).play("e5-g7")
    assert after.layout.red_men & squares("f6")


SERIES = """
. . . . . . . . . .
. . . . . . . . . .
. . . . . r . . . .
. . . . . . . . . .
. . . . . b . . . .
. . . . . . . . . .
. . . b . . . . . .
. . r . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
"""


def test_series_may_stop_after_any_jump():
    # D-P11: the blue men are on their own tiles.
    assert moves_from(race(SERIES), "c3") == {
        *("-c4", "-b3", "-d3"),
        *("-e5", "-e5-g7", "-e5-g7-e9"),
    }


def test_step_and_jump_never_mix():
    # D-P11
    assert refusal(race(SERIES), "c3-e5-e6").rule == "perfect/D-P11"
    assert refusal(race(SERIES), "c3-d3-d4").rule == "perfect/D-P11"


RING = """
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . r . r . . . .
. . . . . . . . . .
. . . r . r . . . .
. . . . r . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
"""


def test_series_that_returns_without_a_capture_is_refused():
    # D-P12: e4 - g6 - e8 - c6 and back to e4.
    position = race(RING)
    assert "e4-g6-e8-c6" in position.legal_moves()
    assert "e4-g6-e8-c6-e4" not in position.legal_moves()
    assert refusal(position, "e4-g6-e8-c6-e4").rule == "perfect/D-P12"


def test_series_that_returns_may_have_captured():
    # D-P12: the man on d5 is blue and is on a red tile.
    drawing = RING.replace(". . . r . r . . . .\n. . . . r", ". . . b . r . . . .\n. . . . r")
    position = race(drawing, red="d5")
    after = position.play("e4-g6-e8-c6xe4")
    assert after.layout.red_men == position.layout.red_men


def test_man_is_not_jumped_twice():
    # D-P12
    position = race(JUMPS)
    assert refusal(position, "e5-g7-e5").rule == "perfect/D-P12"
    assert refusal(position, "e5-g7-e5-c7").rule == "perfect/D-P12"


def test_captured_man_leaves_at_once():
    # D-P13: no man is on d6 any more for the way back. (No jumper can land there: squares jumped
    # over are an odd number of files away from his own.)
    position = race(JUMPS, red="d6")
    assert refusal(position, "e5xc7-e5").rule == "perfect/D-P11"
    assert refusal(position, "e5xc7xe5").rule == "perfect/D-P11"


def test_capture_of_a_man_on_a_neutral_square_is_compulsory():
    # D-P15: "if a capture is available, a capturing move must be made".
    position = race(JUMPS, flipped="d6")
    assert position.legal_moves() == ["e5xc7"]
    assert refusal(position, "e5-e6").rule == "perfect/D-P15"
    assert refusal(position, "e5-g7").rule == "perfect/D-P15"
    assert Notice("must-capture", "red", 1) in position.notices()


def test_capture_on_the_movers_own_colours_is_optional():
    # D-P17: "strictly optional, as in Chess".
    moves = race(JUMPS, red="d6").legal_moves()
    assert "e5xc7" in moves
    assert "e5-e6" in moves


def test_optional_capture_does_not_satisfy_the_compulsory_one():
    # D-P17: d6 is a red tile, d8 a flipped one.
    drawing = """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . b . . . . . .
        . . . . r . . . . .
        . . . b . . . . . .
        . . . . r . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """
    position = race(drawing, flipped="d8", red="d6")
    assert position.legal_moves() == ["e5xc7xe9", "e7xc9"]
    assert refusal(position, "e5xc7").rule == "perfect/D-P16"


def test_compulsory_capture_may_come_anywhere_in_the_series():
    # D-P15: f4 takes e5 immediately, b2 with the second jump.
    position = race(
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . b . . . . .
        . . . . . r . . . .
        . . r . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
        flipped="e5",
    )
    assert position.legal_moves() == ["b2-d4xf6", "f4xd6"]


def test_series_may_not_end_before_a_man_on_a_neutral_square_that_could_be_taken():
    # D-P16: c3 jumps d4 (safe on blue), then f6 is next, on a flipped tile.
    position = race(SERIES, flipped="f6")
    assert moves_from(position, "c3") == {"-c4", "-b3", "-d3", "-e5xg7", "-e5xg7-e9"}
    assert refusal(position, "c3-e5").rule == "perfect/D-P16"


def test_step_may_end_beside_a_man_that_could_be_taken():
    # D-P16: "steps have no such rule".
    assert (
        "d5-e5"
        in race(
            """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . b . . . .
        . . . r . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """,
            flipped="f6",
        ).legal_moves()
    )
