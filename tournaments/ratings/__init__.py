"""Rating formulas. Pure: an edition of a formula and numbers in, numbers out."""

from tournaments.ratings.elo import INITIAL_CENTIELO, Change

__all__ = ["INITIAL_CENTIELO", "Change"]
