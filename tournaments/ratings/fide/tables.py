"""The two conversion tables of the FIDE Rating Regulations (B.02 8.1).

All numbers are whole hundredths.
"""

from __future__ import annotations

from bisect import bisect_left

from tournaments.ratings.errors import InputError

# 8.1.1: dp for the scores .50, .51, ... 1.00. Below .50 it is -dp(1 - p).
_DP = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149),
    *(158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336),
    *(351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
)
# 8.1.2: the highest difference at which the higher player's probability is .50, .51, ... .99. Above
# the last it is 1.
_HIGHEST = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153),
    *(162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344),
    *(357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)
# The smallest difference from which the table promises the whole point.
CERTAIN_ELO = _HIGHEST[-1] + 1


def scoring_probability(difference_elo: int) -> int:
    """PD for a player rated `difference_elo` points above the opponent (8.1.2).

    It is in hundredths of a point, 0 to 100.
    """
    higher = 50 + bisect_left(_HIGHEST, abs(difference_elo))
    return higher if difference_elo >= 0 else 100 - higher


def rating_difference(percent: int) -> int:
    """Return the dp for a score of `percent` hundredths of the points, in Elo points, -800 to 800 (8.1.1).

    Raises:
        InputError: `percent` is not between 0 and 100.
    """
    if not 0 <= percent <= 100:
        raise InputError(f"a score of {percent} %")
    return _DP[percent - 50] if percent >= 50 else -_DP[50 - percent]


def half_up(numerator: int, denominator: int) -> int:
    """Return the quotient rounded to the nearest whole number, a half upwards.

    `denominator` is positive.
    """
    return (2 * numerator + denominator) // (2 * denominator)


def half_away(hundredths: int) -> int:
    """Hundredths rounded to a whole number, a half away from zero (8.3.4)."""
    whole = (abs(hundredths) + 50) // 100
    return whole if hundredths >= 0 else -whole
