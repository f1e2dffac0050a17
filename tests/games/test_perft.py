"""The published perft counts of docs/games/notation.md. The long ones are marked slow."""

from __future__ import annotations

import pytest

import games
from games.perft import perft

slow = pytest.mark.slow


def alternating(half):
    return ("BW" * half)[:half]


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "ring", "counts"),
    [
        pytest.param(5, "B" * 8, [32, 833, 14_667, 198_349, 1_642_536], id="5x5 all black"),
        pytest.param(7, "B" * 12, [96, 8_350, 617_055], id="7x7 all black"),
        pytest.param(7, alternating(12), [96, 8_290, 612_723], id="7x7 alternating"),
        pytest.param(9, "B" * 16, [192, 34_559, 5_616_879], id="9x9 all black"),
        pytest.param(11, "B" * 20, [320, 97_612, 27_648_426], id="11x11 all black"),
        pytest.param(13, "B" * 24, [480, 221_805], id="13x13 all black"),
        pytest.param(31, "B" * 60, [3_360, 11_140_962], id="31x31 all black"),
    ],
)
@pytest.mark.part(0.4)
def test_revised_counts(size, ring, counts):
    position = games.load(f"morelli(size={size})").initial(ring=ring)
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(
    ("size", "setup", "counts"),
    [
        pytest.param(7, "facing", [96, 8_564, 658_058], id="7x7 facing"),
        pytest.param(7, "adjacent", [96, 8_606, 657_463], id="7x7 adjacent"),
        pytest.param(13, "facing", [480, 221_550], id="13x13 facing"),
        pytest.param(13, "adjacent", [480, 222_493], id="13x13 adjacent"),
    ],
)
def test_original_counts(size, setup, counts):
    position = games.load(f"morelli(edition=original,size={size},setup={setup})").initial()
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


@slow
@pytest.mark.parametrize(
    ("key", "ring", "depth", "count"),
    [
        ("morelli(size=5)", "B" * 8, 6, 9_306_160),
        ("morelli(size=5)", "B" * 8, 7, 25_510_301),
        ("morelli(size=7)", "B" * 12, 4, 41_310_928),
        ("morelli(size=7)", alternating(12), 4, 40_770_200),
        ("morelli(size=13)", "B" * 24, 3, 96_708_199),
        ("morelli(edition=original,size=7)", None, 4, 47_014_508),
        ("morelli(edition=original,size=7,setup=adjacent)", None, 4, 46_845_143),
        ("morelli(edition=original,size=13)", None, 3, 96_967_046),
        ("morelli(edition=original,size=13,setup=adjacent)", None, 3, 97_329_051),
    ],
)
def test_long_counts(key, ring, depth, count):
    position = games.load(key).initial(**({} if ring is None else {"ring": ring}))
    assert perft(position, depth) == count
