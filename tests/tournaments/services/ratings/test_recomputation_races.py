"""A correction and a worker that computes the pool again, at one moment."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pytest
from django.db import connection

from tests.tournaments import pages, waiting
from tournaments.models import Pool, User
from tournaments.ratings.systems import RatingStanding
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.ratings import bulk, recomputations, recompute

pytestmark = [pytest.mark.engines, pytest.mark.long, pytest.mark.django_db(transaction=True)]


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
            waiting.for_a_lock()
        write(pool_id, right)

    monkeypatch.setattr(bulk, "write_ratings", write_when_it_waits)
    is_done = recomputations.work(pool.pk)
    thread.join()
    assert len(answers) == 1
    assert is_done or recomputations.work(pool.pk)
    assert list(recompute.verify(pool)) == []
