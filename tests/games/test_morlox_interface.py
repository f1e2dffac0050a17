"""Morlox through the interface: random play, evaluation, text, refusals, display, options."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core import (
    BadPositionError,
    BadSetupError,
    IllegalMoveError,
    Outcome,
    Side,
    UnknownOptionError,
)
from games.morlox import OPTIONS, Morlox
from games.view import Notice
from tests.games.morlox_positions import BLACK_CHAIN, SEEDS, drawn, played, random_game, refusal


def test_random_move_takes_every_legal_move_equally_often():
    position = played(Morlox(3), "a1")
    rng = random.Random(5)
    drawn_moves = [position.random_move(rng) for _ in range(4_500)]
    counts = {move: drawn_moves.count(move) for move in position.legal_moves()}
    assert len(counts) == 9
    assert all(400 < count < 600 for count in counts.values())
    assert set(drawn_moves) == set(counts)


@pytest.mark.long
@pytest.mark.parametrize("opening", ["", "b2", "a1"])
@pytest.mark.part(0.4)
def test_playouts_end_as_often_for_the_first_player_as_random_games_do(opening):
    start, rng = played(Morlox(3), opening), random.Random(11)
    quick = sum(start.playout(rng) is Outcome.FIRST for _ in range(3_000))
    slow = 0
    for _ in range(3_000):
        position = start
        while position.outcome() is None:
            position = position.play(position.random_move(rng))
        slow += position.outcome() is Outcome.FIRST
    assert abs(quick - slow) < 5 * (3_000 / 2) ** 0.5  # five standard deviations


def test_playouts_from_the_start_swap_as_often_as_random_games_do():
    """On 2x2 the first side wins 58 % of them, and 67 % if neither side may swap."""

    def chance_of_first(position):
        if position.outcome() is not None:
            return float(position.outcome() is Outcome.FIRST)
        moves = position.legal_moves()
        return sum(chance_of_first(position.play(move)) for move in moves) / len(moves)

    start, rng = Morlox(2).initial(), random.Random(3)
    share = sum(start.playout(rng) is Outcome.FIRST for _ in range(2_000)) / 2_000
    assert abs(share - chance_of_first(start)) < 0.05  # four standard deviations


def test_playout_of_a_finished_game_is_its_outcome():
    assert drawn(BLACK_CHAIN, "b").playout(random.Random(1)) is Outcome.FIRST


def test_playout_sees_a_chain_that_stood_before():
    # Black's chain is complete and White cannot touch it.
    position = drawn("b.... b.... b.... b.... b...w", "w")
    assert {position.playout(random.Random(seed)) for seed in range(20)} == {Outcome.FIRST}


def test_random_move_of_a_finished_game_is_an_error():
    with pytest.raises(ValueError, match="over"):
        drawn(BLACK_CHAIN, "b").random_move(random.Random(1))


@settings(max_examples=20)
@given(seed=SEEDS)
def test_evaluation_is_between_minus_one_and_one(seed):
    for _, position in random_game(Morlox(6), seed):
        assert -1.0 <= position.evaluation() <= 1.0


def test_evaluation_likes_the_colour_whose_edges_are_closer():
    assert drawn(".b... .b... .b... ..... ....w", "b").evaluation() > 0.3
    assert drawn(".b... .b... .b... ..... ....w", "w").evaluation() < -0.1


def test_best_evaluated_move_beats_random_play():
    ruleset, wins = Morlox(5, swap=False), 0
    for seed in range(20):
        position, rng, greedy = ruleset.initial(), random.Random(seed), list(Side)[seed % 2]
        while position.outcome() is None:
            here = position
            position = here.play(
                min(here.legal_moves(), key=lambda move: here.play(move).evaluation())
                if here.side_to_move is greedy
                else here.random_move(rng)
            )
        wins += position.outcome() == greedy.value
    assert wins >= 17


@pytest.mark.long
@settings(max_examples=25)
@given(seed=SEEDS, size=st.sampled_from([2, 3, 7, 13]))
def test_position_text_round_trips_at_every_ply(seed, size):
    ruleset = Morlox(size)
    for _, position in random_game(ruleset, seed):
        copy = ruleset.parse(position.text())
        assert copy == position
        assert hash(copy) == hash(position)
        assert position.text().isascii()
        assert copy.legal_moves() == position.legal_moves()


def test_text_of_the_largest_board_is_within_the_limit():
    assert len(Morlox(26).initial().text()) <= 4_096


def test_positions_that_differ_only_in_the_swap_differ():
    text = "..../.b../..../w... b 3 {}"
    ruleset = Morlox(4)
    with pytest.raises(BadPositionError):
        ruleset.parse(text.format("-"))
    assert ruleset.parse(text.format("swapped")) == played(ruleset, "b3 swap a1")


BAD_TEXTS = {
    "empty": "",
    "words missing": "../..",
    "too many words": "../.. b 0 - -",
    "row too short": "../. b 0 -",
    "row too many": "../../.. b 0 -",
    "unequal rows": "..././ b 0 -",
    "no letter of ours": "../.x b 1 -",
    "capital": "../.B w 1 -",
    "colour": "../.. g 0 -",
    "wrong colour to move": "../.. w 0 -",
    "wrong colour after a swap": "../b. b 2 swapped",
    "ply written otherwise": "../.. b 00 -",
    "ply negative": "../.. b -2 -",
    "ply in Arabic digits": "../b. w \u0661 -",
    "ply superscript": "../b. w \u00b9 -",
    "ply beyond any game": "../b. b 999998 -",
    "more stones than plies": "bw/b. b 2 -",
    "no stone after a ply": "../.. b 2 -",
    "white stone first": "../w. w 1 -",
    "swapped too early": "../b. w 1 swapped",
    "swap word": "../b. w 1 no",
    "newline": "../.. b 0 -\n",
    "double space": "../..  b 0 -",
    "NUL": "../.. b 0 -\0",
    "long": "b" * 10_000,
    "long number": "../.. b " + "9" * 4_000 + " -",
    "surrogate": "../.. b 0 \ud800",
}


@pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS.keys())
def test_text_that_is_no_position_is_refused(text):
    with pytest.raises(BadPositionError, match="no position of morlox"):
        Morlox(2).parse(text)


def test_swapped_text_is_refused_where_there_is_no_swap():
    with pytest.raises(BadPositionError):
        Morlox(2, swap=False).parse("../b. w 2 swapped")


GARBAGE = [
    *("", " ", "z9", "a0", "a01", "a4", "d1", "A1", "a1X", "a1xx", "xa1", "a", "1", "a1 ", " a1"),
    *("a1\n", "a1\0", "\0", "SWAP", "swap ", "resign", "agree", "a\u0661", "\uff411", "\ud800"),
    *("a" * 10_000, "a1" * 5_000, "9" * 10_000, "-1", "+a1", "a1-a2", "@a1", "None", "\U0001f642"),
]


@pytest.mark.parametrize("move", GARBAGE, ids=range(len(GARBAGE)))
def test_text_that_is_no_move_is_refused_as_notation(move):
    error = refusal(Morlox(3).initial(), move)
    assert error.rule == "morlox/notation"
    assert error.move == move
    assert len(str(error)) < 500
    assert Morlox(3).move_path(move) == ()
    with pytest.raises(IllegalMoveError):
        Morlox(3).initial().canonical(move)


def test_canonical_move_is_the_move_itself():
    assert Morlox(3).initial().canonical("b2") == "b2"


def test_play_leaves_the_position_unchanged():
    position = Morlox(3).initial()
    text = position.text()
    position.play("b2")
    assert position.text() == text
    with pytest.raises(AttributeError):
        setattr(position, "ply", 3)  # noqa: B010 - written so that the type checker lets it pass


def test_files_of_the_largest_board_reach_z():
    position = played(Morlox(26), "z26")
    assert "z26" not in position.legal_moves()
    assert Morlox(26).move_path("z26x") == ("z26",)


@pytest.mark.parametrize(
    ("move", "path"), [("d4", ("d4",)), ("d4x", ("d4",)), ("swap", ()), ("pass", ())]
)
def test_path_of_a_move_is_its_square(move, path):
    assert Morlox(5).move_path(move) == path


def test_cells_come_in_reading_order_from_the_top_left():
    cells = drawn("..w b.. ...").cells()
    assert [cell.name for cell in cells] == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert [(cell.column, cell.row) for cell in cells[:3]] == [(0, 2), (1, 2), (2, 2)]
    assert [cell.piece for cell in cells[:4]] == [None, None, "white", "black"]
    assert [cell.ground for cell in cells[:4]] == ["dark", "light", "dark", "light"]


def test_notices_count_the_stones():
    assert drawn("..w b.. b..").notices()[:2] == [
        Notice("stones", "black", 2),
        Notice("stones", "white", 1),
    ]


def test_key_names_every_option():
    assert Morlox().key == "morlox(size=11,swap=on)"
    assert Morlox.from_options({"swap": "off", "size": "5"}).key == "morlox(size=5,swap=off)"
    assert Morlox.from_options({}) == Morlox()
    assert list(Morlox().options) == [option.name for option in OPTIONS]


def test_menu_and_defaults_are_accepted_values():
    for option in OPTIONS:
        assert option.default in option.menu
        assert all(map(option.accepts, option.menu))


@pytest.mark.parametrize(
    "options",
    [
        {"size": "1"},
        {"size": "27"},
        {"size": "011"},
        {"size": " 11"},
        {"size": "\u0661\u0661"},
        {"size": ""},
        {"swap": "yes"},
        {"swap": "ON"},
        {"edition": "revised"},
        {"size": "9" * 10_000},
    ],
    ids=range(10),
)
def test_unknown_option_or_value_is_refused(options):
    with pytest.raises(UnknownOptionError, match="morlox"):
        Morlox.from_options(options)


@pytest.mark.parametrize("size", [1, 27, -3])
def test_size_outside_the_range_is_refused(size):
    with pytest.raises(UnknownOptionError):
        Morlox(size)


def test_seed_changes_nothing():
    assert Morlox(5).initial(seed=7) == Morlox(5).initial() == Morlox(5).start("")
    assert Morlox(5).setup_text(Morlox(5).initial()) == ""


@pytest.mark.parametrize("setup", [{"ring": "BW"}, {"seed": "x"}, {"seed": 1, "hand": 2}])
def test_set_up_other_than_a_seed_is_refused(setup):
    with pytest.raises(BadSetupError):
        Morlox(5).initial(**setup)


def test_set_up_text_other_than_none_is_refused():
    with pytest.raises(BadSetupError):
        Morlox(5).start("ring=BW")
