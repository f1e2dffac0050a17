"""The numbers of moves as people read them: `4.` for the first side, `4...` for the reply to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tournaments.models.games import Side


class MoveNumber(NamedTuple):
    """The number of a move of `side`. A row of a score sheet has the moves of one `turn`."""

    turn: int = 0
    side: str = Side.SECOND

    def next(self, side: str) -> MoveNumber:
        """Return the number of the next move.

        A side that moves twice in a row begins a row with each.
        """
        is_reply = self.side == Side.FIRST and side == Side.SECOND
        return MoveNumber(self.turn if is_reply else self.turn + 1, side)

    def __str__(self) -> str:
        return f"{self.turn}." if self.side == Side.FIRST else f"{self.turn}..."


def move_numbers(sides: Iterable[str]) -> list[MoveNumber]:
    """The number of each ply of a game, from the first one on, by the side that made it."""
    numbers = [MoveNumber()]
    for side in sides:
        numbers.append(numbers[-1].next(side))
    return numbers[1:]
