"""FIDE report files (TRF16, its XX and BB extensions, TRF-2026): text in, `Report` out, and back. Pure."""

from tournaments.trf.errors import (
    BadReportError,
    TrfError,
    UnpairableReportError,
    UnrankableReportError,
)
from tournaments.trf.problems import DUTCH, pairing_problem, points_halves, rounds_played
from tournaments.trf.reading import decoded, read
from tournaments.trf.report import (
    AbnormalPoints,
    Absence,
    Code,
    Forbidden,
    Header,
    Player,
    Refused,
    Report,
    Result,
    VirtualPoints,
)
from tournaments.trf.standings import announced_tie_breaks, standings_field, start_date, system_of
from tournaments.trf.writing import write

__all__ = [
    "DUTCH",
    "AbnormalPoints",
    "Absence",
    "BadReportError",
    "Code",
    "Forbidden",
    "Header",
    "Player",
    "Refused",
    "Report",
    "Result",
    "TrfError",
    "UnpairableReportError",
    "UnrankableReportError",
    "VirtualPoints",
    "announced_tie_breaks",
    "decoded",
    "pairing_problem",
    "points_halves",
    "read",
    "rounds_played",
    "standings_field",
    "start_date",
    "system_of",
    "write",
]
