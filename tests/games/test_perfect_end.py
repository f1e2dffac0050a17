"""How The Perfect Game? ends: passes, arrivals and the limit of turns (seed 004, decisions D-P19 to D-P24)."""

from __future__ import annotations

import random

import pytest

from games.core import Outcome
from games.perfect import Colour, Perfect, PerfectPosition
from games.perfect.board import BLUE_HOME
from games.perfect.presentation import PRESENTATION
from games.view import Notice
from tests.games.perfect_positions import (
    race,
    random_game,
    refusal,
    squares,
    tiled_at_random,
)

BLOCKADE = """
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . r . r . r
. . . . r . r . r .
b . b . . . . r . .
b b b . . . . . . .
r b b . . . . . . .
r b b b . . . . . .
"""


def test_side_without_a_turn_passes():
    # D-P20: two men walled in at home by eight, one man in hand.
    position = race(BLOCKADE, in_hand=1)
    assert position.legal_moves() == ["pass"]
    assert Notice("must-pass", "red", 1) in position.notices()
    assert refusal(position, "f6-f7").rule == "perfect/D-P19"
    after = position.play("pass")
    assert after.layout == position.layout
    assert after.colour_of(after.side_to_move) == "blue"


ARRIVING = """
. . . . . . r r r r
. . . . . . . r r r
. . . . . . . . r r
. . . . . . . . . .
. . . . . . . . . r
. . . . . . . . . .
. b b . . . . . . .
. b b . . . . . . .
. . b b . . . . . .
b b . b b . . . . .
"""


def test_all_ten_men_on_the_opposing_start_squares_win():
    # D-P21
    position = race(ARRIVING)
    assert position.outcome() is None
    after = position.play("j6-j7")
    assert after.outcome() == position.side_to_move.value
    assert after.legal_moves() == []
    assert after.notices()[0] == Notice(
        "all-arrived", position.colour_of(position.side_to_move), 10
    )
    assert after.evaluation() == -1.0
    assert refusal(after, "b4-b5").rule == "perfect/men"


def test_playout_stops_at_the_goal():
    position = race(ARRIVING, limit=30)
    outcomes = {position.playout(random.Random(seed)) for seed in range(50)}
    assert position.side_to_move.value in outcomes


def test_nine_men_at_the_goal_and_one_in_hand_do_not_win():
    # D-P21: "men in hand do not count". Red has just moved.
    position = race(ARRIVING, "blue")
    layout = position.layout._replace(red_men=position.layout.red_men & BLUE_HOME)
    assert layout.arrivals(Colour.RED) == 9
    nine = PerfectPosition(position.ruleset, layout, position.stock, position.ply)
    assert nine.outcome() is None


def finished(red: str, blue: str) -> Outcome | None:
    """Return the outcome of a game out of turns with the men on these squares.

    Red is the first side.
    """
    layout = tiled_at_random(1).layout._replace(red_men=squares(red), blue_men=squares(blue))
    return PerfectPosition(Perfect(limit=50), layout, ply=130).outcome()


@pytest.mark.parametrize(
    ("red", "blue", "outcome"),
    [
        pytest.param("j10 a1 e5", "a2 a3 j9", "second", id="more men arrived"),
        pytest.param("j10 e5 e6", "a1 e7 i9", "first", id="fewer men at home or in hand"),
        pytest.param("j10 e5 e6", "a1 e7 e8", "draw", id="equal"),
        pytest.param("e5 e6 e7", "f5 f6", "first", id="men in hand count as not out"),
        pytest.param("e5 e6 a1", "f5 f6", "draw", id="a man at home counts like one in hand"),
    ],
)
def test_turn_limit_is_decided_by_arrivals_then_by_men_not_yet_out(red, blue, outcome):
    # D-P22
    assert finished(red, blue) == outcome


def test_goal_on_the_last_turn_wins():
    position = race(ARRIVING, limit=21)
    after = position.play("j6-j7")
    assert after.ply == after.ruleset.max_plies
    assert after.outcome() == position.side_to_move.value


@pytest.mark.parametrize("limit", [1, 2, 30])
def test_no_game_is_longer_than_the_limit(limit):
    # D-P24
    *_, (_, last) = random_game(Perfect(limit=limit), seed=limit)
    assert last.ply == last.ruleset.max_plies == 80 + limit
    assert last.outcome() is not None


def test_turns_left_are_announced():
    assert Notice("turns-left", None, 400) in tiled_at_random(3).notices()


def test_the_reasons_of_a_result_by_the_limit_are_what_it_is_decided_by():
    # D-P22
    *_, (_, last) = random_game(Perfect(limit=30), seed=30)
    words = PRESENTATION.notices
    reasons = {fact.code for fact in last.notices() if words[fact.code].is_reason}
    assert reasons == {"out-of-turns", "arrived", "waiting"}
