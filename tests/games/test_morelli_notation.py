"""Morelli as text: moves (section 10, D-M25), positions, and the spellings accepted on input."""

from __future__ import annotations

import pytest

import games
from games.morelli.notation import parse_move
from tests.games.morelli_drawing import pieces
from tests.work import calls


@pytest.mark.parametrize(
    ("text", "start", "end", "captured", "is_enthroning"),
    [
        ("B1-H7", "B1", "H7", (), False),
        ("K3-K5 xJ5", "K3", "K5", ("J5",), False),
        ("D12-G9 xF8H8", "D12", "G9", ("F8", "H8"), False),
        ("L10-K9*", "L10", "K9", (), True),
        ("C4-C6 xD6*", "C4", "C6", ("D6",), True),
        ("A1-B2*//", "A1", "B2", (), True),
        ("AE31-AD30 xAC29AC30", "AE31", "AD30", ("AC29", "AC30"), False),
        ("A11-B11 xA1A11A12", "A11", "B11", ("A1", "A11", "A12"), False),
    ],
)
def test_sample_moves_of_section_10_are_read(text, start, end, captured, is_enthroning):
    written = parse_move(text)
    assert written is not None
    assert (written.start, written.end, written.captured) == (start, end, captured)
    assert written.is_enthroning is is_enthroning


@pytest.mark.parametrize(
    "text",
    [
        "b1-h7", "B1 - H7", "B1-H7 ", " B1-H7", "B1-H7 x", "B1-H7xF8", "B1-H7 xF8,H8", "B1-H7 F8", "B01-H7", "B0-H7",
        "B32-H7", "AF1-H7", "B1-H7/", "B1-H7//*", "B1-H7**", "B1H7", "B1-H7 xF8 *", "B1-H7\n", "B1\u2013H7", "\u03921-H7",
        "B1-H7 x" + "F8" * 9, "agree//", "@B1//",
    ],
)  # fmt: skip
def test_what_is_no_move_is_refused_as_notation(text):
    with pytest.raises(games.IllegalMoveError) as caught:
        pieces(black="B1").play(text)
    assert caught.value.rule == "morelli-2015/notation"


@pytest.mark.parametrize("text", ["E3-E4 xD5*", "E3-E4 xD5*//", "E3-E4", "E3-E4//"])
def test_d_m25_revised_edition_derives_effects_left_out_altogether(text):
    position = pieces(black="E3 E10 J9 I4 C6", white="D5")
    assert position.canonical(text) == "E3-E4 xD5*"
    assert position.play(text) == position.play("E3-E4 xD5*")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("E3-E4", "E3-E4"),
        ("E3-E4//", "E3-E4"),
        ("E3-E4 xD5//", "E3-E4 xD5"),
        ("E3-E4 xD5*", "E3-E4 xD5*"),
    ],
)
def test_original_edition_takes_a_move_at_its_word(text, canonical):
    position = pieces(black="E3 E10 J9 I4 C6", white="D5", edition="original")
    assert position.canonical(text) == canonical


@pytest.mark.parametrize("named", ["J6I7", "I7I7J6", "I7J6J6"])
def test_captured_cells_are_sorted_and_named_once(named):
    with pytest.raises(games.IllegalMoveError) as caught:
        pieces(black="D1 I8 K6", white="I7 J6").play(f"D1-I6 x{named}")
    assert caught.value.rule == "morelli-2015/notation"


def test_terminal_mark_is_never_listed():
    position = pieces(black="A1", white="G8")
    assert not any("//" in move for move in position.legal_moves())


def test_move_path_is_from_and_to():
    ruleset = games.load("morelli")
    assert ruleset.move_path("D12-G9 xF8H8*") == ("D12", "G9")
    assert ruleset.move_path("@A5") == ("A5",)


RING = "ring=BBBBBBBB"
START = f"bbbbw/b3w/b3w/b3w/bwwww b - play 0 - {RING}"


def test_start_is_written_as_expected():
    assert games.load("morelli(size=5)").initial(ring="BBBBBBBB").text() == START


@pytest.mark.parametrize(
    "line",
    [
        START.replace(" b - play", " w - play"),
        START.replace(" - play 0", " b play 0"),
        START.replace("play 0", "play 2"),
        START.replace("play 0", "play 00"),
        START.replace("play 0", "placement 0"),
        START.replace("b3w/b3w/b3w", "b3w/b111w/b3w"),
        START.replace("b3w/b3w/b3w", "b3w/b1b1w/b3w"),
        START.replace("b3w/b3w/b3w", "b3w/b4w/b3w"),
        START.replace("b3w/b3w/b3w", "b3w/b3w"),
        START.replace("b3w/b3w/b3w", "b3w/w3b/b3w"),
        START.replace("ring=BBBBBBBB", "ring=BBBBBBBW"),
        START.replace("ring=BBBBBBBB", "-"),
        START.replace("ring=BBBBBBBB", "mode=free"),
        START + " ",
        START.replace(" - ring", "  - ring"),
        START.replace("b3w/b3w/b3w", "b3w/b1w1w/b3w"),
        "5/5/5/5/5 b - play 0 - " + RING,
        "9" * 4000,
        START.replace("play 0", "play 9999"),
    ],
)
def test_text_no_game_leads_to_is_refused(line):
    with pytest.raises(games.BadPositionError):
        games.load("morelli(size=5)").parse(line)


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("morelli(size=5,setup=placement)", "b4/5/5/5/4w w - placement 1 - -"),
        ("morelli(size=5,setup=placement)", "bbbbw/b3w/b3w/b3w/bwwww b - play 8 - -"),
        ("morelli(edition=original,size=5,setup=free)", "b4/5/5/5/5 w - placement 1 - -"),
        ("morelli(edition=original,size=5,setup=free)", "b4/5/5/5/5 w - placement 2 agreed -"),
    ],
)
def test_placement_positions_read_back(key, line):
    assert games.load(key).parse(line).text() == line


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("morelli(size=5,setup=placement)", "b4/5/5/5/5 w - placement 1 - -"),
        ("morelli(size=5,setup=placement)", "b4/5/5/5/4w b - placement 1 - -"),
        ("morelli(size=5,setup=placement)", "b4/5/5/5/4w w b placement 1 - -"),
        ("morelli(size=5,setup=placement)", "5/1b3/5/3w1/5 w - placement 1 - -"),
        ("morelli(edition=original,size=5,setup=free)", "w4/5/5/5/5 w - placement 1 - -"),
        pytest.param(
            "morelli(size=5,setup=placement)",
            "wbbbb/b3w/b3w/b3w/bwwww b - play 8 - -",
            id="placed, though A5 has the colour of E1",
        ),
    ],
)
def test_placement_positions_no_game_leads_to_are_refused(key, line):
    with pytest.raises(games.BadPositionError):
        games.load(key).parse(line)


@pytest.mark.parametrize("size", [13, 31])
def test_one_move_is_checked_without_listing_all(size):
    ruleset = games.load(f"morelli(size={size})")
    listing = calls(ruleset.initial(seed=1).legal_moves)
    position = ruleset.initial(seed=1)
    move = ruleset.initial(seed=1).legal_moves()[0]
    assert 20 * calls(lambda: position.play(move)) < listing
