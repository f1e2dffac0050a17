"""The actions and planes of Morelli.

In the revised edition start and end of a move determine its effects, so that a move is one action.
In the original edition the player chooses any of up to eight captures and the tower: up to 512 moves
for each step. There a ply is a step, then the captures in the order of the notation, then the tower.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Side
from games.learning.encoding import STOP, Encoding
from games.morelli import notation
from games.morelli.board import board
from games.morelli.editions import Edition
from games.morelli.position import MorelliPosition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.core import Position, Ruleset

_TOWER = "*"


class MorelliEncoding(Encoding):
    """Placements and steps. In the original edition captures, the tower and `STOP` too."""

    sets = {
        "own": "pieces of the side to move",
        "enemy": "the other pieces",
        "start": "the cell that the piece leaves in this ply",
        "end": "the cell on which it lands",
        "captured": "the captures chosen in this ply",
    }
    numbers = {
        "black": "1 if Black is to move",
        "own King": "1 if the King of the side to move is on the Throne",
        "enemy King": "1 if the other King is on the Throne",
        "placement": "1 while pieces are placed",
    }

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self._board = board(ruleset.size)
        self._has_choice = ruleset.options["edition"] == Edition.ORIGINAL
        self._is_by_file = True
        if self._has_choice:
            self.longest_word = 1 + 8 + 1
        else:
            self.sets = {name: self.sets[name] for name in ("own", "enemy")}

    def _actions(self) -> Iterable[str]:
        table = self._board
        names = table.names
        yield from (f"@{names[cell]}" for cell in table.ring)
        for start, targets in enumerate(table.moves):
            yield from sorted(f"{names[start]}-{names[end]}" for end, _ in targets)
        if self._has_choice:
            inner = (cell for cell, depth in enumerate(table.depth) if 0 < depth < table.centre)
            yield from (f"x{names[cell]}" for cell in inner)  # D-M12, D-M14
            yield from (_TOWER, STOP)

    def _spelling(self, move: str) -> Sequence[str]:
        parts = notation.parse_move(move)
        if parts is None:
            return (move,)
        step = f"{parts.start}-{parts.end}"
        if not self._has_choice:
            return (step,)
        return (step, *(f"x{cell}" for cell in parts.captured), *_TOWER[: parts.is_enthroning])

    def _squares(self, position: Position, chosen: Sequence[str]) -> Sequence[int]:
        assert isinstance(position, MorelliPosition)  # of this rule set
        stones = position.stones()
        if not self._has_choice:
            return stones.mover, stones.other
        start, _, end = chosen[0].partition("-") if chosen else ("", "", "")
        captured = sum(self._bit(name[1:]) for name in chosen[1:])
        return stones.mover, stones.other, self._bit(start), self._bit(end), captured

    def _bit(self, cell: str) -> int:
        return 1 << self._board.cell_of[cell] if cell else 0

    def _values(self, position: Position) -> Sequence[float]:
        assert isinstance(position, MorelliPosition)  # of this rule set
        mover, throne = position.side_to_move, position.throne
        is_black = mover is Side.FIRST
        is_placement = position.phase == "placement"
        return tuple(
            map(float, (is_black, throne is mover, throne is mover.opponent, is_placement))
        )
