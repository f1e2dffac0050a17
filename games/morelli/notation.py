"""Moves as text (section 10, D-M25), such as `B1-H7`, `D12-G9 xF8H8`, `L10-K9*`, `@A5`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.core import AGREE, IllegalMoveError
from games.messages import message
from games.morelli.board import MorelliBoard, cells_of
from games.morelli.editions import Edition, Law

if TYPE_CHECKING:
    from games.morelli.moves import MorelliTurn

# No board has cells beyond AE31 (D-M22), and no move more than eight captures.
_CELL = r"(?:A[A-E]|[A-Z])(?:3[01]|[12][0-9]|[1-9])"
_MOVE = re.compile(rf"({_CELL})-({_CELL})(?: x((?:{_CELL}){{1,8}}))?(\*)?(?://)?")
_PLACEMENT = re.compile(rf"@({_CELL})")
_CELLS = re.compile(_CELL)
# The longest move is `AA10-AB11 x` with eight cells of four characters and `*//`.
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class MoveText:
    """The parts of a move as it is spelled: names of cells, perhaps not of this board."""

    start: str
    end: str
    captured: tuple[str, ...]
    is_enthroning: bool

    @property
    def has_effects(self) -> bool:
        """Return whether the text names any captures or the Throne."""
        return bool(self.captured) or self.is_enthroning


def parse_move(text: str) -> MoveText | None:
    """Return the parts of a move's text, or None when it has not the form of one."""
    match = _MOVE.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    start, end, captured, star = match.groups()
    return MoveText(start, end, tuple(_CELLS.findall(captured or "")), star is not None)


def parse_placement(text: str) -> str | None:
    """Return the name of the cell in `@CELL`, or None when the text has not that form."""
    match = _PLACEMENT.fullmatch(text) if len(text) <= _LONGEST else None
    return None if match is None else match[1]


def is_move_text(text: str) -> bool:
    """Return whether the text has the form of any move at all, on any board."""
    return text == AGREE or parse_move(text) is not None or parse_placement(text) is not None


def cell_on(board: MorelliBoard, name: str, *, move: str, edition: Edition) -> int:
    """Return the number of the cell called `name`.

    Raises IllegalMoveError, quoting `move`, when it is off the board.
    """
    cell = board.cell_of.get(name)
    if cell is None:
        raise IllegalMoveError(
            move,
            rule=edition.cite(Law.NOTATION),
            detail=message("%(cell)s is not on this board"),
            cell=name,
        )
    return cell


def cell_list(board: MorelliBoard, cells: int) -> str:
    """Return the names of a set of cells without separators, by file, then rank (10.1.3)."""
    return "".join(board.names[cell] for cell in cells_of(cells))


def turn_text(board: MorelliBoard, turn: MorelliTurn) -> str:
    """Return the canonical text of a turn."""
    (start, end), captured, is_enthroning = turn
    text = f"{board.names[start]}-{board.names[end]}"
    if captured:
        text += f" x{cell_list(board, captured)}"
    return text + "*" if is_enthroning else text
