"""What a pairing system answers, as plain data, and the interface that every one fulfils."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.pairing.problem import FormatOptions, PairingProblem, RoundKind

# Told how many players have their place, of how many.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Board:
    """A pair: the TPN with the first ply, and the other."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class BoardEvidence:
    """Why a board is as it is.

    Attributes:
        first, second: TPNs.
        first_halves, second_halves: scores before the round, in half points.
        colour_rule: the article or rule that gave the sides.
        meeting: why these two meet, in the formats where that is one word: `berger`, `tie`, `losers-tie`, `final`,
            `reset-final`, `pool`, `ladder`; empty in a Swiss, whose brackets tell it.
        details: numbers that belong to that word, such as the table's round or the place in the draw.
    """

    first: int
    second: int
    first_halves: int
    second_halves: int
    colour_rule: str
    meeting: str = ""
    details: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Idle:
    """Somebody who has no opponent in this round, and why: FREE, THROUGH, OUT, WAITS, FORFEIT_WIN or FORFEIT_LOSS.

    `opponent` is whom the table would have given, where that one is absent.
    """

    tpn: int
    kind: RoundKind
    opponent: int | None = None


@dataclass(frozen=True, slots=True)
class CriterionValue:
    """What a bracket reached in a criterion: numbers to be as small as possible, the earlier before the later."""

    criterion: str
    article: str
    value: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BracketEvidence:
    """One bracket of a Swiss round, by TPN: who was in it, who met, who moved on, and what that was worth.

    `halves` is the pairing score of the residents; `mdps` came from the bracket above.
    """

    halves: int
    mdps: tuple[int, ...]
    residents: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    floaters: tuple[int, ...]
    criteria: tuple[CriterionValue, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer.

    Attributes:
        boards: in board order.
        bye: the TPN on the pairing-allocated bye, or None.
        evidence: one for each board, in the same order.
        brackets: of a Swiss round, from the top.
        idle: who has neither board nor bye.
    """

    boards: tuple[Board, ...]
    bye: int | None
    evidence: tuple[BoardEvidence, ...]
    brackets: tuple[BracketEvidence, ...] = ()
    idle: tuple[Idle, ...] = ()


class PairingSystem(Protocol):
    """A way to pair a round."""

    @property
    def name(self) -> str:
        """The word by which events and commands choose it."""
        ...

    @property
    def version(self) -> str:
        """Name and version, stored with every round it paired."""
        ...

    def rounds(self, players: int, options: FormatOptions) -> int | None:
        """How many rounds the format takes at most with so many players; None when the organiser decides.

        Raises BadProblemError when the options make no sense for so many.
        """
        ...

    def pair(self, problem: PairingProblem) -> Solution:
        """The round's pairing; the same problem always gives the same answer.

        Raises:
            NoPairingError: when there is no legal one.
            EventDecidedError: when nothing is left to pair.
        """
        ...
