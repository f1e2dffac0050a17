"""Moves at a position with right continuations: an exercise of a course, or a puzzle."""

from __future__ import annotations

from collections.abc import Sequence

import games
from games.presentation import Drill
from tournaments.errors import RefusedError


def right_move(drill: Drill, moves: Sequence[str], typed: str) -> str:
    """Return the right move that `typed` makes after `moves`, or an empty text for another legal move.

    `moves` begin a right line. Raises RefusedError for an illegal move, with the paragraph.
    """
    try:
        result = drill.after(moves).play(typed)
    except games.IllegalMoveError as error:
        raise RefusedError.of_move(error) from error
    return drill.next_move(moves, result)
