"""Puzzles to try next, the puzzle of the day, their themes, and the days in a row of a solver."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django.core.cache import cache
from django.db.models import F, Q
from django.db.models.functions import Abs, TruncDate

import games
from games.presentation import Drill
from tournaments.models import Player, Puzzle, PuzzleRating, PuzzleTry
from tournaments.models.puzzles import PuzzleQuerySet

_NEW_CENTIELO = 1500_00
# Puzzles whose lines are played to find one of a theme, at a third of a millisecond each.
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
    """Return the themes of the latest puzzles of a game, in the order of the game. They are messages."""
    latest = Puzzle.objects.of(family).order_by("-pk")
    number = latest.values_list("pk", flat=True).first()
    key = f"puzzle-themes:{family}:{number}"
    names: Sequence[str] | None = cache.get(key)
    if names is None:
        fitting = {name for puzzle in latest[:_MOST_READ] for name in themes_of(puzzle)}
        themes = games.family_of(family).presentation.themes
        names = [theme.name for theme in themes if theme.name in fitting]
        cache.set(key, names, _THEMES_FOR_S)
    return names


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
    if player is None:
        return _first(known.filter(pk__gt=after).order_by("pk"), theme) or _first(
            known.order_by("pk"), theme
        )
    tries = PuzzleTry.objects.filter(player=player).values("puzzle")
    own = rating_of(player, family)
    centielo = own.centielo if own else _NEW_CENTIELO
    untried = known.exclude(pk__in=tries)
    return _first(untried.order_by(Abs(F("centielo") - centielo), "pk"), theme)


def _first(puzzles: PuzzleQuerySet, theme: str) -> Puzzle | None:
    if not theme:
        return puzzles.first()
    fitting = (each for each in puzzles[:_MOST_READ] if theme in themes_of(each))
    return next(fitting, None)


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
