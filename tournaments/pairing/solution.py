"""The answer of a pairing system, as plain data, and the interface of all systems."""

# No `from __future__ import annotations`: see `tournaments.pairing.problem`.
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, Self

from tournaments.pairing.problem import BadProblemError, FormatOptions, PairingProblem, RoundKind

# Gets the number of players who have their place, and of all players.
Progress = Callable[[int, int], None]


class Board(NamedTuple):
    """A pair: the TPN with the first ply, and the other."""

    first: int
    second: int


class BoardEvidence(NamedTuple):
    """The reasons for a board.

    Attributes:
        first, second: TPNs.
        first_halves, second_halves: scores before the round, in half points.
        colour_rule: the article or rule that gave the sides.
        meeting: why these two meet, in the formats with a reason of one word: `berger`, `tie`,
            `losers-tie`, `final`, `reset-final`, `pool`, `ladder`. Empty in a Swiss, whose brackets
            tell it.
        details: numbers that belong to that word, such as the table's round or the place in the
            draw.
    """

    first: int
    second: int
    first_halves: int
    second_halves: int
    colour_rule: str
    meeting: str = ""
    details: Mapping[str, int] = {}


class IdleReason(StrEnum):
    """Reason why a table or a bracket has no opponent for a present player."""

    ODD = "odd"  # one of an odd number is free in every round of the table
    TABLE_OVER = "table-over"  # larger groups or divisions play on
    NEXT_SEASON = "next-season"  # joined a league after the season began
    EMPTY_PLACE = "empty-place"  # nobody will ever be in the other half of the tie
    LATER_TIE = "later-tie"  # the next tie belongs to a later round


class Idle(NamedTuple):
    """A player without an opponent in this round, and the reason: FREE, THROUGH, OUT, WAITS, FORFEIT_WIN or FORFEIT_LOSS.

    `opponent` is the opponent by the table, if that one is absent. `reason` is evidence.
    """

    tpn: int
    kind: RoundKind
    opponent: int | None = None
    reason: IdleReason | None = None


class CriterionValue(NamedTuple):
    """Result of a bracket in a criterion: numbers to be as small as possible, the earlier before the later.

    Attributes:
        criterion, article: `C6` and `2.4.1`, for example.
        value: of the pairs.
        bound: the least possible for pairs that are as good in all earlier criteria, or None until
            `explain` has found it.
        proof: how that is known: `zero`, `parity`, `lowest-score`, `no-choice`, `preference-count`,
            `maximum-matching`, `duality` (prices of players bound every pairing) or
            `weighted-matching` (a solver's optimum).
    """

    criterion: str
    article: str
    value: tuple[int, ...]
    bound: tuple[int, ...] | None = None
    proof: str = ""


class FloatReason(NamedTuple):
    """The reason why a player moved down from a bracket, or was left with the bye.

    Attributes:
        tpn: the player.
        cause: `no-opponent` (no player in the bracket was allowed), `odd`, `no-matching` (the
            allowed pairs leave more than one over) or `completion` (needed further down, C4).
        choice: why this one: `only` (no further question), `last` (the last of the bracket),
            `criterion` (otherwise a criterion would be worse) or `order` (as good otherwise, but
            generated later).
        instead: with one floater, the one who would have moved down otherwise, in the last two
            cases.
        is_paired_otherwise: with several, that otherwise means: paired in the bracket, with any
            other floater.
        criterion, value, other: the criterion that would be worse, its value, and its value
            otherwise.
        met, colour, forbidden: with `no-opponent`: how many of the bracket it had met, or may not
            meet because of equal absolute colour preferences (C3), or because the organiser forbids
            it.
    """

    tpn: int
    cause: str
    choice: str = "only"
    instead: int | None = None
    is_paired_otherwise: bool = False
    criterion: str = ""
    value: tuple[int, ...] = ()
    other: tuple[int, ...] = ()
    met: int = 0
    colour: int = 0
    forbidden: int = 0


class BracketEvidence(NamedTuple):
    """One bracket of a Swiss round, by TPN: its players, pairs and floaters, and their values.

    `halves` is the pairing score of the residents. `mdps` came from the bracket above. `floats` has
    a reason for each floater once `explain` has looked for it.
    """

    halves: int
    mdps: tuple[int, ...]
    residents: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    floaters: tuple[int, ...]
    criteria: tuple[CriterionValue, ...]
    floats: tuple[FloatReason, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the bracket as JSON data."""
        return {
            **self._asdict(),
            "criteria": [value._asdict() for value in self.criteria],
            "floats": [reason._asdict() for reason in self.floats],
        }


class Solution(NamedTuple):
    """The answer.

    Attributes:
        boards: in board order.
        bye: the TPN on the pairing-allocated bye, or None.
        evidence: one for each board, in their order.
        brackets: of a Swiss round, from the top.
        idle: players with neither board nor bye.
    """

    boards: tuple[Board, ...]
    bye: int | None
    evidence: tuple[BoardEvidence, ...]
    brackets: tuple[BracketEvidence, ...] = ()
    idle: tuple[Idle, ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Boards, bye and brackets of a round as they are stored with it. Raises BadProblemError."""
        try:
            evidence = tuple(BoardEvidence(**board) for board in data["boards"])
            return cls(
                boards=tuple(Board(e.first, e.second) for e in evidence),
                bye=data["bye"],
                evidence=evidence,
                brackets=tuple(_bracket(bracket) for bracket in data.get("brackets", ())),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadProblemError(f"not a stored solution: {error!r}") from error


def _bracket(data: Mapping[str, Any]) -> BracketEvidence:
    criteria = tuple(
        CriterionValue(c["criterion"], c["article"], tuple(c["value"])) for c in data["criteria"]
    )
    return BracketEvidence(
        halves=data["halves"],
        mdps=tuple(data["mdps"]),
        residents=tuple(data["residents"]),
        pairs=tuple((one, two) for one, two in data["pairs"]),
        floaters=tuple(data["floaters"]),
        criteria=criteria,
    )


class PairingSystem(Protocol):
    """A way to pair a round."""

    @property
    def name(self) -> str:
        """Return the word by which events and commands choose it."""
        ...

    @property
    def version(self) -> str:
        """Name and version, stored with every round it paired."""
        ...

    def rounds(self, players: int, options: FormatOptions) -> int | None:
        """Return how many rounds the format takes at most with this number of players, or None if the organiser decides.

        Raises BadProblemError if the options do not fit that number.
        """
        ...

    def pair(self, problem: PairingProblem) -> Solution:
        """Return the round's pairing. An equal problem always gives an equal answer.

        Raises:
            NoPairingError: when there is no legal one.
            EventDecidedError: when no game is left to pair.
        """
        ...


class ReportSystem(PairingSystem, Protocol):
    """A system that pairs the rounds of report files: one of the command line."""

    def explanation(
        self, problem: PairingProblem, solution: Solution
    ) -> tuple[BracketEvidence, ...]:
        """Return the brackets of `solution` with all their evidence.

        Raises:
            BadProblemError: when the solution is not one of this problem by the system.
        """
        ...


class PairsAgain:
    """A system whose solutions have all evidence of their brackets."""

    def explanation(
        self: PairingSystem, problem: PairingProblem, solution: Solution
    ) -> tuple[BracketEvidence, ...]:
        """Return the brackets of the round.

        Raises BadProblemError when the system pairs it otherwise.
        """
        again = self.pair(problem)
        if (again.boards, again.bye) != (solution.boards, solution.bye):
            raise BadProblemError(f"{self.version} pairs the round otherwise")
        return again.brackets
