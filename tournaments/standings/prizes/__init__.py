"""The prizes of an event: a fund, its rules, and the awards by the standings. Pure and exact."""

from tournaments.standings.prizes.award import Award, Awards, Candidate, awards
from tournaments.standings.prizes.categories import BadFundError, Category, Kind, Member, labels_in
from tournaments.standings.prizes.fund import Fund, Prize, Rules, Sharing, split

__all__ = [
    "Award",
    "Awards",
    "BadFundError",
    "Candidate",
    "Category",
    "Fund",
    "Kind",
    "Member",
    "Prize",
    "Rules",
    "Sharing",
    "awards",
    "labels_in",
    "split",
]
