"""The actions and planes of Morlox: one action for each move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.learning.encoding import Encoding
from games.morlox.board import Colour, board_of
from games.morlox.position import MorloxPosition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.core import Position, Ruleset


class MorloxEncoding(Encoding):
    """Placements, flips, `swap` and `pass`: 2n² + 2 actions."""

    sets = {"own": "stones of the colour to move", "enemy": "the other stones"}
    numbers = {
        "black": "1 if Black is to move, who joins rank 1 to the last rank",
        "may swap": "1 if the pie rule can be used",
    }

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self._stride = board_of(ruleset.size).stride

    def _actions(self) -> Iterable[str]:
        board = board_of(self.ruleset.size)
        return (*board.placements, *board.flips, "swap", "pass")

    def _spelling(self, move: str) -> Sequence[str]:
        return (move,)

    def _squares(self, position: Position, chosen: Sequence[str]) -> Sequence[int]:
        assert isinstance(position, MorloxPosition)  # of this rule set
        stones = (position.black, position.white)
        return stones if position.turn is Colour.BLACK else stones[::-1]

    def _values(self, position: Position) -> Sequence[float]:
        assert isinstance(position, MorloxPosition)  # of this rule set
        may_swap = position.ruleset.swap and position.ply == 1  # D-X9
        return float(position.turn is Colour.BLACK), float(may_swap)
