"""Rows between Ana and others: a seek, a message, and a puzzle that she has tried."""

from __future__ import annotations

from tests.tournaments import puzzle_rows
from tournaments.models import User
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.games import private_messages
from tournaments.services.lobby import seeks
from tournaments.services.puzzles import tries


def values(ana: User, ben: User) -> dict[str, str]:
    """Return the values that a reader sets in the examples."""
    seeks.create(player=ana.player, ruleset="morelli", clock=Clock(180_000, 2_000))
    line = private_messages.write(author=ben.player, recipient=ana.player, text="Hello")
    return {"MESSAGE": str(line.pk)}


def other_values(ana: User) -> dict[str, dict[str, str]]:
    """Return the values that a reader sets differently for single operations."""
    puzzle = puzzle_rows.stored(1)
    tries.note(ana.player, puzzle.pk, is_solved=False)
    return {"puzzle-report": {"PUZZLE": str(puzzle.pk)}}
