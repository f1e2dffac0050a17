"""Morlox: the symmetries of its board, and the claims of its figures' captions."""

from __future__ import annotations

from collections.abc import Callable

import games
from games.core import Side
from games.morlox.figures import position_of
from games.presentation import Figure
from tests.games.claims import pieces, rule_against
from tests.games.symmetries import Symmetry, flipped


def symmetries(_seed: int) -> list[Symmetry]:
    """Return the mirrors that leave each colour its edges, the half-turn, and the diagonals.

    The diagonals exchange the colours.
    """
    start = games.load("morlox(size=6)").initial()
    flips = {"mirrored": (True, False), "upside down": (False, True), "half-turned": (True, True)}
    return [
        Symmetry(name, start, start, flipped(start.ruleset.size, *flip))
        for name, flip in flips.items()
    ]


def closed_to_white(figure: Figure) -> None:
    assert rule_against(figure.position, figure.targets[0]) == "morlox/control"


def before_flip(figure: Figure) -> None:
    assert pieces(figure.position)["d4"] == "white"
    assert "d4x" in figure.position.legal_moves()


def after_flip(figure: Figure) -> None:
    after = pieces(figure.position.play(figure.move))
    assert after == pieces(figure.position) | {"d4": "black"}


def forbidden(figure: Figure) -> None:
    """White lacks only d4, which Black controls from four of the eight directions."""
    closed_to_white(figure)
    stones = pieces(figure.position)
    assert [stones[cell] for cell in ("d6", "f4", "c5", "e3")] == ["black"] * 4
    # These stones with Black's last one on another square: d4 is open, and makes the chain.
    rows = "b...... ...b..b ..b.... www.... b..wb.. ...wwww b.....b"
    after = position_of(rows, "w").play("d4")
    row = ("a4", "b4", "c4", "d4", "d3", "d2", "e2", "f2", "g2")
    assert {pieces(after)[cell] for cell in row} == {"white"}


def forced_pass(figure: Figure) -> None:
    """Verify that Black controls the three empty squares and White flips no stone."""
    position = figure.position
    assert position.legal_moves() == ["pass"]
    assert position.colour_of(position.side_to_move) == "white"
    empty = {cell.name for cell in position.cells() if cell.piece is None}
    assert empty == set(figure.targets)
    assert {rule_against(position, cell) for cell in empty} == {"morlox/control"}
    black = [cell for cell, colour in pieces(position).items() if colour == "black"]
    assert {rule_against(position, f"{cell}x") for cell in black} == {"morlox/control"}


def chain(figure: Figure) -> None:
    """From e7 to d1: Black is to move and has won."""
    stones = pieces(figure.position)
    reached, waiting = set(), ["e7"]
    while waiting:
        cell = waiting.pop()
        if stones.get(cell) != "black" or cell in reached:
            continue
        reached.add(cell)
        file, rank = ord(cell[0]), int(cell[1])
        waiting += [f"{chr(file + d)}{rank}" for d in (-1, 1)]
        waiting += [f"{chr(file)}{rank + d}" for d in (-1, 1)]
    assert "d1" in reached
    assert figure.position.colour_of(figure.position.side_to_move) == "black"
    assert figure.position.outcome() == figure.position.side_to_move.value


def swap(figure: Figure) -> None:
    assert "swap" in figure.position.legal_moves()
    after = figure.position.play("swap")
    assert after.colour_of(Side.SECOND) == "black"
    assert pieces(after) == pieces(figure.position)


CLAIMS: dict[str, Callable[[Figure], None]] = {
    "three": closed_to_white,
    "diagonal": closed_to_white,
    "edge": closed_to_white,
    "before_flip": before_flip,
    "after_flip": after_flip,
    "forbidden": forbidden,
    "forced_pass": forced_pass,
    "chain": chain,
    "swap": swap,
}
