"""Games that a player has left."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F

from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import Game, Player, WebProcess
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.services.clocks import outages
from tournaments.services.games import attendance
from tournaments.services.games.attendance import Process, Seat

_MINUTES_AGO = 3


def left_game(first: Player, second: Player) -> Game:
    """Return a game that `second`, who is to move, left three minutes ago."""
    now = database_time.now
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database_time, "now", lambda: now() - timedelta(minutes=_MINUTES_AGO))
        patch.setattr(outages, "notice", lambda _: None)
        game = pages.new_game(first, second, "morlox(size=5)", clock=Clock(600_000), is_rated=False)
        for _ in range(3):
            pages.move(game)
    seat, process = Seat(game.pk, "second"), Process("old", now())
    attendance.arrive(seat, process)
    attendance.leave(seat, process, for_s=_MINUTES_AGO * 60)
    # Only the time of a living process counts, and the tests of a file share the game.
    WebProcess.objects.update(
        started_at=F("started_at") - timedelta(hours=1), lease_until=now() + timedelta(hours=1)
    )
    return game
