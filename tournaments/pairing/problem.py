"""What a pairing system is given and what it answers, as plain data that can be stored and paired again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


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
    FULL_BYE = "full-bye"
    ZERO_BYE = "zero-bye"

    @property
    def is_played(self) -> bool:
        """Whether a game was played: only those make colours and rematches (C.04.2 3.4, 3.5)."""
        return self in (RoundKind.FIRST, RoundKind.SECOND)


@dataclass(frozen=True, slots=True)
class PointSystem:
    """What a round is worth, in half points."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    pairing_bye: int = 2
    half_bye: int = 1
    full_bye: int = 2
    zero_bye: int = 0
    forfeit_win: int = 2
    forfeit_loss: int = 0

    @property
    def is_standard_scale(self) -> bool:
        """Whether a win is two draws and a loss nothing: where acceleration is defined (C.04.7 1.1)."""
        return self.win == 2 * self.draw and self.loss == 0


STANDARD_POINTS = PointSystem()


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One past round of one contestant: `opponent` is a TPN or None, `score_halves` in half points."""

    kind: RoundKind
    opponent: int | None
    score_halves: int


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody to be paired: the pairing number and one record for every past round.

    `virtual_halves` are the virtual points of an accelerated event, round by round (C.04.7); what is not there is 0.
    """

    tpn: int
    records: tuple[RoundRecord, ...]
    virtual_halves: tuple[int, ...] = ()

    @property
    def score_halves(self) -> int:
        """Points so far, in half points."""
        return sum(record.score_halves for record in self.records)

    def pairing_halves(self, round_number: int) -> int:
        """Points before that round with the virtual points in it, in half points (C.04.7 1.4)."""
        virtual = self.virtual_halves[round_number - 1 : round_number]
        return sum(r.score_halves for r in self.records[: round_number - 1]) + sum(virtual)

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
            r.kind in (RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN, RoundKind.FULL_BYE)
            for r in self.records
        )

    @property
    def was_ever_paired(self) -> bool:
        """Whether a pairing ever named this contestant: a game, a forfeit or the pairing bye."""
        return any(r.opponent is not None or r.kind in _PAIRED_ALONE for r in self.records)


_PAIRED_ALONE = (RoundKind.PAIRING_BYE, RoundKind.FORFEIT_WIN, RoundKind.FORFEIT_LOSS)


@dataclass(frozen=True, slots=True)
class PairingProblem:
    """A round to pair.

    Attributes:
        round_number: of the round to pair, from 1.
        rounds_total: of the event.
        contestants: those who play this round, by TPN; requested byes and withdrawn players are left out.
        odd_tpn_is_first: the drawn initial colour: whether odd TPNs get the first side (C.04.3 5.1).
        forbidden: pairs of TPNs that must not meet in this round.
        points: what a round is worth.
        absent: the others of the event. They are not paired; their records tell who floated, and they count in the
            parity of the TPNs (C.04.3 5.2.5) once they have been paired.
    """

    round_number: int
    rounds_total: int
    contestants: tuple[Contestant, ...]
    odd_tpn_is_first: bool = True
    forbidden: frozenset[frozenset[int]] = frozenset()
    points: PointSystem = STANDARD_POINTS
    absent: tuple[Contestant, ...] = ()

    def __post_init__(self) -> None:
        everybody = (*self.contestants, *self.absent)
        tpns = [c.tpn for c in everybody]
        if len(set(tpns)) != len(tpns):
            raise BadProblemError("two contestants have the same TPN")
        for contestant in everybody:
            if len(contestant.records) != self.round_number - 1:
                raise BadProblemError(
                    f"TPN {contestant.tpn} has {len(contestant.records)} records before round {self.round_number}"
                )

    def uncounted_before(self, tpn: int) -> int:
        """How many TPNs before that one belong to players who are absent and have never been paired.

        They do not count in the parity of C.04.3 5.2.5, as their numbers are provisional (C.04.2 2.5).
        """
        return sum(c.tpn < tpn and not c.was_ever_paired for c in self.absent)

    def to_json(self) -> dict[str, Any]:
        """The problem as JSON data; `from_json` reads it back."""
        return {
            "round_number": self.round_number,
            "rounds_total": self.rounds_total,
            "odd_tpn_is_first": self.odd_tpn_is_first,
            "forbidden": sorted(sorted(pair) for pair in self.forbidden),
            "points": asdict(self.points),
            "contestants": [asdict(contestant) for contestant in self.contestants],
            "absent": [asdict(contestant) for contestant in self.absent],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PairingProblem:
        """The problem stored as `data`. Raises BadProblemError."""
        try:
            return cls(
                round_number=data["round_number"],
                rounds_total=data["rounds_total"],
                contestants=_contestants(data["contestants"]),
                odd_tpn_is_first=data["odd_tpn_is_first"],
                forbidden=frozenset(frozenset(pair) for pair in data["forbidden"]),
                # Rounds stored before there were point systems lack these.
                points=PointSystem(**data.get("points", {})),
                absent=_contestants(data.get("absent", ())),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadProblemError(f"not a stored pairing problem: {error!r}") from error


def _contestants(data: Iterable[Mapping[str, Any]]) -> tuple[Contestant, ...]:
    return tuple(
        Contestant(
            tpn=c["tpn"],
            records=tuple(
                RoundRecord(RoundKind(r["kind"]), r["opponent"], r["score_halves"])
                for r in c["records"]
            ),
            virtual_halves=tuple(c.get("virtual_halves", ())),
        )
        for c in data
    )


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
    """The answer: boards in board order, the TPN on the pairing bye or None, and the evidence."""

    boards: tuple[Board, ...]
    bye: int | None
    evidence: tuple[BoardEvidence, ...]
    brackets: tuple[BracketEvidence, ...] = ()


class PairingSystem(Protocol):
    """A way to pair a round."""

    @property
    def version(self) -> str:
        """Name and version, stored with every round it paired."""
        ...

    def pair(self, problem: PairingProblem) -> Solution:
        """The round's pairing; the same problem always gives the same answer. Raises NoPairingError."""
        ...
