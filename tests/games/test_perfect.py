"""The Perfect Game? through the interface: random play, evaluation, text, display, options."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from games.core import (
    BadPositionError,
    BadSetupError,
    IllegalMoveError,
    Outcome,
    Side,
    UnknownOptionError,
)
from games.perfect import OPTIONS, Colour, Perfect, PerfectPosition
from games.perfect.board import BOARD
from games.perfect.men import MenBoard
from games.view import Cell
from tests.games.perfect_positions import (
    SEEDS,
    race,
    random_game,
    refusal,
    scrambled,
    squares,
    tiled_at_random,
)
from tests.work import calls


@pytest.mark.long
@settings(max_examples=10)
@given(seed=SEEDS)
def test_position_text_round_trips_at_every_ply(seed):
    ruleset = Perfect(limit=60)
    for _, position in random_game(ruleset, seed):
        copy = ruleset.parse(position.text())
        assert copy == position
        assert hash(copy) == hash(position)
        assert position.text().isascii()
        assert len(position.text()) <= 4_096
    assert position.outcome() is not None


START = Perfect().initial().text()
RACE = tiled_at_random(5).text()
BAD_TEXTS = {
    "empty": "",
    "a word missing": START.rsplit(" ", 1)[0],
    "a word too many": f"{START} -",
    "colour to move": START.replace("red", "blue"),
    "no colour": START.replace("red", "green"),
    "phase": START.replace("tiles", "men"),
    "ply without a tile": START.replace("red tiles 0", "blue tiles 1"),
    "ply written otherwise": START.replace(" 0 ", " 00 "),
    "ply in Arabic digits": START.replace(" 0 ", " \u0660 "),
    "ply negative": START.replace(" 0 ", " -2 "),
    "ply beyond the limit": RACE.replace(" 80 ", " 482 "),
    "stock too large": START.replace("19,21,19,21", "20,20,19,21"),
    "stock with a word": START.replace("19,21,19,21", "19,21,19,x"),
    "stock too short": START.replace("19,21,19,21", "19,21,19"),
    "stock too small": START.replace("19,21,19,21", "18,21,19,21"),
    "man away while tiles are laid": START.replace("rrrr......", "rrr.r....."),
    "man away before the first turn with men": RACE.replace("/rrrr......", "/rrr.r....."),
    "man missing while tiles are laid": START.replace("rrrr......", "rrr......."),
    "start square moved": START.replace("RRRR......", "RRR......."),
    "tile on a start square": START.replace("RRRR......", "RRRr......"),
    "tile not counted": START.replace("RRRR......", "RRRR.....r"),
    "row too short": START.replace("RRRR......", "RRRR....."),
    "slash astray": START.replace("RRRR......", "RRRR/....."),
    "newline": f"{START}\n",
    "NUL": f"{START}\0",
    "surrogate": f"{START}\ud800",
    "long": "r" * 10_000,
    "long number": START.replace(" 0 ", f" {'9' * 3_000} "),
    "eleven men": RACE.replace(" 80 ", " 100 ").replace("/..........", "/r.........", 1),
}


@pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS.keys())
def test_text_that_is_no_position_is_refused(text):
    with pytest.raises(BadPositionError, match="no position of perfect"):
        Perfect().parse(text)


def test_text_of_one_first_colour_is_none_of_the_other():
    with pytest.raises(BadPositionError):
        Perfect(Colour.BLUE).parse(START)


def test_text_of_a_position_won_a_turn_ago_is_refused():
    position = race(
        """
        . . . . . . r r r r
        . . . . . . . r r r
        . . . . . . . . r r
        . . . . . . . . . r
        . . . . . . . . . .
        . . . . . . . . . .
        . b b b b . . . . .
        . b b b b . . . . .
        . . . . b b . . . .
        . . . . . . . . . .
        """,
        "blue",
    )
    assert position.outcome() is not None
    assert position.ruleset.first is Colour.RED
    late = PerfectPosition(position.ruleset, position.layout, position.stock, position.ply + 1)
    with pytest.raises(BadPositionError):
        late.ruleset.parse(late.text())


GARBAGE = [
    *("", " ", "a", "1", "e5", "e11", "k5", "e0", "e05", "+", "+e", "+e11", "+k1", "++e5", "+e5 "),
    *("+E5", "@", "@b", "@@b2", "b2", "b2-", "-b3", "b2--b3", "b2_b3", "b2-b3-", "b2-b3x", "PASS"),
    *("pass ", " pass", "pass\n", "swap", "agree", "b2\u2212b3", "b2-b\u0663", "\uff421-b2"),
    *("b2-b3\0", "\0", "\ud800", "\U0001f642", "+e5\n", "a1-b2 xc3", "x", "b2xb", "a1" * 5_000),
    *("a1-" * 3_400, "a1-b2" + "-c3" * 3_000, "9" * 10_000, "+" * 10_000, "None"),
]


@pytest.mark.parametrize("phase", ["tiles", "men", "over"])
@pytest.mark.parametrize("move", GARBAGE, ids=range(len(GARBAGE)))
def test_text_that_is_no_move_is_refused_as_notation(move, phase):
    position = Perfect().initial() if phase == "tiles" else Perfect().parse(RACE)
    if phase == "over":
        position = PerfectPosition(Perfect(), position.layout, position.stock, 480)
    error = refusal(position, move)
    assert error.rule == "perfect/notation"
    assert error.move == move
    assert len(str(error)) < 500
    with pytest.raises(IllegalMoveError):
        position.canonical(move)
    assert Perfect().move_path(move) == ()


def test_canonical_move_is_the_move_itself():
    assert Perfect().initial().canonical("+e5") == "+e5"


def test_play_leaves_the_position_unchanged():
    position = Perfect().initial()
    position.play("+e5")
    assert position == Perfect().initial()


@pytest.mark.parametrize(
    ("move", "path"),
    [
        ("+e5", ("e5",)),
        ("b2-b3", ("b2", "b3")),
        ("a10-c8", ("a10", "c8")),
        ("c3xe5-g7xe9", ("c3", "e5", "g7", "e9")),
        ("@b2", ("b2",)),
        ("pass", ()),
    ],
)
def test_path_of_a_move_is_its_squares_in_order(move, path):
    assert Perfect().move_path(move) == path


def test_cells_come_in_reading_order_from_the_top_left():
    cells = Perfect().initial().cells()
    assert [cell.name for cell in cells[:2]] == ["a10", "b10"]
    assert (cells[0].column, cells[0].row, cells[-1].column, cells[-1].row) == (0, 9, 9, 0)
    assert len({cell.name for cell in cells}) == 100


def test_cells_are_described_in_words():
    position = race(
        """
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
        """,
        flipped="e5",
        red="e6 f6",
    )
    looks = {cell.name: (cell.ground, cell.piece) for cell in position.cells()}
    assert looks["e5"] == ("flipped-yellow", "red-man")
    assert looks["e6"] == ("tile-red", None)
    assert looks["f6"] == ("tile-orange", None)
    assert looks["f5"] == ("tile-blue", None)
    assert looks["j10"] == ("start-green", "blue-man")
    assert Perfect().initial().cells()[0] == Cell("a10", 0, 9, "purple", None)


@settings(max_examples=30)
@given(seed=SEEDS)
def test_random_turn_is_one_of_the_turns(seed):
    position, rng = scrambled(seed), random.Random(seed)
    legal = set(position.legal_moves())
    assert {position.random_move(rng) for _ in range(20)} <= legal


def test_random_move_takes_every_legal_move_equally_often():
    position = tiled_at_random(8)
    rng = random.Random(5)
    moves = [position.random_move(rng) for _ in range(5_500)]
    counts = {move: moves.count(move) for move in position.legal_moves()}
    assert len(counts) == 11
    assert all(400 < count < 600 for count in counts.values())
    assert set(moves) == set(counts)


def test_random_move_of_a_finished_game_is_an_error():
    start = tiled_at_random(1)
    over = PerfectPosition(Perfect(), start.layout, start.stock, 480)
    with pytest.raises(ValueError, match="over"):
        over.random_move(random.Random(1))
    assert over.playout(random.Random(1)) is Outcome.DRAW


@pytest.mark.long
def test_playouts_end_as_random_games_do():
    # Short games from a position in which Red is ahead.
    start = tiled_at_random(2, Perfect(limit=12))
    ahead = start.layout._replace(red_men=squares("j9 i10 i8 h10 a1 b1 c1 d1 a2 b2"))
    position = PerfectPosition(start.ruleset, ahead, start.stock, 80)
    rng, quick, slow = random.Random(3), 0, 0
    for _ in range(300):
        quick += position.playout(rng) is Outcome.FIRST
        here = position
        while here.outcome() is None:
            here = here.play(here.random_move(rng))
        slow += here.outcome() is Outcome.FIRST
    assert abs(quick - slow) < 60
    assert min(quick, slow) > 100


def test_playout_from_the_first_tile_ends_the_game():
    rng = random.Random(9)
    assert {Perfect(limit=40).initial().playout(rng) for _ in range(10)} <= set(Outcome)


@settings(max_examples=10)
@given(seed=SEEDS)
def test_evaluation_is_between_minus_one_and_one(seed):
    for _, position in random_game(Perfect(limit=80), seed):
        assert -1.0 <= position.evaluation() <= 1.0


def test_evaluation_of_the_start_is_even():
    assert Perfect().initial().evaluation() == 0
    assert tiled_at_random(1).evaluation() == 0


def test_evaluation_prefers_men_far_ahead():
    far = """
        . . . . . . . . . .
        . . . . . . . r . .
        . . . . . . r . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """
    assert race(far, "red").evaluation() > 0.1
    assert race(far, "blue").evaluation() < -0.1


@pytest.mark.long
def test_best_evaluated_move_beats_random_play():
    for seed in range(4):
        position, rng, greedy = (
            Perfect(limit=120).initial(),
            random.Random(seed),
            list(Side)[seed % 2],
        )
        while position.outcome() is None:
            here = position
            position = here.play(
                min(here.legal_moves(), key=lambda move: here.play(move).evaluation())
                if here.side_to_move is greedy
                else here.random_move(rng)
            )
        assert position.outcome() == greedy.value


def test_listing_does_no_needless_work_among_the_most_jumps():
    # Men on every second square of every second rank: the longest series there are.
    lattice = squares(" ".join(f"{file}{rank}" for file in "bdfh" for rank in (2, 4, 6, 8)))
    own, enemy = lattice & ~squares("b2 d2 f2 h2 b4 d4"), lattice & squares("b2 d2 f2 h2 b4 d4")
    field = MenBoard(own=own | squares("e5"), enemy=enemy, home=0, shelter=BOARD, neutral=0)
    turns = field.series(squares("e5"))
    assert 100 < len(turns) < 5_000
    assert calls(lambda: field.series(squares("e5"))) < 20 * len(turns)


def test_key_names_every_option():
    assert Perfect().key == "perfect(first=red,limit=400)"
    assert Perfect.from_options({"limit": "50", "first": "blue"}) == Perfect(Colour.BLUE, 50)
    assert Perfect(Colour.BLUE, 50).key == "perfect(first=blue,limit=50)"
    assert Perfect.from_options({}) == Perfect()
    assert list(Perfect().options) == [option.name for option in OPTIONS]
    assert Perfect().goals == ()


def test_menu_and_defaults_are_accepted_values():
    for option in OPTIONS:
        assert option.default in option.menu
        assert all(map(option.accepts, option.menu))


@pytest.mark.parametrize(
    "options",
    [
        {"first": "green"},
        {"first": ""},
        {"limit": "0"},
        {"limit": "2001"},
        {"limit": "0400"},
        {"limit": "-1"},
        {"limit": "\u0664"},
        {"size": "10"},
        {"limit": "9" * 10_000},
    ],
    ids=range(9),
)
def test_unknown_option_or_value_is_refused(options):
    with pytest.raises(UnknownOptionError, match="perfect"):
        Perfect.from_options(options)


@pytest.mark.parametrize("limit", [0, 2_001])
def test_limit_outside_the_range_is_refused(limit):
    with pytest.raises(UnknownOptionError):
        Perfect(limit=limit)


def test_seed_changes_nothing():
    assert Perfect().initial(seed=7) == Perfect().initial() == Perfect().start("")
    assert Perfect().setup_text(Perfect().initial()) == ""


@pytest.mark.parametrize("setup", [{"ring": "BW"}, {"seed": "x"}, {"seed": 1, "hand": 2}])
def test_set_up_other_than_a_seed_is_refused(setup):
    with pytest.raises(BadSetupError):
        Perfect().initial(**setup)


def test_set_up_text_other_than_none_is_refused():
    with pytest.raises(BadSetupError):
        Perfect().start("ring=BW")
