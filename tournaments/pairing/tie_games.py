"""A tie of a knock-out game by game: which game is next, and when the tie is decided.

A tie is a match of some games. It ends as soon as one player cannot be caught. After a level match
come extra games, one by one or in pairs with the sides exchanged: the first, or the first pair, that
is not level decides. An armageddon game can come last, in which the second side needs a draw only.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class TieGameKind(Enum):
    """The kind of a game of a tie."""

    REGULAR = "regular"
    EXTRA = "extra"
    ARMAGEDDON = "armageddon"


@dataclass(frozen=True, slots=True, kw_only=True)
class TieRules:
    """The games that a tie may have.

    Attributes:
        games: the number of games of the match.
        extra_games: the most extra games after a level match. A pair that has begun is completed.
        in_pairs: whether extra games come in pairs.
        has_armageddon: whether an armageddon game follows level extra games.
    """

    games: int
    extra_games: int = 0
    in_pairs: bool = False
    has_armageddon: bool = False

    def kind_of(self, number: int) -> TieGameKind | None:
        """Return the kind of the game with this number, from 1; None if the tie has no such game.

        The games before it have not decided the tie.
        """
        if number <= self.games:
            return TieGameKind.REGULAR
        extra_number = number - self.games
        completes_pair = self.in_pairs and extra_number % 2 == 0
        if extra_number <= self.extra_games or completes_pair:
            return TieGameKind.EXTRA
        return TieGameKind.ARMAGEDDON if self.has_armageddon else None


def deciding_game(
    margins: Iterable[int], games: int, *, in_pairs: bool = False, armageddon: int | None = None
) -> int | None:
    """Return the number of the game, from 1, that decides a tie of `games` games, or None.

    The margin of a game is 1 if one player has won it, -1 if the other has, and 0 otherwise. With
    `in_pairs` extra games come in pairs. The game with the number `armageddon` comes alone.
    """
    lead = 0
    for number, margin in enumerate(margins, start=1):
        lead += margin
        left = games - number
        if left < 0:
            left = -left % 2 if in_pairs and number != armageddon else 0
        if abs(lead) > left:
            return number
    return None
