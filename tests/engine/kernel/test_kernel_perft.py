"""The kernel counts the numbers that docs/games/notation.md publishes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import games
from engine.kernel.host import Kernel

_PAGE = Path(games.__file__).parents[1] / "docs/games/notation.md"
_ROW = re.compile(r"\| ((?:Morelli|Morlox|Perfect)[^|]+) \| ([0-9,| ]+)\|")
_MORELLI = re.compile(
    r"Morelli (revised|original) (\d+)x\d+, ring (B x (\d+)|BW\.\.)|Morelli original (\d+)x\d+ (\w+)"
)
_MORLOX = re.compile(r"Morlox (\d+)x\d+, (no swap|swap on)")


def position_of(name: str) -> games.Position | None:
    """Return the position that a row of the table names, or None for the one that takes a game to reach."""
    if match := _MORLOX.fullmatch(name):
        return games.load(
            f"morlox(size={match[1]},swap={'on' if match[2] == 'swap on' else 'off'})"
        ).initial()
    if match := _MORELLI.fullmatch(name):
        if match[6]:
            return games.load(
                f"morelli(edition=original,size={match[5]},setup={match[6].lower()})"
            ).initial()
        half = 2 * (int(match[2]) - 1)
        return games.load(f"morelli(size={match[2]})").initial(
            ring="B" * half if match[4] else "BW" * (half // 2)
        )
    return games.load("perfect()").initial() if name == "Perfect, tile phase" else None


def rows() -> list[tuple[str, list[int]]]:
    return [
        (name, [int(cell.replace(",", "")) for cell in cells.split("|") if cell.strip()])
        for name, cells in _ROW.findall(_PAGE.read_text())
    ]


# Numbers in the sentence below the table, which continue it.
_FURTHER = {
    "Morelli revised 5x5, ring B x 8": [1_642_536, 9_306_160, 25_510_301],
    "Morlox 3x3, no swap": [11_976, 37_088, 95_616, 166_616, 223_280, 212_624, 144_624, 84_336],
    "Morlox 5x5, no swap": [5_924_952],
}


def test_the_table_is_read():
    names = [name for name, _ in rows()]
    assert len(names) == 16
    assert set(_FURTHER) <= set(names)
    assert [name for name in names if position_of(name) is None] == ["Perfect, start of main phase"]


@pytest.mark.parametrize(
    ("name", "counts"),
    [row for row in rows() if position_of(row[0])],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.part(0.3)
@pytest.mark.long
def test_published_counts(name, counts):
    position = position_of(name)
    assert position is not None
    kernel = Kernel(fuel=10**11).load(position)
    counts = [*counts, *_FURTHER.get(name, [])]
    assert [kernel.perft(depth) for depth in range(len(counts) + 1)] == [1, *counts]
