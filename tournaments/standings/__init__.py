"""Scores, tie-breaks and the crosstable.

Pure: standings are computed from the results, never stored.
"""

from tournaments.house_rules import HouseRules
from tournaments.round_kinds import Kind
from tournaments.standings.breakdown import Breakdown, Term, breakdown, encounter_breakdown
from tournaments.standings.catalogue import (
    CATALOGUE,
    DEFAULTS,
    TieBreak,
    misfits,
    tie_break,
    tie_breaks,
)
from tournaments.standings.columns import Column, column, decimal_text
from tournaments.standings.cuts import Cut
from tournaments.standings.encounter import Encounter, Meeting
from tournaments.standings.entry import Combination, Entry
from tournaments.standings.errors import BadFieldError, StandingsError, UnknownTieBreakError
from tournaments.standings.field import (
    Edition,
    Field,
    Game,
    Participant,
    RatingFrom,
    Reason,
    Scoring,
    System,
    edition_at,
)
from tournaments.standings.names import Modifiers
from tournaments.standings.ranking import Place, Ranking, ranking

__all__ = [
    "CATALOGUE",
    "DEFAULTS",
    "BadFieldError",
    "Breakdown",
    "Column",
    "Combination",
    "Cut",
    "Edition",
    "Encounter",
    "Entry",
    "Field",
    "Game",
    "HouseRules",
    "Kind",
    "Meeting",
    "Modifiers",
    "Participant",
    "Place",
    "Ranking",
    "RatingFrom",
    "Reason",
    "Scoring",
    "StandingsError",
    "System",
    "Term",
    "TieBreak",
    "UnknownTieBreakError",
    "breakdown",
    "column",
    "decimal_text",
    "edition_at",
    "encounter_breakdown",
    "misfits",
    "ranking",
    "tie_break",
    "tie_breaks",
]
