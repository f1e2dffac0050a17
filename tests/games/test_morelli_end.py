"""The end of a game of Morelli: section 8 of the revised edition, 7 of the original one."""

from __future__ import annotations

import random
from typing import Any

import pytest

import games
from tests.games.morelli_drawing import pieces, refused

FIG_6: dict[str, Any] = {"white": "L9 D9 E4 J5", "black": "G8", "king": "black"}


def test_fig_6_game_ends_when_black_to_move_is_gridlocked():
    position = pieces(**FIG_6, to_move="white")
    assert position.outcome() is None
    after = position.play("L9-J11")
    assert after.side_to_move is games.Side.FIRST
    assert after.outcome() is games.Outcome.FIRST
    assert after.legal_moves() == []


def test_fig_6_white_would_complete_a_green_frame_if_black_could_still_move():
    position = pieces(white="L9 D9 E4 J5", black="G8 A1", king="black", to_move="white")
    after = position.play("L9-J11").play("A1-B2")
    assert after.play("J11-I10*").throne is games.Side.SECOND


@pytest.mark.parametrize(
    ("king", "outcome"),
    [("black", "first"), ("white", "second"), (None, "draw")],
    ids=["black", "white", "vacant"],
)
def test_3_2_throne_decides_whoever_is_stuck(king, outcome):
    for to_move in ("black", "white"):
        stuck = pieces(black="G8", white="G6", king=king, to_move=to_move)
        assert stuck.outcome() == outcome


@pytest.mark.parametrize(
    ("king", "outcome"), [("black", "first"), ("white", "second"), (None, "draw")]
)
def test_d_m1_agreement_ends_the_game_and_the_throne_decides(king, outcome):
    position = pieces(black="A1", white="M13", king=king)
    assert position.play("agree").outcome() == outcome
    assert position.play("agree").ply == position.ply + 1


def test_nothing_is_played_after_the_end():
    for over in (pieces(black="G8"), pieces(black="A1").play("agree")):
        assert refused(over, "agree") == "morelli-2015/8.1"
    assert refused(pieces(black="G8", edition="original"), "G8-G9") == "morelli-original/7.1"


@pytest.mark.parametrize(
    ("king", "outcome"), [("black", "first"), ("white", "second"), (None, "draw")]
)
def test_nobody_is_enthroned_in_a_playout_with_fewer_than_four_pieces(king, outcome):
    start = pieces(black="A1", white="M12", king=king)
    assert {start.playout(random.Random(seed)) for seed in range(20)} == {outcome}


def test_agreed_game_is_over_for_every_question():
    agreed = pieces(black="A1", white="M13", king="white").play("agree")
    assert agreed.playout(random.Random(1)) is games.Outcome.SECOND
    assert agreed.perft(1) == 0
    assert agreed.perft(0) == 1
    assert agreed.evaluation() == -1
    with pytest.raises(ValueError, match="over"):
        agreed.random_move(random.Random(1))
