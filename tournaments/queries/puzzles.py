"""Puzzles to try next, the puzzle of the day, and the days in a row of a solver."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db.models import F
from django.db.models.functions import Abs

from tournaments.models import Player, Puzzle, PuzzleRating, PuzzleTry

_NEW_CENTIELO = 1500_00
# Tries that are looked at: a year of five puzzles a day.
_MOST_TRIES = 2_000


def of_the_day(family: str, now: datetime) -> Puzzle | None:
    """Return the puzzle of the day (UTC), or None in a game without puzzles.

    It is one of the puzzles made before that day, or of all if there is none. So it stays the same
    all day.
    """
    day = now.astimezone(UTC).date()
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    known = Puzzle.objects.of(family)
    before = known.filter(made_at__lt=midnight)
    chosen = before if before.exists() else known
    count = chosen.count()
    return chosen.order_by("pk")[day.toordinal() % count] if count else None


def next_for(family: str, player: Player | None, *, after: int = 0) -> Puzzle | None:
    """Return an untried puzzle near the player's rating; for other visitors the next one after number `after`.

    None if there is none left.
    """
    known = Puzzle.objects.of(family)
    if player is None:
        return known.filter(pk__gt=after).order_by("pk").first() or known.order_by("pk").first()
    tries = PuzzleTry.objects.filter(player=player).values("puzzle")
    own = rating_of(player, family)
    centielo = own.centielo if own else _NEW_CENTIELO
    return known.exclude(pk__in=tries).order_by(Abs(F("centielo") - centielo), "pk").first()


def rating_of(player: Player, family: str) -> PuzzleRating | None:
    """Return the player's rating as a solver, or None before the first rated try."""
    return PuzzleRating.objects.filter(player=player, family=family).first()


def days_in_a_row(player: Player, now: datetime) -> int:
    """Return the number of days in a row, up to today or yesterday, on which the player solved a puzzle."""
    solved = PuzzleTry.objects.filter(player=player, is_solved=True).order_by("-tried_at")
    days = {
        moment.astimezone(UTC).date()
        for moment in solved.values_list("tried_at", flat=True)[:_MOST_TRIES]
    }
    day = now.astimezone(UTC).date()
    if day not in days:
        day -= timedelta(days=1)
    count = 0
    while day in days:
        count, day = count + 1, day - timedelta(days=1)
    return count
