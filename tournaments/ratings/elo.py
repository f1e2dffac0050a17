"""Elo after each game, in integers: hundredths of a point and millionths of an expectation, equal on every machine."""

from __future__ import annotations

from dataclasses import dataclass

# Stored with every ledger entry: a changed formula gets a new name, and old entries keep theirs.
FORMULA = "elo-1"
INITIAL_CENTIELO = 1500_00
# FIDE B.02 8.3.1: a larger difference counts as 400 points.
_MAX_DIFFERENCE = 400_00
_NEWCOMER_GAMES = 30
_MASTER_CENTIELO = 2400_00


@dataclass(frozen=True, slots=True)
class Change:
    """What a game does to one rating: the change in hundredths of a point, and what it was computed from."""

    delta_centielo: int
    expected_millionths: int
    k_factor: int


def expected_millionths(rating_centielo: int, opponent_centielo: int) -> int:
    """Expected score against the opponent in millionths of a point, 0 to 1,000,000. Logistic form (Elo 1978)."""
    difference = opponent_centielo - rating_centielo
    difference = max(-_MAX_DIFFERENCE, min(_MAX_DIFFERENCE, difference))
    return round(1_000_000 / (1 + 10 ** (difference / 400_00)))


def k_factor(*, games: int, peak_centielo: int) -> int:
    """Development coefficient (FIDE B.02 8.3.3): 10 once 2400 was reached, 40 in the first 30 games, else 20."""
    if peak_centielo >= _MASTER_CENTIELO:
        return 10
    return 40 if games < _NEWCOMER_GAMES else 20


def change(*, rating_centielo: int, opponent_centielo: int, score_halves: int, k: int) -> Change:
    """The change of a rating by one game scored with `score_halves` (0, 1 or 2), rounded half away from zero."""
    expected = expected_millionths(rating_centielo, opponent_centielo)
    surplus = k * (score_halves * 500_000 - expected)  # in millionths of a point
    magnitude = (abs(surplus) + 5_000) // 10_000
    return Change(magnitude if surplus >= 0 else -magnitude, expected, k)
