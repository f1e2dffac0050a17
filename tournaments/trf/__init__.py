"""FIDE report files (TRF16, its XX and BB extensions, TRF-2026): text in, `Report` out, and back. Pure."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tournaments.trf.errors import (
    BadReportError,
    TrfError,
    UnpairableReportError,
    UnrankableReportError,
)
from tournaments.trf.problems import (
    DOUBLE_SWISS,
    DUTCH,
    doubts,
    is_accelerated_by_name,
    is_of_matches,
    is_of_teams,
    odd_tpn_is_first,
    type_code,
)
from tournaments.trf.reading import (
    TEAM_RECORDS,
    decoded,
    faults,
    national_of,
    player_of_line,
    read,
)
from tournaments.trf.report import (
    AbnormalPoints,
    Absence,
    Code,
    Doubt,
    Forbidden,
    Header,
    LineUp,
    MatchForfeit,
    Player,
    Refused,
    Report,
    Result,
    Team,
    TeamByes,
    TeamRecords,
    VirtualPoints,
)
from tournaments.trf.rounds import pairing_problem, points_conflict, points_halves, rounds_played

if TYPE_CHECKING:
    from tournaments.trf.match_problems import (
        TeamRounds,
        match_boards,
        match_problem,
        match_scores,
    )
    from tournaments.trf.matches import Match, team_system
    from tournaments.trf.older import Adjustment, adjusted
    from tournaments.trf.standings import (
        LOTS,
        RATING_FROM,
        RATING_OF_ROUND,
        announced_tie_breaks,
        day_of,
        end_date,
        is_about_ratings,
        later_ratings,
        round_dates,
        standings_field,
        start_date,
        system_of,
        takes_rating_of_round,
        team_field,
    )
    from tournaments.trf.writing import DUTCH_2025, DUTCH_2026, NAME_WIDTH, national_header, write
    from tournaments.trf.writing16 import write16

__all__ = [
    "DOUBLE_SWISS",
    "DUTCH",
    "DUTCH_2025",
    "DUTCH_2026",
    "LOTS",
    "NAME_WIDTH",
    "RATING_FROM",
    "RATING_OF_ROUND",
    "TEAM_RECORDS",
    "AbnormalPoints",
    "Absence",
    "Adjustment",
    "BadReportError",
    "Code",
    "Doubt",
    "Forbidden",
    "Header",
    "LineUp",
    "Match",
    "MatchForfeit",
    "Player",
    "Refused",
    "Report",
    "Result",
    "Team",
    "TeamByes",
    "TeamRecords",
    "TeamRounds",
    "TrfError",
    "UnpairableReportError",
    "UnrankableReportError",
    "VirtualPoints",
    "adjusted",
    "announced_tie_breaks",
    "day_of",
    "decoded",
    "doubts",
    "end_date",
    "faults",
    "is_about_ratings",
    "is_accelerated_by_name",
    "is_of_matches",
    "is_of_teams",
    "later_ratings",
    "match_boards",
    "match_problem",
    "match_scores",
    "national_header",
    "national_of",
    "odd_tpn_is_first",
    "pairing_problem",
    "player_of_line",
    "points_conflict",
    "points_halves",
    "read",
    "round_dates",
    "rounds_played",
    "standings_field",
    "start_date",
    "system_of",
    "takes_rating_of_round",
    "team_field",
    "team_system",
    "type_code",
    "write",
    "write16",
]

_LATER = {
    "tournaments.trf.standings": (
        "LOTS",
        "RATING_FROM",
        "RATING_OF_ROUND",
        "announced_tie_breaks",
        "day_of",
        "end_date",
        "is_about_ratings",
        "later_ratings",
        "round_dates",
        "standings_field",
        "start_date",
        "system_of",
        "takes_rating_of_round",
        "team_field",
    ),
    "tournaments.trf.match_problems": (
        "TeamRounds",
        "match_boards",
        "match_problem",
        "match_scores",
    ),
    "tournaments.trf.matches": ("Match", "team_system"),
    "tournaments.trf.older": ("Adjustment", "adjusted"),
    "tournaments.trf.writing": (
        "DUTCH_2025",
        "DUTCH_2026",
        "NAME_WIDTH",
        "national_header",
        "write",
    ),
    "tournaments.trf.writing16": ("write16",),
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load a rarely used name when it is first asked for.

        See `tests/tournaments/pairing/test_startup.py`.
        """
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
