"""A tie of a knock-out game by game: when it is decided.

A tie is a match of some games. It ends as soon as one player cannot be caught. After a level match
the first extra game that is not drawn decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def deciding_game(margins: Iterable[int], games: int) -> int | None:
    """Return the number of the game, from 1, that decides a tie of `games` games, or None.

    The margin of a game is 1 if one player has won it, -1 if the other has, and 0 otherwise.
    """
    lead = 0
    for number, margin in enumerate(margins, start=1):
        lead += margin
        if abs(lead) > max(games - number, 0):
            return number
    return None
