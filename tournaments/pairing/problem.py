"""What a pairing system is given and what it answers, as plain data that can be stored and paired again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


class PairingError(Exception):
    """Base of everything this package raises."""

    code = "pairing"


class NoPairingError(PairingError):
    """No legal pairing exists; the arbiter decides (C.04.3 1.9.3)."""

    code = "no-pairing"


class BadProblemError(PairingError):
    """The problem contradicts itself, or its stored form cannot be read."""

    code = "bad-problem"


class RoundKind(StrEnum):
    """What a contestant did in one past round."""

    FIRST = "first"  # played with the first ply: the field's White
    SECOND = "second"
    FORFEIT_WIN = "forfeit-win"
    FORFEIT_LOSS = "forfeit-loss"
    PAIRING_BYE = "pairing-bye"
    HALF_BYE = "half-bye"
    ZERO_BYE = "zero-bye"

    @property
    def is_played(self) -> bool:
        """Whether a game was played: only those make colours and rematches (C.04.2 3.4, 3.5)."""
        return self in (RoundKind.FIRST, RoundKind.SECOND)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One past round of one contestant: `opponent` is a TPN or None, `score_halves` in half points."""

    kind: RoundKind
    opponent: int | None
    score_halves: int


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody to be paired: the pairing number and one record for every past round."""

    tpn: int
    records: tuple[RoundRecord, ...]

    @property
    def score_halves(self) -> int:
        """Points so far, in half points."""
        return sum(record.score_halves for record in self.records)

    @property
    def met(self) -> frozenset[int]:
        """TPNs of the opponents of played games."""
        return frozenset(r.opponent for r in self.records if r.kind.is_played and r.opponent)

    @property
    def colours(self) -> tuple[RoundKind, ...]:
        """Sides of the played games, oldest first."""
        return tuple(r.kind for r in self.records if r.kind.is_played)

    @property
    def may_have_bye(self) -> bool:
        """C.04.1 4: no second bye, and none after a win without playing."""
        return not any(
            r.kind in (RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN) for r in self.records
        )


@dataclass(frozen=True, slots=True)
class PairingProblem:
    """A round to pair.

    Attributes:
        round_number: of the round to pair, from 1.
        rounds_total: of the event.
        contestants: those who play this round, by TPN; requested byes and withdrawn players are left out.
        odd_tpn_is_first: the drawn initial colour: whether odd TPNs get the first side (C.04.3 5.1).
        forbidden: pairs of TPNs that must not meet.
    """

    round_number: int
    rounds_total: int
    contestants: tuple[Contestant, ...]
    odd_tpn_is_first: bool = True
    forbidden: frozenset[frozenset[int]] = frozenset()

    def __post_init__(self) -> None:
        tpns = [c.tpn for c in self.contestants]
        if len(set(tpns)) != len(tpns):
            raise BadProblemError("two contestants have the same TPN")
        for contestant in self.contestants:
            if len(contestant.records) != self.round_number - 1:
                raise BadProblemError(
                    f"TPN {contestant.tpn} has {len(contestant.records)} records before round {self.round_number}"
                )

    def to_json(self) -> dict[str, Any]:
        """The problem as JSON data; `from_json` reads it back."""
        return {
            "round_number": self.round_number,
            "rounds_total": self.rounds_total,
            "odd_tpn_is_first": self.odd_tpn_is_first,
            "forbidden": sorted(sorted(pair) for pair in self.forbidden),
            "contestants": [asdict(contestant) for contestant in self.contestants],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PairingProblem:
        """The problem stored as `data`. Raises BadProblemError."""
        try:
            contestants = tuple(
                Contestant(
                    tpn=c["tpn"],
                    records=tuple(
                        RoundRecord(RoundKind(r["kind"]), r["opponent"], r["score_halves"])
                        for r in c["records"]
                    ),
                )
                for c in data["contestants"]
            )
            return cls(
                round_number=data["round_number"],
                rounds_total=data["rounds_total"],
                contestants=contestants,
                odd_tpn_is_first=data["odd_tpn_is_first"],
                forbidden=frozenset(frozenset(pair) for pair in data["forbidden"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadProblemError(f"not a stored pairing problem: {error!r}") from error


@dataclass(frozen=True, slots=True)
class Board:
    """A pair: the TPN with the first ply, and the other."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class BoardEvidence:
    """Why a board is as it is: both scores before the round in half points, and the colour rule that decided."""

    first: int
    second: int
    first_halves: int
    second_halves: int
    colour_rule: str


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer: boards in board order, the TPN on the pairing bye or None, and the evidence."""

    boards: tuple[Board, ...]
    bye: int | None
    evidence: tuple[BoardEvidence, ...]


class PairingSystem(Protocol):
    """A way to pair a round."""

    @property
    def version(self) -> str:
        """Name and version, stored with every round it paired."""
        ...

    def pair(self, problem: PairingProblem) -> Solution:
        """The round's pairing; the same problem always gives the same answer. Raises NoPairingError."""
        ...
