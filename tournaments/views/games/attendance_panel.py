"""Attendance on the page of a game: who is at the table, and the claim of the viewer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.queries.clocks import game_clocks
from tournaments.queries.games import attendance
from tournaments.queries.games.attendance import Absence
from tournaments.views.games.boards import GamePage


@dataclass(frozen=True, slots=True)
class SeatAttendance:
    """A player who is at the table, or has been away for `away_ms`."""

    away_ms: int | None

    @property
    def is_here(self) -> bool:
        """Return whether the player is at the table."""
        return self.away_ms is None


@dataclass(frozen=True, slots=True)
class AttendancePanel:
    """The attendance as the page shows it to one viewer.

    Attributes:
        top, bottom: the players above and below the board, None for bots and where the attendance is not known.
        claim_in_ms: the time until the viewer may claim the game, 0 if that is now, None without a claim.
    """

    top: SeatAttendance | None
    bottom: SeatAttendance | None
    claim_in_ms: int | None

    @property
    def may_claim(self) -> bool:
        """Return whether the viewer may claim the game now."""
        return self.claim_in_ms == 0


def panel(page: GamePage, now: datetime) -> AttendancePanel:
    """Return the attendance of the game for the viewer of `page`."""
    table = attendance.table(page.game, now)
    seats = {side: _seat(absence, now) for side, absence in table.seats.items()}
    is_waiting = page.side is not None and page.side != page.game.side_to_move
    claim_at = table.claim_at if is_waiting else None
    return AttendancePanel(
        top=seats.get(page.top.side),
        bottom=seats.get(page.bottom.side),
        claim_in_ms=None if claim_at is None else game_clocks.milliseconds(now, claim_at),
    )


def _seat(absence: Absence | None, now: datetime) -> SeatAttendance:
    if absence is None:
        return SeatAttendance(None)
    return SeatAttendance(game_clocks.milliseconds(absence.counts_from, now))
