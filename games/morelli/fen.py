"""A position as one line: `BOARD SIDE THRONE PHASE PLY END SETUP`, and its checks.

The fields are:

* BOARD: the ranks from the top, `b` and `w` for pieces and numbers for runs of empty cells
* SIDE: `b` or `w`
* THRONE: `b`, `w` or `-`
* PHASE: `placement` or `play`
* END: `agreed` or `-`
* SETUP: the set-up's text or `-`
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from games.core import MAX_TEXT, BadPositionError, Side, quote
from games.morelli.board import board, cells_of
from games.morelli.editions import Edition

if TYPE_CHECKING:
    from games.morelli.board import MorelliBoard
    from games.morelli.setup import Start

_LINE = re.compile(
    r"(?P<board>[bw0-9/]+) (?P<side>[bw]) (?P<throne>[bw-]) (?P<phase>placement|play) (?P<ply>[0-9]{1,4}) "
    r"(?P<end>agreed|-) (?P<setup>[a-z]+=[A-Za-z]+(?:/[a-z]+)?|-)"
)
_LETTERS = {Side.FIRST: "b", Side.SECOND: "w"}
_SIDES = {letter: side for side, letter in _LETTERS.items()}


class _Rules(Protocol):
    @property
    def edition(self) -> Edition: ...
    @property
    def size(self) -> int: ...
    @property
    def placements(self) -> int: ...


class _Position(Protocol):
    """The attributes of a position that its text needs."""

    @property
    def ruleset(self) -> _Rules: ...
    @property
    def start(self) -> Start: ...
    @property
    def black(self) -> int: ...
    @property
    def white(self) -> int: ...
    @property
    def throne(self) -> Side | None: ...
    @property
    def side_to_move(self) -> Side: ...
    @property
    def phase(self) -> str: ...
    @property
    def ply(self) -> int: ...
    @property
    def is_agreed(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Fields:
    """The parts of a line as values, of the right form but not yet consistent."""

    black: int
    white: int
    side_to_move: Side
    throne: Side | None
    ply: int
    is_agreed: bool
    setup: str


def placing_side(ply: int, placements: int) -> Side:
    """Return the side to move after `ply` placements.

    The order is B, WW, BB, ..., WW, B and then Black (2.3.2-2.3.5 / 2.6, D-M17).
    """
    return Side.SECOND if ply < placements and (ply + 1) // 2 % 2 else Side.FIRST


def line_of(position: _Position) -> str:
    """Return the position as a line."""
    table = board(position.ruleset.size)
    throne = "-" if position.throne is None else _LETTERS[position.throne]
    end = "agreed" if position.is_agreed else "-"
    ranks = "/".join(_rank(table, position, rank) for rank in reversed(range(table.size)))
    side, setup = _LETTERS[position.side_to_move], position.start.text or "-"
    return f"{ranks} {side} {throne} {position.phase} {position.ply} {end} {setup}"


def fields_from(line: str, size: int) -> Fields:
    """Return the parts of a line for the board of this size. Raises BadPositionError."""
    match = _LINE.fullmatch(line) if len(line) <= MAX_TEXT else None
    if match is None:
        raise BadPositionError(
            f"{quote(line)} is no position such as 'w6/... b - play 0 - ring=BW...'"
        )
    ranks = [_row(rank) for rank in match["board"].split("/")]
    if len(ranks) != size or any(len(rank) != size for rank in ranks):
        raise BadPositionError(f"{quote(line)} does not describe {size} ranks of {size} cells")
    black, white = (
        sum(
            1 << (file * size + size - 1 - row)
            for row, rank in enumerate(ranks)
            for file, letter in enumerate(rank)
            if letter == colour
        )
        for colour in "bw"
    )
    return Fields(
        black=black,
        white=white,
        side_to_move=_SIDES[match["side"]],
        throne=_SIDES.get(match["throne"]),
        ply=int(match["ply"]),
        is_agreed=match["end"] == "agreed",
        setup="" if match["setup"] == "-" else match["setup"],
    )


def flaw(position: _Position) -> str:
    """Return a reason why no game reaches this position, as far as a cheap check tells, else an empty text."""
    table = board(position.ruleset.size)
    if position.phase == "placement":
        return _placement_flaw(table, position)
    return _play_flaw(table, position)


def _placement_flaw(table: MorelliBoard, position: _Position) -> str:
    placements = position.ply - position.is_agreed
    stones = position.black | position.white
    if stones & ~table.outer or position.throne is not None:
        return "pieces beyond the outermost band, or a King, before the set-up is complete"
    if position.side_to_move is not placing_side(placements, position.ruleset.placements):
        return "the other side places now"
    if position.ruleset.edition is Edition.REVISED:
        opposite = sum(1 << table.opposite(cell) for cell in cells_of(position.black))
        return (
            ""
            if opposite == position.white and position.black.bit_count() == placements
            else "not pairs"
        )
    black = sum(
        placing_side(k, position.ruleset.placements) is Side.FIRST for k in range(placements)
    )
    is_counted = position.black.bit_count() == black and stones.bit_count() == placements
    return "" if is_counted else "the wrong number of stones"


def _play_flaw(table: MorelliBoard, position: _Position) -> str:
    stones = position.black | position.white
    placements = position.ruleset.placements if position.start.ring is None else 0
    moves = position.ply - placements - position.is_agreed
    if stones.bit_count() != len(table.ring) or stones & table.throne_bit:
        return "the wrong number of pieces, or one on the Throne"
    # 4.2.1: every move raises the sum of the band numbers by one at least, by all bands but one at
    # most (D-M24).
    rise = sum(table.centre - table.depth[cell] for cell in cells_of(stones))
    if not moves <= rise <= moves * (table.centre - 1):
        return "the pieces stand too deep or not deep enough for the ply"
    if position.side_to_move is not (Side.SECOND if moves % 2 else Side.FIRST):
        return "the other side is to move"
    # An enthroning takes four pieces of one colour off the outermost band, by moves of either side.
    if position.throne is not None and moves < _FEWEST_MOVES_TO_A_FRAME:
        return "nobody can be enthroned yet"
    return _ring_flaw(table, position)


_FEWEST_MOVES_TO_A_FRAME = 4


def _ring_flaw(table: MorelliBoard, position: _Position) -> str:
    outer_black, outer_white = position.black & table.outer, position.white & table.outer
    if position.start.ring is not None:
        letters = zip(table.ring, position.start.ring, strict=True)
        black = sum(1 << cell for cell, letter in letters if letter == "B")
        # 5.3.1 / 6.3.3: a piece that has not left the outermost band has the colour it began with.
        return (
            "the outermost band differs from the ring"
            if outer_black & ~black or outer_white & black
            else ""
        )
    half = len(table.ring) // 2
    if position.ruleset.edition is Edition.REVISED:
        opposite = sum(1 << table.opposite(cell) for cell in cells_of(outer_black))
        return "pieces of one colour face each other" if opposite & outer_black else ""
    return (
        "too many pieces of one colour"
        if max(outer_black.bit_count(), outer_white.bit_count()) > half
        else ""
    )


def _rank(table: MorelliBoard, position: _Position, rank: int) -> str:
    letters = ""
    run = 0
    for file in range(table.size):
        cell = file * table.size + rank
        letter = "b" if position.black >> cell & 1 else "w" if position.white >> cell & 1 else ""
        if letter:
            letters += f"{run or ''}{letter}"
        run = 0 if letter else run + 1
    return f"{letters}{run or ''}"


def _row(rank: str) -> str:
    """Return one letter a cell, `.` for empty.

    Runs have at most two digits, so that the result cannot grow large.
    """
    return re.sub(r"[0-9]{1,2}", lambda run: "." * int(run[0]), rank)
