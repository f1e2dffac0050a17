"""Morelli: moving, capturing, frames, the Throne and the end.

The figures of the rule sheets are rebuilt from their text.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import games
from games.morelli import MorelliPosition
from games.morelli.board import board
from tests.games.morelli_drawing import colour_on, drawn, pieces, refused
from tests.games.morelli_oracle import Oracle

# D1 may take B4 from B3, E3 from D2, and six pieces from I6.
FIG_3: dict[str, Any] = {"black": "D1 B5 F4 I8 K8 K6 K4 I4 G8", "white": "B4 E3 I7 J7 J6 J5 I5 H7"}


def targets(position, start):
    """Return the cells that the piece on `start` may reach, in order of the notation."""
    moves = [re.split(r"[-* ]", move) for move in position.legal_moves()]
    return {move[1] for move in moves if move[0] == start}


# Moving: section 4 of both editions


def test_fig_2_piece_at_a5_moves_inwards_only():
    position = pieces(white="A5", to_move="white")
    along_the_rank = {f"{file}5" for file in "BCDEFGHIJKL"}
    upwards = {"B6", "C7", "D8", "E9", "F10", "G11", "H12"}
    downwards = {"B4", "C3", "D2"}
    assert targets(position, "A5") == along_the_rank | upwards | downwards
    assert len(position.legal_moves()) == 21


@pytest.mark.parametrize("end", ["I13", "M5", "E1", "A1", "A6", "A13"])
def test_4_2_1_move_must_land_on_an_inner_band(end):
    assert refused(pieces(white="A5", to_move="white"), f"A5-{end}") == "morelli-2015/4.2.1"


@pytest.mark.parametrize("move", ["K3-K5 xJ5", "C4-C6 xD6*"])
@pytest.mark.parametrize(
    ("edition", "rule"), [("revised", "morelli-2015/4.2.1"), ("original", "morelli-original/4.2.1")]
)
def test_sample_moves_of_section_10_that_stay_on_their_band_are_illegal(move, edition, rule):
    position = pieces(black="K3 I5 C4 E6", white="J5 D6", edition=edition)
    assert refused(position, move) == rule


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("B9-C9", "4.1"),  # a hostile piece
        ("C3-D4", "4.1"),  # an empty cell
        ("A1-B3", "4.2"),  # not on a line
        ("A1-A1", "4.2"),
        ("A1-B1", "4.2.1"),
        ("A3-B4", "4.2.2"),  # onto a friend
        ("A3-C5", "4.2.2"),  # through a friend
        ("A9-B9", "4.2.2"),  # onto a foe
        ("A9-D9", "4.2.2"),  # through a foe
        ("A7-G7", "4.2.4"),  # onto the Throne
        ("A1-N14", "notation"),
        ("@B2", "2.3"),
    ],
)
def test_refusal_names_its_paragraph(move, rule):
    position = pieces(black="A1 A3 B4 A7 A9", white="B9")
    assert refused(position, move) == f"morelli-2015/{rule}"


def test_4_2_3_vacant_throne_may_be_crossed():
    assert "J7" in targets(pieces(black="A7"), "A7")


@pytest.mark.parametrize("king", ["black", "white"])
def test_4_2_3_occupied_throne_may_not_be_crossed(king):
    position = pieces(black="A7", king=king)
    assert targets(position, "A7") >= {"B7", "F7"}
    assert "H7" not in targets(position, "A7")
    assert refused(position, "A7-H7") == "morelli-2015/4.2.3"


def test_4_2_4_nobody_lands_on_the_throne():
    assert "G7" not in targets(pieces(black="A7 G1 A1"), "A7")


# Capturing: section 5 / 6


@pytest.mark.parametrize(
    ("end", "captured"),
    [("B3", ["B4"]), ("D2", ["E3"]), ("I6", ["H7", "I5", "I7", "J5", "J6", "J7"])],
    ids=["one", "another", "six at one fell swoop"],
)
def test_fig_3_piece_at_d1_captures(end, captured):
    position = pieces(**FIG_3)
    move = f"D1-{end} x{''.join(captured)}"
    assert move in position.legal_moves()
    after = position.play(move)
    assert {colour_on(after, name) for name in captured} == {"black"}


def test_5_3_2_piece_may_be_inserted_between_hostile_pieces():
    position = pieces(white="E3", black="D10 F10 D9 F11 E11", to_move="white")
    after = position.play("E3-E10")
    assert colour_on(after, "E10") == "white"
    assert colour_on(after, "E11") == "black"


def test_fig_4_captured_piece_does_not_capture():
    position = pieces(white="G11 J6 L9", black="J7 K8", to_move="white")
    assert "G11-J8 xJ7" in position.legal_moves()
    after = position.play("G11-J8 xJ7")
    assert colour_on(after, "J7") == "white"
    assert colour_on(after, "K8") == "black"


@pytest.mark.parametrize(
    ("edition", "rule"), [("revised", "morelli-2015/5.6"), ("original", "morelli-original/6.7")]
)
def test_ripple_rule_refuses_the_secondary_capture_by_name(edition, rule):
    position = pieces(white="G11 J6 L9", black="J7 K8", to_move="white", edition=edition)
    assert refused(position, "G11-J8 xJ7K8") == rule


def test_5_5_all_captures_must_be_named():
    position = pieces(black="D1 I8 K6", white="I7 J6")
    assert position.legal_moves().count("D1-I6 xI7J6") == 1
    assert refused(position, "D1-I6 xI7") == "morelli-2015/5.5"


@pytest.mark.parametrize(
    ("named", "rule"),
    [("J7", "5.1"), ("I7J7", "5.1"), ("K6", "5.1"), ("I6", "5.1"), ("I5", "5.1"), ("H1", "5.3.1")],
)
def test_5_1_what_is_not_flanked_cannot_be_named(named, rule):
    position = pieces(black="D1 I8 K6", white="I7 J6 J7 I5 H1")
    assert refused(position, f"D1-I6 x{named}") == f"morelli-2015/{rule}"


def test_d_m12_king_neither_flanks_nor_is_captured():
    behind_the_victim = pieces(black="A7", white="F7", king="black")
    assert "A7-E7" in behind_the_victim.legal_moves()
    between_two_pieces = pieces(black="A7 H7", king="white")
    assert "A7-F7" in between_two_pieces.legal_moves()
    assert between_two_pieces.play("A7-F7").throne is games.Side.SECOND


def test_d_m13_nothing_is_captured_across_the_vacant_throne():
    assert "A7-F7" in pieces(black="A7 I7", white="H7").legal_moves()


@pytest.mark.parametrize("size", [5, 7, 9, 13])
def test_d_m14_no_capture_reaches_the_outermost_band(size):
    table = board(size)
    for cell, brackets in enumerate(table.brackets):
        if table.depth[cell] < table.centre:
            assert not any(bracket.victim & table.outer for bracket in brackets)


# Frames and the Throne: sections 6, 7 / 5


FIG_5_BLACK: dict[str, Any] = {"black": "E3 D10 J10 J4 E10 J9 I4 C6", "white": "D5"}


def test_fig_5_move_e3_d4_completes_a_green_frame_at_its_corners():
    assert "E3-D4*" in pieces(**FIG_5_BLACK).legal_moves()


def test_fig_5_move_e3_e4_completes_a_green_frame_by_capture():
    position = pieces(**FIG_5_BLACK)
    assert "E3-E4 xD5*" in position.legal_moves()
    assert colour_on(position.play("E3-E4 xD5*"), "G7") == "black-king"


def test_fig_5_move_b7_f7_conjures_an_indigo_frame_out_of_three_corners():
    position = pieces(white="B7 H7 H9 H5", black="G8 G6", to_move="white")
    assert "B7-F7 xG6G8*" in position.legal_moves()


def test_7_1_enthroning_evicts_the_other_king():
    position = pieces(black="E3 D10 J10 J4", white="M1", king="white")
    after = position.play("E3-D4*")
    assert after.throne is games.Side.FIRST
    assert colour_on(after, "G7") == "black-king"


@pytest.mark.parametrize(
    ("position", "move", "rule"),
    [
        (pieces(**FIG_5_BLACK), "E3-E4 xD5", "7.1"),
        (pieces(black="E3"), "E3-D4*", "7.1"),
        (pieces(black="E3 D10 J10 J4 D4"), "E3-F4*", "6.3"),
        (pieces(black="E3 D10 J10 J4", king="black"), "E3-D4*", "7.2"),
        (pieces(**FIG_5_BLACK), "E3-E4*", "5.5"),
    ],
    ids=[
        "named without its frame",
        "no frame",
        "standing frame",
        "already enthroned",
        "without its capture",
    ],
)
def test_star_must_be_named_exactly_when_the_throne_changes(position, move, rule):
    assert refused(position, move) == f"morelli-2015/{rule}"


def test_d_m5_standing_frame_gives_nothing():
    position = pieces(black="A1 D4 D10 J10 J4")
    assert "A1-B2" in position.legal_moves()
    assert not any(move.startswith("A1-") and move.endswith("*") for move in position.legal_moves())


def test_d_m6_frame_is_looked_for_after_the_captures():
    # Only with D5 converted do D5, E10, J9, I4 belong to Black.
    assert "E3-E4 xD5*" in pieces(**FIG_5_BLACK).legal_moves()
    assert "E3-E4" not in pieces(**FIG_5_BLACK).legal_moves()


def test_d_m7_frame_changes_nothing_while_the_own_king_sits_there():
    position = pieces(black="E3 D10 J10 J4", king="black")
    assert "E3-D4" in position.legal_moves()
    assert position.play("E3-D4").throne is games.Side.FIRST


def test_d_m15_leaving_a_frame_does_not_vacate_the_throne():
    position = pieces(black="D4 D10 J10 J4 A1", white="M13", king="black")
    assert position.play("D4-E5").throne is games.Side.FIRST


# The original edition: choices


def test_d_m8_any_subset_of_the_captures_may_be_made():
    position = pieces(black="D1 I8 K6", white="I7 J6", edition="original")
    moves = [move for move in position.legal_moves() if move.startswith("D1-I6")]
    assert moves == ["D1-I6", "D1-I6 xI7", "D1-I6 xI7J6", "D1-I6 xJ6"]
    after = position.play("D1-I6 xJ6")
    assert (colour_on(after, "I7"), colour_on(after, "J6")) == ("white", "black")


def test_d_m9_frame_that_needs_a_capture_needs_it_named():
    position = pieces(**FIG_5_BLACK, edition="original")
    moves = [move for move in position.legal_moves() if move.startswith("E3-E4")]
    assert moves == ["E3-E4", "E3-E4 xD5", "E3-E4 xD5*"]
    assert refused(position, "E3-E4*") == "morelli-original/5.1"


def test_d_m9_centre_may_be_occupied_without_capturing():
    position = pieces(black="E3 D10 J10 J4 D6", white="D5", edition="original")
    moves = [move for move in position.legal_moves() if move.startswith("E3-D4")]
    assert moves == ["E3-D4", "E3-D4 xD5", "E3-D4 xD5*", "E3-D4*"]


def test_5_4_refused_occupation_leaves_the_centre_as_it_was():
    position = pieces(black="E3 D10 J10 J4", edition="original")
    assert position.play("E3-D4").throne is None
    assert position.play("E3-D4*").throne is games.Side.FIRST


def test_d_m10_refused_frame_cannot_be_used_later():
    position = (
        pieces(black="E3 D10 J10 J4 A1", white="M13", edition="original")
        .play("E3-D4")
        .play("M13-L12")
    )
    assert refused(position, "A1-B2*") == "morelli-original/5.2"
    assert "A1-B2" in position.legal_moves()


def test_d_m7_tower_already_there_gives_no_star_in_the_original_edition():
    position = pieces(black="E3 D10 J10 J4", king="black", edition="original")
    assert refused(position, "E3-D4*") == "morelli-original/D-M7"


# The whole of it, against the oracle


def pieces_of(position):
    names = {cell.name: cell for cell in position.cells()}
    return {
        (cell.column, cell.row): cell.piece
        for cell in names.values()
        if cell.piece in {"black", "white"}
    }


@pytest.mark.long
@pytest.mark.parametrize("edition", ["revised", "original"])
@pytest.mark.parametrize("size", [5, 7, 9, 11])
@pytest.mark.part(0.3)
def test_legal_moves_agree_with_the_oracle(edition, size):
    rng = random.Random(size)
    for seed in range(8):
        position = games.load(f"morelli(edition={edition},size={size},setup=ring)").initial(
            seed=seed
        )
        while position.outcome() is None:
            assert isinstance(position, MorelliPosition)
            throne = None if position.throne is None else position.colour_of(position.throne)
            colour = position.colour_of(position.side_to_move)
            oracle = Oracle(
                size, pieces_of(position), throne, colour, is_revised=edition == "revised"
            )
            assert position.legal_moves() == oracle.moves()
            position = position.play(position.random_move(rng))


@pytest.mark.parametrize("edition", ["revised", "original"])
def test_random_move_chooses_each_listed_move_equally_often(edition):
    # Late in a game there are few moves, some with captures: 200 draws a move, five standard
    # deviations allowed.
    rng = random.Random(3)
    position = games.load(f"morelli(edition={edition},size=7,setup=ring)").initial(seed=4)
    while len(position.legal_moves()) > 25:
        position = position.play(position.random_move(rng))
    moves = position.legal_moves()
    drawn_moves = [position.random_move(rng) for _ in range(200 * len(moves))]
    for move in moves:
        assert abs(drawn_moves.count(move) - 200) < 5 * 200**0.5


def test_drawing_of_a_small_board_reads_as_drawn():
    position = drawn(
        """
        b.w.b
        .....
        w.B.w
        .....
        b.w.b
        """
    )
    assert colour_on(position, "C3") == "black-king"
    assert colour_on(position, "C5") == "white"
    assert position.legal_moves()[0] == "A1-B2"
