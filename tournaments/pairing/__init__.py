"""Pairing systems: a `PairingProblem` in, pairs with evidence out. Pure: no Django, no clock, no chance of its own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
from tournaments.pairing.solution import (
    Board,
    BoardEvidence,
    BracketEvidence,
    CriterionValue,
    Idle,
    IdleReason,
    PairingSystem,
    Progress,
    Solution,
)

if TYPE_CHECKING:
    from tournaments.pairing.arena import Arena, ArenaScore, arena_points
    from tournaments.pairing.checker import violations
    from tournaments.pairing.double_knockout import DoubleKnockout
    from tournaments.pairing.dutch import Dutch
    from tournaments.pairing.knockout import Knockout
    from tournaments.pairing.ladder import PLACEMENT_GAMES, Ladder
    from tournaments.pairing.league import League
    from tournaments.pairing.round_robin import RoundRobin
    from tournaments.pairing.stages import GroupsKnockout
    from tournaments.pairing.swiss import Swiss

__all__ = [
    "PLACEMENT_GAMES",
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
    "IdleReason",
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
    "system",
    "violations",
]

# The module and the class of each.
_SYSTEMS = {
    "dutch": ("dutch", "Dutch"),
    "double-swiss": ("double_swiss", "DoubleSwiss"),
    "team": ("team", "SwissTeam"),
    "keizer": ("keizer", "Keizer"),
    "mcmahon": ("mcmahon", "McMahon"),
    "swiss": ("swiss", "Swiss"),
    "round-robin": ("round_robin", "RoundRobin"),
    "knockout": ("knockout", "Knockout"),
    "double-knockout": ("double_knockout", "DoubleKnockout"),
    "groups-knockout": ("stages", "GroupsKnockout"),
    "league": ("league", "League"),
    "arena": ("arena", "Arena"),
    "ladder": ("ladder", "Ladder"),
}
_LATER = {
    "ArenaScore": "arena",
    "arena_points": "arena",
    "violations": "checker",
    "PLACEMENT_GAMES": "ladder",
    **{name: module for module, name in _SYSTEMS.values()},
}


def _later(name: str) -> Any:  # noqa: ANN401  # a class or a function
    """The class or function of that name, whose module is loaded now."""
    if name in _LATER:
        return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:
    # A command that pairs one round needs one system of nine: 0.1 s less to start.
    __getattr__ = _later


def system(name: str, progress: Progress | None = None) -> PairingSystem:
    """The pairing system of that name. Raises BadProblemError for a name we do not have.

    `progress` is told how far a round is, by the systems whose work is long enough to ask.
    """
    if name not in _SYSTEMS:
        raise BadProblemError(f"{name!r} is no pairing system; there are {sorted(_SYSTEMS)}")
    if name == "dutch":
        dutch: PairingSystem = _later("Dutch")(progress)
        return dutch
    other: PairingSystem = _later(_SYSTEMS[name][1])()
    return other
