"""The kinds of rounds for one participant."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The kind of a round for one participant: the one vocabulary of seats, report files and standings.

    A report file can say a void game only as one that both forfeited, and a program that ranks the file must
    get our table. So a void game counts as a forfeit loss.
    """

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    FORFEIT_WIN = "forfeit-win"
    FORFEIT_LOSS = "forfeit-loss"
    VOID = "void"
    PAIRING_BYE = "pairing-bye"
    FULL_BYE = "full-bye"
    HALF_BYE = "half-bye"
    ZERO_BYE = "zero-bye"  # also every round after a withdrawal, and before a late entry
    FREE = "free"  # the table of a round robin has no opponent in this round
    THROUGH = "through"  # a knock-out without an opponent in this round
    OUT = "out"  # knocked out
    OPEN = "open"  # the game is still played and does not count yet
    ADJOURNED = "adjourned"  # the same, but it counts as a draw until its result (C.04.2 3.1)

    @property
    def without_opponent(self) -> Kind:
        """The kind of the round if there is no opponent: a forfeit is then a bye of equal worth."""
        return {Kind.FORFEIT_WIN: Kind.FULL_BYE, Kind.FORFEIT_LOSS: Kind.ZERO_BYE}.get(self, self)

    @property
    def is_over(self) -> bool:
        """Return whether the round has a result."""
        return self not in (Kind.OPEN, Kind.ADJOURNED)

    @property
    def counting(self) -> Kind:
        """The round as it counts: an adjourned game as a draw."""
        return Kind.DRAW if self is Kind.ADJOURNED else self

    @property
    def as_played(self) -> Kind:
        """The round as a game that was played: a forfeit is then a win or a loss (C.04.5, preface)."""
        return {Kind.FORFEIT_WIN: Kind.WIN, Kind.FORFEIT_LOSS: Kind.LOSS}.get(self, self)
