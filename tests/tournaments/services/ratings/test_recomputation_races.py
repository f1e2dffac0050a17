"""A correction and a worker that computes the pool again, at one moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

import pytest
from django.db import connection

from tests.tournaments import pages
from tournaments.models import Pool, User
from tournaments.ratings.systems import RatingStanding
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.ratings import bulk, recomputations, recompute

pytestmark = [pytest.mark.engines, pytest.mark.long, pytest.mark.django_db(transaction=True)]
_PATIENCE_S = 10.0
_WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def test_a_correction_waits_for_a_step_and_neither_dies_of_a_deadlock(
    erasable: None, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recomputations, "ROWS_AT_ONCE", 0)
    one, two = (players.add_bot(name=f"Bot {n}", engine="random") for n in range(2))
    games = [pages.finished_game(one, two, "first") for _ in range(4)]
    ana.is_superuser = True
    ana.save()
    corrections.correct(game_id=games[0].pk, actor=ana, result="second", reason="the score sheet")
    pool = Pool.objects.get()
    answers: list[object] = []

    def correct() -> None:
        try:
            answers.append(
                corrections.correct(
                    game_id=games[1].pk, actor=ana, result="draw", reason="the score sheet"
                )
            )
        finally:
            connection.close()

    thread = threading.Thread(target=correct)
    write = bulk.write_ratings

    def write_when_it_waits(pool_id: int, right: Mapping[int, RatingStanding]) -> None:
        if not thread.ident:
            thread.start()
            _wait_for_a_waiter()
        write(pool_id, right)

    monkeypatch.setattr(bulk, "write_ratings", write_when_it_waits)
    is_done = recomputations.work(pool.pk)
    thread.join()
    assert len(answers) == 1
    assert is_done or recomputations.work(pool.pk)
    assert list(recompute.verify(pool)) == []


def _wait_for_a_waiter() -> None:
    """Wait until the other transaction waits. SQLite starts it when this one has ended."""
    if connection.vendor != "postgresql":
        return
    until = time.monotonic() + _PATIENCE_S
    with connection.cursor() as cursor:
        while time.monotonic() < until:
            # A transaction remembers who was there when it first asked.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(_WAITING)
            if cursor.fetchone()[0]:
                return
            time.sleep(0.01)
    pytest.fail("nobody waits for the step")
