"""Rating differences and expected scores by the tables of the FIDE Rating Regulations (B.02 8.1), in integers."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from tournaments.standings.field import MOST_RATING

if TYPE_CHECKING:
    from collections.abc import Sequence

# 8.1.1: the difference for a fraction of .51, .52, ... 1.00 of the points. .50 is 0 and the table
# is symmetric.
_DIFFERENCES = (
    *(7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149),
    *(158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336),
    *(351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
)
# 8.1.2: the greatest difference at which the higher rated is expected to score .50, .51, ... .99.
_BOUNDS = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153),
    *(162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344),
    *(357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)
CERTAIN = _BOUNDS[-1] + 1  # from this difference on a win is expected in every game
_HIGHER = bytes(50 + bisect_left(_BOUNDS, difference) for difference in range(CERTAIN + 1))
_LOWER = bytes(100 - hundredths for hundredths in reversed(_HIGHER[1:]))
# One look-up for any two ratings of four digits, signed, and a performance beyond them.
_REACH = 2 * MOST_RATING + 1000
_SURE = _REACH - CERTAIN
_EXPECTED = bytes(_SURE) + _LOWER + _HIGHER + bytes((100,)) * _SURE


def expected_hundredths(rating: int, opponents: Sequence[int]) -> list[int]:
    """Expected score of `rating` against each opponent, in hundredths of a point, uncapped (B.02 8.1.2)."""
    middle = rating + _REACH
    return [_EXPECTED[middle - opponent] for opponent in opponents]


def rating_difference(hundredths: int) -> int:
    """Return the rating difference for a fraction of the points.

    The fraction is in hundredths from 0 to 100 (B.02 8.1.1).
    """
    if hundredths < 50:
        return -rating_difference(100 - hundredths)
    return _DIFFERENCES[hundredths - 51] if hundredths > 50 else 0


def rounded_half_up(numerator: int, denominator: int) -> int:
    """Return the nearest whole number to a fraction that is not negative, halves up.

    `denominator` is positive.
    """
    return (2 * numerator + denominator) // (2 * denominator)
