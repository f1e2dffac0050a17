"""Elo after each game, in hundredths of a point and millionths of an expected score.

All numbers are integers, so that they are equal on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from tournaments.ratings.errors import RuleSetError

INITIAL_CENTIELO = 1500_00


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a rating by one game, in hundredths of a point, and its terms."""

    delta_centielo: int
    expected_millionths: int
    k_factor: int


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the formula.

    A changed formula is a new edition, and old ledger rows keep theirs.

    Attributes:
        formula: its name, stored with every ledger entry.
        since: the first day whose games it rates.
        max_difference_centielo: a larger difference of ratings counts as this one (FIDE B.02 8.3.1:
            400 points).
        k_new, new_games: K in a player's first games, and how many these are.
        k_normal: K after them.
        k_master, master_centielo: K once this rating was reached, and the rating.
    """

    formula: str
    since: date
    max_difference_centielo: int = 400_00
    k_new: int = 40
    new_games: int = 30
    k_normal: int = 20
    k_master: int = 10
    master_centielo: int = 2400_00

    def expected_millionths(self, rating_centielo: int, opponent_centielo: int) -> int:
        """Expected score against the opponent in millionths of a point, 0 to 1,000,000.

        Logistic form (Elo 1978).
        """
        difference = self.counted_centielo(opponent_centielo - rating_centielo)
        return round(1_000_000 / (1 + 10 ** (difference / 400_00)))

    def counted_centielo(self, difference_centielo: int) -> int:
        """Return the difference of two ratings as it counts, in hundredths of a point."""
        bound = self.max_difference_centielo
        return max(-bound, min(bound, difference_centielo))

    def k_factor(self, *, games: int, peak_centielo: int) -> int:
        """Return the development coefficient of a player (FIDE B.02 8.3.3)."""
        if peak_centielo >= self.master_centielo:
            return self.k_master
        return self.k_new if games < self.new_games else self.k_normal

    def change(
        self, *, rating_centielo: int, opponent_centielo: int, score_halves: int, k: int
    ) -> Change:
        """Return the change of a rating by one game, rounded half away from zero.

        `score_halves` is 0, 1 or 2.
        """
        expected = self.expected_millionths(rating_centielo, opponent_centielo)
        surplus = k * (score_halves * 500_000 - expected)  # in millionths of a point
        magnitude = (abs(surplus) + 5_000) // 10_000
        return Change(magnitude if surplus >= 0 else -magnitude, expected, k)


# Editions by their first days, the oldest first.
EDITIONS: tuple[Edition, ...] = (Edition("elo-1", date.min),)


def edition_on(day: date) -> Edition:
    """Return the edition that rates games which end on `day`.

    Raises RuleSetError before the first edition.
    """
    in_force = [edition for edition in EDITIONS if edition.since <= day]
    if not in_force:
        raise RuleSetError(f"no Elo formula for {day}: known since {EDITIONS[0].since}")
    return in_force[-1]


def edition_named(formula: str) -> Edition:
    """Return the edition of a ledger entry. Raises RuleSetError for a name that we do not know."""
    for edition in EDITIONS:
        if edition.formula == formula:
            return edition
    raise RuleSetError(f"no Elo formula {formula[:20]!r}")
