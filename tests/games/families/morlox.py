"""Morlox: the symmetries of its board, and what the captions of its figures claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import games
from games.core import Side
from tests.games.claims import pieces, rule_against
from tests.games.symmetries import Symmetry, flipped

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.presentation import Figure


def symmetries(_seed: int) -> list[Symmetry]:
    """The mirrors that leave each colour its edges, the half-turn, and the diagonals.

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
    "chain": chain,
    "swap": swap,
}
