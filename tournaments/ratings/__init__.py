"""Rating formulas. Pure: a formula version and numbers in, numbers out."""

from tournaments.ratings.elo import (
    FORMULA,
    INITIAL_CENTIELO,
    Change,
    change,
    expected_millionths,
    k_factor,
)

__all__ = ["FORMULA", "INITIAL_CENTIELO", "Change", "change", "expected_millionths", "k_factor"]
