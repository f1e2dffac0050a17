"""Men of The Perfect Game who were captured: they re-enter, and a full start area is left first."""

from __future__ import annotations

from games.view import Notice
from tests.games.perfect_positions import (
    ALONE,
    race,
    refusal,
)


def test_captured_man_re_enters_before_anything_else():
    # D-P18
    position = race(ALONE, in_hand=1)
    assert Notice("men-in-hand", "red", 1) in position.notices()
    assert Notice("must-re-enter", "red", 1) in position.notices()
    assert position.legal_moves() == ["@a4", "@b3"]
    assert refusal(position, "e5-e6").rule == "perfect/D-P18"
    assert refusal(position, "pass").rule == "perfect/D-P20"


def test_man_re_enters_on_a_vacant_start_square_of_his_own():
    # D-P18
    position = race(ALONE, in_hand=1)
    assert refusal(position, "@a1").rule == "perfect/D-P18"
    assert refusal(position, "@e6").rule == "perfect/D-P18"
    assert refusal(position, "@j10").rule == "perfect/D-P18"
    move = position.legal_moves()[0]
    assert position.play(move).layout.red_men.bit_count() == 10


def test_each_captured_man_takes_a_turn_of_his_own():
    # D-P18: one man a turn.
    position = race(ALONE, in_hand=2)
    position = position.play(position.legal_moves()[0])
    position = position.play(position.legal_moves()[-1])
    assert all(move.startswith("@") for move in position.legal_moves())
    position = position.play(position.legal_moves()[0])
    position = position.play(position.legal_moves()[-1])
    assert "e5-e6" in position.legal_moves()


FULL_HOME = """
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . r . . . . .
r . . . . . . . . .
r r . . . . . . . .
r r b . . . . . . .
r r r b . . . . . .
"""


def test_man_leaves_a_full_start_area_for_the_one_in_hand():
    # D-P19: red holds eight of its start squares, blue two.
    position = race(FULL_HOME, in_hand=1)
    assert Notice("must-leave-home", "red", 1) in position.notices()
    assert "a4-b4" in position.legal_moves()
    assert refusal(position, "e5-e6").rule == "perfect/D-P19"
    after = position.play("a4-b4")
    assert Notice("men-in-hand", "red", 1) in after.notices()


def test_leaving_man_ends_outside_the_start_area():
    # D-P19
    position = race(FULL_HOME, in_hand=1)
    ends = {move.replace("x", "-").split("-")[-1] for move in position.legal_moves()}
    assert not ends & {"a1", "b1", "c1", "d1", "a2", "b2", "c2", "a3", "b3", "a4"}
    assert not any(move.startswith("e5") for move in position.legal_moves())


def test_compulsory_capture_is_suspended_while_the_area_is_full():
    # D-P19: e5 could take d6. The men at home have to move.
    drawing = FULL_HOME.replace(". . . . . . . . . .\n. . . . r", ". . . b . . . . . .\n. . . . r")
    position = race(drawing, flipped="d6", in_hand=1)
    assert "a4-b4" in position.legal_moves()
    assert refusal(position, "e5xc7").rule == "perfect/D-P19"


def test_stopping_rule_holds_while_the_area_is_full():
    # D-P16 within D-P19: a3 jumps b4 to c5 and would have to take d6.
    position = race(
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . b . . . . . .
        . . . . . . . . . .
        r b . . . . . . . .
        r r . . . . . . . .
        r r b . . . . . . .
        r r r b . . . . . .
        """,
        flipped="d6",
        in_hand=2,
    )
    assert refusal(position, "a3-c5").rule == "perfect/D-P16"
    assert "a3-c5xe7" in position.legal_moves()
