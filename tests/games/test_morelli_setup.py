"""Morelli before the first move: rings, placements, modes and ballots."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.morelli.board import board
from tests.games.morelli_drawing import colour_on

SIZES = [5, 7, 9, 11, 13]
FIRST_MOVES = {5: 32, 7: 96, 9: 192, 11: 320, 13: 480, 31: 3360}
LONGEST = {5: 8, 7: 32, 9: 64, 11: 112, 13: 176, 31: 1360}


def start(key, **setup):
    return games.load(key).initial(**setup)


def ring_of(position):
    table = board(position.ruleset.size)
    letters = {cell.name: (cell.piece or "-")[0].upper() for cell in position.cells()}
    return "".join(letters[table.names[cell]] for cell in table.ring)


def cells(colour, position):
    return {cell.name for cell in position.cells() if cell.piece == colour}


def names(*runs):
    """Cells of runs such as `A1-L1` along a file or a rank."""
    rings = set()
    for run in runs:
        (file_1, rank_1), (file_2, rank_2) = ((ord(end[0]), int(end[1:])) for end in run.split("-"))
        rings |= {
            f"{chr(file)}{rank}"
            for file in range(file_1, file_2 + 1)
            for rank in range(rank_1, rank_2 + 1)
        }
    return rings


def test_facing_is_fig_2():
    position = start("morelli(edition=original)")
    assert cells("black", position) == names("A1-L1", "B13-M13")
    assert cells("white", position) == names("A2-A13", "M1-M12")


def test_adjacent_is_fig_3():
    position = start("morelli(edition=original,setup=adjacent)")
    assert cells("black", position) == names("A1-A13", "B1-L1")
    assert cells("white", position) == names("M1-M13", "B13-L13")


@pytest.mark.parametrize("setup", ["facing", "adjacent"])
def test_2_3_m1_is_white(setup):
    assert colour_on(start(f"morelli(edition=original,setup={setup})"), "M1") == "white"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(5))
def test_2_2_random_ring_has_opposite_colours_opposite(size, seed):
    ring = ring_of(start(f"morelli(size={size})", seed=seed))
    half = len(ring) // 2
    assert all(a != b for a, b in zip(ring[:half], ring[half:], strict=True))


@pytest.mark.parametrize("size", [5, 7])
def test_2_2_number_of_set_ups_up_to_symmetry_is_a_power_of_two_over_eight(size):
    half, side = 2 * (size - 1), size - 1
    full_mask = (1 << half) - 1

    def images(bits):
        ring = bits | (bits ^ full_mask) << half
        letters = [ring >> k & 1 for k in range(2 * half)]
        for shift in range(0, 2 * half, side):
            turned = letters[shift:] + letters[:shift]
            mirrored = [turned[-k] for k in range(2 * half)]
            for image in (turned, mirrored):
                yield sum(bit << k for k, bit in enumerate(image[:half]))

    if size == 5:
        classes = {min(images(bits)) for bits in range(1 << half)}
        assert len(classes) == 2**half // 8
    # No symmetry but the identity fixes an antipodal colouring, so every class has eight members.
    for bits in range(0, 1 << half, 1 if size == 5 else 7):
        assert len(set(images(bits))) == 8


@pytest.mark.parametrize("size", [*SIZES, 31])
def test_first_moves_from_a_full_outer_band(size):
    keys = [f"morelli(size={size})", f"morelli(edition=original,size={size})"]
    keys.append(f"morelli(edition=original,size={size},setup=adjacent)")
    for key in keys:
        position = start(key, seed=3)
        assert len(position.legal_moves()) == FIRST_MOVES[size] == 4 * (size - 1) * (size - 3)


@pytest.mark.parametrize("size", [*SIZES, 31])
def test_d_m24_longest_game(size):
    ruleset = games.load(f"morelli(size={size})")
    assert ruleset.max_plies == LONGEST[size]
    assert games.load(f"morelli(size={size},setup=placement)").max_plies == LONGEST[size] + 2 * (
        size - 1
    )


@pytest.mark.parametrize(("size", "count"), [(7, 6), (9, 12), (11, 20), (13, 30)])
def test_frames_a_game_can_complete(size, count):
    table = board(size)
    assert len(table.inner_frames) == count
    assert all(frame.bit_count() == 4 for frame in table.inner_frames)
    named = {games.morelli.frame_name(name, size=size) for name in table.names} - {None}
    outermost = {games.morelli.frame_name(table.names[cell], size=size) for cell in table.ring}
    assert len(named - outermost) == count


FIG_11_RANK_12 = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "1"]
FIG_11_RANK_7 = ["6", "5", "4", "3", "2", "-", "2", "3", "4", "5", "6"]
FIG_11_RANK_2 = ["1", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]


@pytest.mark.parametrize(
    ("rank", "numbers"), [(12, FIG_11_RANK_12), (7, FIG_11_RANK_7), (2, FIG_11_RANK_2)]
)
def test_10_2_frames_are_numbered_as_in_fig_11(rank, numbers):
    for file, number in zip("BCDEFGHIJKL", numbers, strict=True):
        name = games.morelli.frame_name(f"{file}{rank}", size=13)
        assert (name or "-").split()[-1] == number


def test_10_2_f12_belongs_to_orange_5():
    assert games.morelli.frame_name("F12", size=13) == "Orange 5"
    assert games.morelli.frame_name("G7", size=13) is None


def test_d_m21_bands_are_coloured_from_the_centre():
    assert [games.morelli.band_name(k) for k in (0, 3, 6, 7)] == [
        "Violet",
        "Green",
        "Red",
        "Band 7",
    ]
    corner = {cell.name: cell for cell in start("morelli(size=7)", seed=1).cells()}["A1"]
    assert corner.ground == "band-3"


def test_d_m22_files_go_on_with_aa_after_z():
    position = start("morelli(size=31)", seed=1)
    assert {"Z1", "AA1", "AE31"} <= {cell.name for cell in position.cells()}
    assert "AF1" not in {cell.name for cell in position.cells()}


# Placement


def placing_sides(position):
    sides = []
    while position.phase == "placement":
        sides.append(position.colour_of(position.side_to_move)[0].upper())
        position = position.play(position.legal_moves()[0])
    return "".join(sides), position


@pytest.mark.parametrize("size", [5, 7, 13])
@pytest.mark.parametrize(
    ("key", "plies_per_side"),
    [("morelli(setup=placement,size={})", 2), ("morelli(edition=original,setup=free,size={})", 4)],
    ids=["revised placement", "original free"],
)
def test_d_m17_players_place_one_then_two_each_then_one(size, key, plies_per_side):
    sides, position = placing_sides(start(key.format(size)))
    assert len(sides) == plies_per_side * (size - 1)
    middle = ["W" if k % 2 == 0 else "B" for k in range((len(sides) - 2) // 2)]
    assert sides == "B" + "".join(letter * 2 for letter in middle) + "B"
    assert position.phase == "play"
    assert position.colour_of(position.side_to_move) == "black"
    assert len(cells("black", position)) == len(cells("white", position)) == 2 * (size - 1)


def test_2_3_2_placement_puts_a_black_and_a_white_piece_opposite_each_other():
    position = start("morelli(setup=placement)").play("@A5")
    assert cells("black", position) == {"A5"}
    assert cells("white", position) == {"M9"}


def test_d_m18_either_player_chooses_the_orientation_of_his_pairs():
    position = start("morelli(setup=placement)").play("@A5")
    assert position.colour_of(position.side_to_move) == "white"
    assert cells("black", position.play("@M1")) == {"A5", "M1"}


def test_2_6_free_placement_is_of_ones_own_colour():
    position = start("morelli(edition=original,setup=free)").play("@A5").play("@A6").play("@C1")
    assert cells("black", position) == {"A5"}
    assert cells("white", position) == {"A6", "C1"}


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("@A5", "2.3"),
        ("@M9", "2.3"),
        ("@B2", "2.3"),
        ("@G7", "2.3"),
        ("A5-B5", "2.3"),
        ("@N1", "notation"),
        ("A6", "notation"),
    ],
)
def test_placement_refuses_what_is_not_a_vacant_outer_cell(move, rule):
    position = start("morelli(setup=placement)").play("@A5")
    with pytest.raises(games.IllegalMoveError) as caught:
        position.play(move)
    assert caught.value.rule == f"morelli-2015/{rule}"


def test_5_3_no_frame_or_capture_arises_from_placing():
    position = start("morelli(edition=original,setup=free,size=5)")
    for move in [
        "@A1",
        "@A2",
        "@B1",
        "@A3",
        "@A4",
        "@C1",
        "@D1",
        "@A5",
        "@B5",
        "@E1",
        "@E2",
        "@C5",
        "@D5",
        "@E3",
        "@E4",
    ]:
        position = position.play(move)
    assert position.throne is None
    assert colour_on(position, "A2") == "white"


def test_agreement_in_the_placement_phase_is_a_draw():
    assert start("morelli(setup=placement)").play("agree").outcome() is games.Outcome.DRAW


# The ballot


@pytest.mark.parametrize(
    ("mine", "yours"), list(itertools.product(["facing", "adjacent", "free"], repeat=2))
)
def test_2_5_ballot_settles_the_mode(mine, yours):
    ruleset = games.load("morelli(edition=original,setup=ballot)")
    position = ruleset.initial(votes=f"{mine}/{yours}")
    (third,) = {"facing", "adjacent", "free"} - {mine, yours} if mine != yours else {mine}
    assert ruleset.setup_text(position) == f"votes={mine}/{yours}"
    assert ruleset.start(f"votes={mine}/{yours}") == position
    assert ruleset.parse(position.text()) == position
    assert ruleset.start(f"mode={third}").cells() == position.cells()
    assert position.phase == ("placement" if third == "free" else "play")


# Rings and arguments


@pytest.mark.parametrize("setup", ["random", "placement", "ring"])
def test_half_ring_and_full_ring_give_the_same_start(setup):
    ruleset = games.load(f"morelli(size=7,setup={setup})")
    half = ruleset.initial(ring="BWWBBBWWWWBB")
    assert half == ruleset.initial(ring="BWWBBBWWWWBB" + "WBBWWWBBBBWW")
    assert ruleset.setup_text(half) == "ring=BWWBBBWWWWBB"
    assert half.phase == "play"


def test_ring_runs_clockwise_from_a1():
    position = start("morelli(edition=original,size=5,setup=ring)", ring="BWWWBWWWBBBBWBBW")
    assert cells("black", position) == {"A1", "A5", "E5", "E4", "E3", "E2", "D1", "C1"}


@given(half=st.text("BW", min_size=16, max_size=16))
def test_any_half_ring_reads_back(half):
    ruleset = games.load("morelli(size=9)")
    position = ruleset.initial(ring=half)
    assert ring_of(position)[:16] == half
    assert ruleset.parse(position.text()) == position


@pytest.mark.parametrize(
    ("key", "setup"),
    [
        ("morelli(size=7)", {"ring": "BW"}),
        ("morelli(size=7)", {"ring": "B" * 24}),
        ("morelli(size=7)", {"ring": "b" * 12}),
        ("morelli(size=7)", {"ring": 10**5000}),
        ("morelli(size=7)", {"ring": "BBBBBBBBBBBB", "mode": "free"}),
        ("morelli(size=7)", {"votes": "free/free"}),
        ("morelli(size=7)", {"seed": True}),
        ("morelli(size=7)", {"seed": 1.5}),
        ("morelli(size=7)", {"seed": "²"}),
        ("morelli(size=7,setup=ring)", {}),
        ("morelli(edition=original,size=7)", {"ring": "BBBBBBBBBBBBWWWWWWWWWWWW"}),
        ("morelli(edition=original,size=7,setup=ring)", {"ring": "BBBBBBBBBBBB"}),
        ("morelli(edition=original,size=7,setup=ring)", {"ring": "B" * 24}),
        ("morelli(edition=original,setup=ballot)", {}),
        ("morelli(edition=original,setup=ballot)", {"votes": "facing"}),
        ("morelli(edition=original,setup=ballot)", {"votes": "facing/ring"}),
        ("morelli(edition=original,setup=ballot)", {"mode": "facing", "votes": "free/free"}),
        ("morelli(edition=original,setup=ballot)", {"mode": "ring"}),
    ],
)
def test_set_up_that_does_not_fit_is_refused(key, setup):
    with pytest.raises(games.BadSetupError):
        start(key, **setup)


@pytest.mark.parametrize(
    "text", ["ring", "ring=", "=BW", "ring=BBBBBBBBBBBB,ring=BBBBBBBBBBBB", ",", "x=1"]
)
def test_set_up_text_of_another_form_is_refused(text):
    with pytest.raises(games.BadSetupError):
        games.load("morelli(size=7)").start(text)


def test_2_2_each_random_half_ring_is_equally_likely():
    counts = Counter(
        ring_of(start("morelli(size=5)", seed=seed))[:8].count("W") for seed in range(400)
    )
    # Eight coins: three standard deviations of the mean, and both ends of the distribution.
    assert abs(sum(count * times for count, times in counts.items()) / 400 - 4) < 0.22
    assert {1, 2, 6, 7} <= set(counts)


def test_random_rings_of_the_original_edition_differ_and_are_balanced():
    key = "morelli(size=7,edition=original,setup=ring)"
    rings = {ring_of(start(key, seed=seed)) for seed in range(20)}
    assert len(rings) > 15
    assert all(ring.count("B") == ring.count("W") for ring in rings)
