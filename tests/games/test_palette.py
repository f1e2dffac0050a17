"""The colours of the boards, measured: docs/explanation/board-colours.md states these figures and is held to them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from games.palette import DARK_INK, PAINTS, PALETTES
from tests import colours

DOCUMENT = (Path(__file__).parents[2] / "docs/explanation/board-colours.md").read_text()
EYES = ("", *colours.DEFICIENCIES)
# Light falls on a ground from the upper left (svg_defs's sheen): its brightest and its darkest spot.
LIGHTS = (("#ffffff", 0.0), ("#ffffff", 0.26), ("#000000", 0.16))
MEN = ("red", "blue")


def grounds(palette):
    """Return every ground of a piece, by name."""
    bands = {f"band {depth}": palette.band(depth) for depth in range(16)}
    return bands | dict(palette.tiles) | dict(palette.neutrals) | dict(palette.plain)


def parting(name):
    """Return the colours of a piece of which one must be visible: body, rim, casing of a man."""
    paint = PAINTS[name]
    return (paint.fill, paint.rim, DARK_INK) if name in MEN else (paint.fill, paint.rim)


def least_contrast(palette):
    """Return the lowest contrast of a piece, over all grounds and kinds of sight."""
    return min(
        max(colours.contrast(colours.mixed(ground, light, share), ink) for ink in parting(name))
        for ground in grounds(palette).values()
        for light, share in LIGHTS
        for name in PAINTS
    )


def least_difference(palette_colours, eye, *, pairs=itertools.combinations):
    """Return the smallest CIEDE2000 between two of the colours, as this eye sees them."""
    seen = [colours.lab(colours.seen(colour, eye)) for colour in palette_colours]
    chosen = pairs(seen) if pairs is itertools.pairwise else pairs(seen, 2)
    return min(colours.difference(first, second) for first, second in chosen)


def bands(palette):
    return [palette.band(depth) for depth in range(16)]


def tiles(palette):
    return [*palette.tiles.values(), *palette.neutrals.values()]


@pytest.mark.parametrize("name", PALETTES)
def test_every_piece_stands_out_on_every_ground(name):
    """WCAG 2.2, 1.4.11: 3:1 for parts that must be seen."""
    assert least_contrast(PALETTES[name]) >= 3


@pytest.mark.parametrize("name", PAINTS)
def test_the_parts_of_a_piece_stand_out_from_each_other(name):
    """If two colours have 9:1 between them, one has 3:1 to any third, as pieces need."""
    assert max(itertools.starmap(colours.contrast, itertools.combinations(parting(name), 2))) >= 9


def test_stones_and_men_of_two_sides_differ_to_every_eye():
    for eye in EYES:
        assert least_difference([PAINTS["black"].fill, PAINTS["white"].fill], eye) > 60
        assert least_difference([PAINTS["red"].fill, PAINTS["blue"].fill], eye) > 25


@pytest.mark.parametrize("eye", EYES, ids=lambda eye: eye or "most")
def test_safe_bands_differ_from_their_neighbours_to_every_eye(eye):
    assert least_difference(bands(PALETTES["safe"]), eye, pairs=itertools.pairwise) >= 25


@pytest.mark.parametrize("eye", EYES, ids=lambda eye: eye or "most")
def test_safe_tiles_and_squares_differ_from_each_other_to_every_eye(eye):
    assert least_difference(tiles(PALETTES["safe"]), eye) >= 19


@pytest.mark.parametrize("palette", PALETTES)
def test_the_document_states_the_figures_as_they_are(palette):
    palette_colours = PALETTES[palette]
    row = [f"{least_contrast(palette_colours):.1f}"]
    row += [
        f"{least_difference(bands(palette_colours), eye, pairs=itertools.pairwise):.1f}"
        for eye in EYES
    ]
    row += [f"{least_difference(tiles(palette_colours), eye):.1f}" for eye in EYES]
    assert f"| {palette} | {' | '.join(row)} |" in DOCUMENT


def test_the_document_lists_every_colour_of_the_named_bands():
    for name, palette in PALETTES.items():
        row = re.search(rf"^\| {name} bands \|(.*)\|$", DOCUMENT, re.MULTILINE)
        assert row is not None
        assert re.findall(r"#[0-9a-f]{6}", row[1]) == list(palette.bands[:7])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (50, 3.2592, 0.3350), 1.0000),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_differences_are_those_of_sharma_wu_and_dalal(first, second, expected):
    difference = colours.difference(colours.Lab(*first), colours.Lab(*second))
    assert round(difference, 4) == expected


def test_contrast_runs_from_1_to_21():
    assert colours.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert colours.contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert colours.contrast("#123456", "#123456") == 1
