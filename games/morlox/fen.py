"""Positions of Morlox as one line of text: written, and read loosely."""

from __future__ import annotations

from dataclasses import dataclass

from games.morlox.board import Colour, board_of

_LETTERS = {Colour.BLACK: "b", Colour.WHITE: "w"}
_COLOURS = {letter: colour for colour, letter in _LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Fields:
    """The parts of a line as values, not yet consistent."""

    black: int
    white: int
    turn: Colour
    ply: int
    is_swapped: bool


def line_of(fields: Fields, size: int) -> str:
    """Return rows from the top, `b`, `w` or `.` a square, then colour to move, ply, `swapped` or `-`."""
    letters = "".join(
        "b" if bit & fields.black else "w" if bit & fields.white else "."
        for bit in board_of(size).bits
    )
    rows = [letters[start : start + size] for start in range(0, size * size, size)]
    swap_word = "swapped" if fields.is_swapped else "-"
    return f"{'/'.join(reversed(rows))} {_LETTERS[fields.turn]} {fields.ply} {swap_word}"


def fields_from(text: str, size: int) -> Fields | None:
    """Return the fields nearest to `text`, or None when it is too far from any position."""
    words = text.split(" ")
    if len(words) != 4 or words[1] not in _COLOURS or not words[2].isdecimal():
        return None
    letters = "".join(reversed(words[0].split("/")))
    bits = board_of(size).bits
    if len(letters) != len(bits):
        return None
    squares = list(zip(bits, letters, strict=True))
    return Fields(
        black=sum(bit for bit, letter in squares if letter == "b"),
        white=sum(bit for bit, letter in squares if letter == "w"),
        turn=_COLOURS[words[1]],
        ply=int(words[2]),
        is_swapped=words[3] == "swapped",
    )
