"""The evaluation of a position: a cheap estimate for engines, as the side to move sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.morelli.moves import step_count

if TYPE_CHECKING:
    from games.morelli.board import MorelliBoard
    from games.morelli.moves import Stones

# By the number of a side's pieces among the four corners of a frame. The values were chosen by
# play, without proof.
_CORNERS = (0.0, 0.0, 0.01, 0.06, 0.10)
_THRONE = 0.35
_URGENCY = 0.45


def evaluation(board: MorelliBoard, stones: Stones) -> float:
    """Return the estimate for the side to move, from -1 to 1.

    The Throne counts the more, the fewer moves are left to lose it again.
    """
    mine, theirs = stones.mover, stones.other
    my_steps, their_steps = step_count(board, stones), step_count(board, stones.exchanged())
    freedom = (my_steps - their_steps) / (my_steps + their_steps + 1)
    share_left = min(1.0, (my_steps + their_steps) / (8 * len(board.ring)))
    throne = stones.is_mover_enthroned - stones.is_other_enthroned
    frames = sum(
        _CORNERS[(frame & mine).bit_count()] - _CORNERS[(frame & theirs).bit_count()]
        for frame in board.inner_frames
    )
    score = throne * (_THRONE + _URGENCY * (1 - share_left)) + frames / 2 + freedom / 20
    return max(-0.99, min(0.99, score))
