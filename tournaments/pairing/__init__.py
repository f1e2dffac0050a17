"""Pairing systems: a `PairingProblem` in, pairs with evidence out.

Pure: no Django, no clock, no randomness except seeds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

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
    ReportSystem,
    Solution,
)

if TYPE_CHECKING:
    from tournaments.pairing.arena import Arena, ArenaScore, arena_points
    from tournaments.pairing.checker import violations
    from tournaments.pairing.double_knockout import DoubleKnockout
    from tournaments.pairing.dutch import Dutch
    from tournaments.pairing.explained import ExplainedSystem
    from tournaments.pairing.knockout import Knockout
    from tournaments.pairing.ladder import PLACEMENT_GAMES, Ladder
    from tournaments.pairing.league import League
    from tournaments.pairing.round_robin import RoundRobin
    from tournaments.pairing.stages import GroupsKnockout
    from tournaments.pairing.swiss import Swiss

__all__ = [
    "PLACEMENT_GAMES",
    "SYSTEMS",
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
    "ReportSystem",
    "RoundKind",
    "RoundRecord",
    "RoundRobin",
    "Solution",
    "Swiss",
    "SystemEntry",
    "arena_points",
    "explained_system",
    "report_system",
    "system",
    "violations",
]


class SystemEntry(NamedTuple):
    """A pairing system as events, files and commands know it. Its key in `SYSTEMS` is its name.

    Attributes:
        module, class_name: the class, whose module is loaded at its first use.
        title: its name in a report file (092) and in the help of the command line, which takes `--`
            with the key for it. Empty for systems that do not pair from report files. The class is
            a `ReportSystem` then.
        report_codes: the types of record 192 of report files that are this system. The first is
            written.
        has_progress: whether the class takes a `Progress`, since its work is long enough to ask.
        full_bye_bars_bye: whether a player with a requested full-point bye cannot have the
            pairing-allocated bye (C.04.1 4). The Dutch system of 2017 names other rounds alone (C.2).
    """

    module: str
    class_name: str
    title: str = ""
    report_codes: tuple[str, ...] = ()
    has_progress: bool = False
    full_bye_bars_bye: bool = True


SYSTEMS = {
    "dutch": SystemEntry(
        "dutch",
        "Dutch",
        title="FIDE Dutch",
        # TEC's table and the handbook differ in the year. All mean the rules in force since 1
        # February 2026.
        report_codes=("FIDE_DUTCH_2026", "FIDE_DUTCH_2025", "FIDE_DUTCH"),
        has_progress=True,
    ),
    "dutch-2017": SystemEntry(
        "dutch_2017",
        "Dutch2017",
        title="FIDE Dutch 2017",
        report_codes=("FIDE_DUTCH_2017",),
        full_bye_bars_bye=False,
    ),
    "burstein": SystemEntry(
        "burstein",
        "Burstein",
        title="FIDE Burstein",
        report_codes=("FIDE_BURSTEIN",),
    ),
    "dubov": SystemEntry("dubov", "Dubov", title="FIDE Dubov", report_codes=("FIDE_DUBOV",)),
    # TRF-2026 has no code for it.
    "lim": SystemEntry("lim", "Lim", title="FIDE Lim", report_codes=("FIDE_LIM",)),
    "double-swiss": SystemEntry(
        "double_swiss",
        "DoubleSwiss",
        title="FIDE Double-Swiss",
        report_codes=("FIDE_DOUBLESWISS",),
    ),
    "team": SystemEntry("team", "SwissTeam", title="FIDE Swiss Team", report_codes=("FIDE_TEAM",)),
    "team-round-robin": SystemEntry("round_robin", "RoundRobin"),
    "scheveningen": SystemEntry("scheveningen", "Scheveningen"),
    "team-match": SystemEntry("match", "TeamMatch"),
    "team-knockout": SystemEntry("knockout", "Knockout"),
    "keizer": SystemEntry("keizer", "Keizer", title="Keizer", report_codes=("CUSTOM_KEIZER",)),
    "mcmahon": SystemEntry("mcmahon", "McMahon", title="McMahon", report_codes=("CUSTOM_MCMAHON",)),
    "swiss": SystemEntry("swiss", "Swiss", report_codes=("CUSTOM_SWISS",)),
    "round-robin": SystemEntry("round_robin", "RoundRobin", report_codes=("BERGER_ROUNDROBIN",)),
    "match": SystemEntry("match", "Match"),
    "knockout": SystemEntry("knockout", "Knockout"),
    "double-knockout": SystemEntry("double_knockout", "DoubleKnockout"),
    "groups-knockout": SystemEntry("stages", "GroupsKnockout"),
    "league": SystemEntry("league", "League"),
    "arena": SystemEntry("arena", "Arena"),
    "ladder": SystemEntry("ladder", "Ladder"),
}
_LATER = {
    "ArenaScore": "arena",
    "arena_points": "arena",
    "violations": "checker",
    "PLACEMENT_GAMES": "ladder",
    **{entry.class_name: entry.module for entry in SYSTEMS.values()},
}


def _later(name: str) -> Any:  # noqa: ANN401  # a class or a function
    """Return the class or function of that name, whose module is loaded now."""
    if name in _LATER:
        return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:
    # A command that pairs one round needs one system of nine: 0.1 s less to start.
    __getattr__ = _later


def system(name: str, progress: Progress | None = None) -> PairingSystem:
    """Return the pairing system of that name. Raises BadProblemError for a name we do not have.

    Systems whose work is long report to `progress` how far a round is.
    """
    if name not in SYSTEMS:
        raise BadProblemError(f"{name!r} is no pairing system; there are {sorted(SYSTEMS)}")
    entry = SYSTEMS[name]
    answer: PairingSystem = _later(entry.class_name)(*(progress,) * entry.has_progress)
    return answer


def explained_system(name: str) -> ExplainedSystem | None:
    """Return the system of that name if it tells why a board is so."""
    # No round is paired by it.
    from tournaments.pairing.explained import ExplainedSystem

    answer = system(name)
    return answer if isinstance(answer, ExplainedSystem) else None


def report_system(name: str) -> ReportSystem:
    """Return the class of a system that pairs from report files, which has a `title`."""
    answer: ReportSystem = _later(SYSTEMS[name].class_name)()
    return answer
