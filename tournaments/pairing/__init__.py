"""Pairing systems: a `PairingProblem` in, pairs with evidence out. Pure: no Django, no clock, no chance of its own."""

from __future__ import annotations

from tournaments.pairing.arena import Arena, ArenaScore, arena_points
from tournaments.pairing.checker import faults
from tournaments.pairing.double_knockout import DoubleKnockout
from tournaments.pairing.dutch import Dutch
from tournaments.pairing.knockout import Knockout
from tournaments.pairing.ladder import Ladder
from tournaments.pairing.league import League
from tournaments.pairing.problem import (
    BadProblemError,
    Contestant,
    EventDecidedError,
    FormatOptions,
    NoPairingError,
    PairingError,
    PairingProblem,
    PointSystem,
    RoundKind,
    RoundRecord,
)
from tournaments.pairing.round_robin import RoundRobin
from tournaments.pairing.solution import (
    Board,
    BoardEvidence,
    BracketEvidence,
    CriterionValue,
    Idle,
    PairingSystem,
    Progress,
    Solution,
)
from tournaments.pairing.stages import GroupsKnockout
from tournaments.pairing.swiss import Swiss

__all__ = [
    "Arena",
    "ArenaScore",
    "BadProblemError",
    "Board",
    "BoardEvidence",
    "BracketEvidence",
    "Contestant",
    "CriterionValue",
    "DoubleKnockout",
    "Dutch",
    "EventDecidedError",
    "FormatOptions",
    "GroupsKnockout",
    "Idle",
    "Knockout",
    "Ladder",
    "League",
    "NoPairingError",
    "PairingError",
    "PairingProblem",
    "PairingSystem",
    "PointSystem",
    "Progress",
    "RoundKind",
    "RoundRecord",
    "RoundRobin",
    "Solution",
    "Swiss",
    "arena_points",
    "faults",
    "system",
]


_SYSTEMS: tuple[PairingSystem, ...] = (
    Swiss(),
    RoundRobin(),
    Knockout(),
    DoubleKnockout(),
    GroupsKnockout(),
    League(),
    Arena(),
    Ladder(),
)


def system(name: str, progress: Progress | None = None) -> PairingSystem:
    """The pairing system of that name. Raises BadProblemError for a name we do not have.

    `progress` is told how far a round is, by the systems whose work is long enough to ask.
    """
    systems: dict[str, PairingSystem] = {s.name: s for s in (Dutch(progress), *_SYSTEMS)}
    if name not in systems:
        raise BadProblemError(f"{name!r} is no pairing system; there are {sorted(systems)}")
    return systems[name]
