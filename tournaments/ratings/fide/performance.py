"""Performance ratings by the FIDE tables.

TPR is in C.07 10.2, the perfect tournament performance PTP in C.07 10.3.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from tournaments.ratings.errors import InputError
from tournaments.ratings.fide.tables import (
    CERTAIN_ELO,
    half_up,
    rating_difference,
    scoring_probability,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOTHING_SCORED_ELO = 800


def tournament_performance(opponents_elo: Sequence[int], *, score_halves: int) -> int:
    """Return TPR in Elo points.

    It is the opponents' average plus dp of the score, both rounded half up (C.07 10.2, B.01 1.4.8).

    Raises:
        InputError: no games, or a score that this number of games cannot give.
    """
    games = _check(opponents_elo, score_halves)
    average = half_up(sum(opponents_elo), games)
    return average + rating_difference(half_up(50 * score_halves, games))


def perfect_performance(opponents_elo: Sequence[int], *, score_halves: int) -> int:
    """Return PTP in Elo points.

    It is the lowest rating whose expected score is at least the score made (C.07 10.3).

    The 400-point rule does not apply. With a score of zero it is 800 below the lowest opponent.
    With a full score it is 736 above the highest.

    Raises:
        InputError: no games, or a score that this number of games cannot give.
    """
    games = _check(opponents_elo, score_halves)
    if score_halves == 0:
        return min(opponents_elo) - _NOTHING_SCORED_ELO
    if score_halves == 2 * games:
        return max(opponents_elo) + CERTAIN_ELO
    candidates = range(min(opponents_elo) - CERTAIN_ELO, max(opponents_elo) + CERTAIN_ELO + 1)
    index = bisect_left(
        candidates, 50 * score_halves, key=lambda rating: expected_score(rating, opponents_elo)
    )
    return candidates[index]


def expected_score(rating_elo: int, opponents_elo: Sequence[int]) -> int:
    """Return the sum of PD against `opponents_elo`, in hundredths of a point (8.1.2).

    The 400-point rule does not apply.
    """
    return sum(scoring_probability(rating_elo - opponent) for opponent in opponents_elo)


def _check(opponents_elo: Sequence[int], score_halves: int) -> int:
    games = len(opponents_elo)
    if not games:
        raise InputError("a performance without games")
    if not 0 <= score_halves <= 2 * games:
        raise InputError(f"{score_halves} half points in {games} games")
    return games
