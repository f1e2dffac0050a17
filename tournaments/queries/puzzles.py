"""Puzzles to try next, the puzzle of the day, their themes, and the days in a row of a solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from django.core.cache import cache
from django.db.models import F, Q
from django.db.models.functions import Abs, TruncDate

import games
from games.presentation import Drill
from tournaments.models import Player, Puzzle, PuzzleRating, PuzzleTry

_NEW_CENTIELO = 1500_00
# Puzzles whose lines are played to find their themes, at a third of a millisecond each.
_MOST_READ = 1_000
_THEMES_FOR_S = 24 * 3600


def drill_of(puzzle: Puzzle) -> Drill:
    """Return the position of the puzzle with its line."""
    position = games.load(puzzle.ruleset).parse(puzzle.position)
    return Drill(position=position, lines=[puzzle.line])


def themes_of(puzzle: Puzzle) -> Sequence[str]:
    """Return the names of the themes of the solver's moves, each once. They are messages."""
    position = games.load(puzzle.ruleset).parse(puzzle.position)
    return games.family_of(puzzle.family).presentation.themes_of(position, puzzle.line)


def offered_themes(family: str) -> Sequence[str]:
    """Return the themes that puzzles of a game have, in the order of the game. They are messages."""
    numbers = _numbers_by_theme(family)
    themes = games.family_of(family).presentation.themes
    return [theme.name for theme in themes if theme.name in numbers]


def _numbers_by_theme(family: str) -> Mapping[str, Sequence[int]]:
    """Return the numbers of the latest puzzles of a game by theme.

    They are stored until there is a new puzzle, because the line of each must be played.
    """
    latest = Puzzle.objects.of(family).order_by("-pk")
    key = f"puzzle-themes:{family}:{latest.values_list('pk', flat=True).first()}"
    numbers: dict[str, list[int]] | None = cache.get(key)
    if numbers is None:
        numbers = {}
        for puzzle in latest[:_MOST_READ]:
            for theme in themes_of(puzzle):
                numbers.setdefault(theme, []).append(puzzle.pk)
        cache.set(key, numbers, _THEMES_FOR_S)
    return numbers


def of_the_day(family: str, now: datetime) -> Puzzle | None:
    """Return the puzzle of the day (UTC), or None in a game without puzzles.

    It is one of the puzzles made before that day, or the first of all if there is none. A puzzle
    that is withdrawn during the day still counts, so that the others keep their days. If it is the
    puzzle of the day, the next one takes its place.
    """
    day = now.astimezone(UTC).date()
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    at_midnight = Puzzle.objects.filter(
        Q(withdrawn_at=None) | Q(withdrawn_at__gte=midnight), family=family, made_at__lt=midnight
    ).order_by("pk")
    known = Puzzle.objects.of(family).order_by("pk")
    count = at_midnight.count()
    if not count:
        return known.first()
    chosen = at_midnight[day.toordinal() % count]
    if chosen.withdrawn_at is None:
        return chosen
    return known.filter(pk__gt=chosen.pk).first() or known.first()


def next_for(
    family: str, player: Player | None, *, after: int = 0, theme: str = ""
) -> Puzzle | None:
    """Return an untried puzzle near the player's rating; for other visitors the next one after number `after`.

    With `theme`, a puzzle that has it. None if there is none left.
    """
    known = Puzzle.objects.of(family)
    if theme:
        known = known.filter(pk__in=_numbers_by_theme(family).get(theme, ()))
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
    """Return the number of days (UTC) in a row, up to today or yesterday, on which the player solved a puzzle."""
    solved = PuzzleTry.objects.filter(player=player, is_solved=True)
    days = set(
        solved.annotate(day=TruncDate("tried_at", tzinfo=UTC))
        .values_list("day", flat=True)
        .distinct()
    )
    day = now.astimezone(UTC).date()
    if day not in days:
        day -= timedelta(days=1)
    count = 0
    while day in days:
        count, day = count + 1, day - timedelta(days=1)
    return count
