"""Symmetries of boards: a start turned or mirrored, and the images of moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import games


@dataclass(frozen=True)
class Symmetry:
    """Two starts that are images of each other, and the map between their moves."""

    name: str
    start: games.Position
    image: games.Position
    map_move: Callable[[str], str]


SQUARE_NAME = re.compile(r"([a-z])(\d+)")


def flipped(size: int, is_mirrored: bool, is_upside_down: bool) -> Callable[[str], str]:
    """Return the map of moves on a board that is mirrored, upside down, or both."""

    def square(match: re.Match[str]) -> str:
        file, rank = ord(match[1]) - ord("a"), int(match[2]) - 1
        file = size - 1 - file if is_mirrored else file
        rank = size - 1 - rank if is_upside_down else rank
        return f"{chr(ord('a') + file)}{rank + 1}"

    # `pass` and `swap` name no square.
    return lambda move: SQUARE_NAME.sub(square, move)
