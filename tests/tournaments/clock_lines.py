"""The ledger of a game's clocks, as tests compare it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.queries.clocks import ledger

if TYPE_CHECKING:
    from tournaments.models import Game


def of(game: Game) -> list[tuple[str, str, int]]:
    """Return the side, the reason and the milliseconds of each line."""
    return [(line.side, line.reason.value, line.ms) for line in ledger.of_game(game)]


def reasons(game: Game) -> list[tuple[str, int]]:
    """Return the reason and the milliseconds of each line."""
    return [(reason, ms) for _, reason, ms in of(game)]
