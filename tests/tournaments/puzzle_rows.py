"""Puzzles to test with: rows of the stock that comes with the software."""

from __future__ import annotations

from collections.abc import Sequence

from engine.kernel import puzzles
from tournaments import database_time
from tournaments.models import Puzzle


def stored(number: int = 0, family: str = "morelli", *, plies: int = 1) -> Puzzle:
    """Store a puzzle of the stock with this number of plies: number 0, 1, ... of those."""
    rows = [row for row in puzzles.stock(family) if len(row[2]) == plies]
    ruleset, position, line = rows[number]
    return Puzzle.objects.create(
        family=family,
        ruleset=ruleset,
        position=position,
        line=line,
        made_at=database_time.now(),
    )


def all_of_stock() -> Sequence[tuple[str, str, Sequence[str]]]:
    """Return the puzzles of all games."""
    return [row for family in ("morelli", "morlox", "perfect") for row in puzzles.stock(family)]
