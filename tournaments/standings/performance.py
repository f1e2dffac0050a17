"""Tie-breaks from ratings (C.07 10): games over the board only, worth 1, 1/2 and 0 in any point system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.standings.buchholz import met_rows
from tournaments.standings.field import Field, Reason, Row
from tournaments.standings.rating_tables import (
    CERTAIN,
    expected_hundredths,
    rating_difference,
    rounded_half_up,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.standings.names import Modifiers

_NOTHING = Row((), (), (), ())
# 10.3: no points at all are a performance that far below the weakest opponent.
_ZERO_SCORE = 800


def _ratings(field: Field, modifiers: Modifiers) -> list[int] | None:
    """Return all ratings, or None if a participant has no rating and the name defines no rating for them (10)."""
    ratings = [modifiers.unrated if r is None else r for r in field.ratings]
    known = [r for r in ratings if r is not None]
    return known if len(known) == len(ratings) else None


def opponents_ratings(field: Field, modifiers: Modifiers) -> list[Row]:
    """Return ARO (10.1), the base of TPR and PTP: ratings of the opponents met over the board.

    A later rating of an opponent replaces the first one in the games of its rounds.
    """
    ratings = _ratings(field, modifiers)
    if ratings is None:
        return [_NOTHING] * len(field.ids)
    rows = met_rows(field, ratings)
    return [_with_later(field, row) for row in rows] if any(field.later_ratings) else rows


def _with_later(field: Field, row: Row) -> Row:
    later = [field.later_rating(o, r) for o, r in zip(row.opponents, row.rounds, strict=True)]
    worth = [one if new is None else new for one, new in zip(row.worth, later, strict=True)]
    reasons = [None if new is None else Reason.LATER_RATING for new in later]
    return row._replace(worth=worth, strength=worth, reasons=reasons)


def own_rating(field: Field, modifiers: Modifiers) -> list[Row]:
    """RTNG (10.6, 2026): the own rating. It belongs to no round: later ratings do not change it."""
    ratings = _ratings(field, modifiers)
    if ratings is None:
        return [_NOTHING] * len(field.ids)
    return [Row((-1,), (-1,), (r,), (r,)) for r in ratings]


def performance_bonus(halves: int, games: int) -> int:
    """Return the rating points that the score adds to the opponents' average rating (10.2, B.02 8.1.1).

    The score is in half points. The points a game are rounded to hundredths, halves up.
    """
    return rating_difference(rounded_half_up(50 * halves, games))


def performance_rating(halves: int, ratings: Sequence[int]) -> int | None:
    """Return TPR (10.2): the opponents' average rating, rounded, and the bonus for the score.

    It is None without a game.
    """
    if not ratings:
        return None
    mean = rounded_half_up(sum(ratings), len(ratings))
    return mean + performance_bonus(halves, len(ratings))


def perfect_performance(halves: int, ratings: Sequence[int]) -> int | None:
    """Return PTP (10.3): the lowest rating whose expected score against these is at least the score.

    It is None without a game.
    """
    if not ratings:
        return None
    if halves == 0:
        return min(ratings) - _ZERO_SCORE
    score = 50 * halves
    low, high = min(ratings) - CERTAIN, max(ratings) + CERTAIN  # too little, and enough
    # Near the performance rating as a rule: from there 2,000 players take half the time.
    guess, step = performance_rating(halves, ratings) or low, 8
    while high - low > 1:
        middle = guess if low < guess < high else (low + high) // 2
        if sum(expected_hundredths(middle, ratings)) >= score:
            high = middle
            guess = middle - step
        else:
            low = middle
            guess = middle + step
        step *= 2
    return high


def opponents_performance(field: Field, modifiers: Modifiers) -> list[Row]:
    """APRO (10.4): TPR of the opponents met over the board."""
    rows = opponents_ratings(field, modifiers)
    return _of_opponents(
        field,
        [performance_rating(h, r.worth) for h, r in zip(field.met_halves, rows, strict=True)],
    )


def opponents_perfect(field: Field, modifiers: Modifiers) -> list[Row]:
    """APPO (10.5): PTP of the opponents met over the board."""
    return _of_opponents(field, perfect_performances(field, modifiers))


def perfect_performances(field: Field, modifiers: Modifiers) -> list[int | None]:
    """Return PTP of all participants (10.3)."""
    key = f"perfect {modifiers.unrated}"
    if key not in field.numbers:
        rows = opponents_ratings(field, modifiers)
        field.numbers[key] = [
            perfect_performance(h, r.worth) for h, r in zip(field.met_halves, rows, strict=True)
        ]
    return field.numbers[key]


def _of_opponents(field: Field, values: list[int | None]) -> list[Row]:
    known = [0 if v is None else v for v in values]  # whoever was met has played
    if all(v is None for v in values):
        return [_NOTHING] * len(field.ids)
    return met_rows(field, known)
