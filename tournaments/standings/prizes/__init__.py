"""The prizes of an event: a fund, its rules, and the awards by the standings. Pure and exact."""

from tournaments.standings.prizes.award import Award, Awards, Candidate, awards
from tournaments.standings.prizes.fund import (
    BadFundError,
    Category,
    Fund,
    Kind,
    Prize,
    Rules,
    Sharing,
    split,
)

__all__ = [
    "Award",
    "Awards",
    "BadFundError",
    "Candidate",
    "Category",
    "Fund",
    "Kind",
    "Prize",
    "Rules",
    "Sharing",
    "awards",
    "split",
]
