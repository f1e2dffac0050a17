"""Exercises of the courses that a player has done."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments import database_time
from tournaments.models import ExerciseDone, Player

# The family and the name of an exercise.
Key = tuple[str, str]


def done_by(player: Player) -> set[Key]:
    """Return the exercises that the player has done."""
    return set(player.exercises_done.values_list("family", "name"))


def note(player: Player, keys: Iterable[Key]) -> None:
    """Store that the player has done these exercises. Exercises stored before keep their time."""
    now = database_time.now()
    ExerciseDone.objects.bulk_create(
        (
            ExerciseDone(player=player, family=family, name=name, done_at=now)
            for family, name in sorted(keys)
        ),
        ignore_conflicts=True,
    )
