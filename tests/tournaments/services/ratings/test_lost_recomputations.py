"""A worker that is killed in the middle of a pool: another continues, and every row exists once."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable

import pytest
from django.db import connections

from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import Game, LedgerEntry, Pool, Recomputation, User
from tournaments.queries.ratings import ledger_rows
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.ratings import bulk, recomputations, recompute, replay

pytestmark = [pytest.mark.engines, pytest.mark.long, pytest.mark.django_db(transaction=True)]


def test_a_worker_killed_within_a_step_costs_the_step(
    erasable: None, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recomputations, "ROWS_AT_ONCE", 0)
    monkeypatch.setattr(replay, "GAMES_A_STEP", 4)
    one, two = (players.add_bot(name=f"Bot {n}", engine="random") for n in range(2))
    games = [pages.finished_game(one, two, "first") for _ in range(12)]
    ana.is_superuser = True
    ana.save()
    corrections.correct(game_id=games[0].pk, actor=ana, result="second", reason="the score sheet")
    pool = Pool.objects.get()
    rows = LedgerEntry.objects.count()
    _kill_within_the_second_step(pool.pk)
    assert Recomputation.objects.get().games_done == 4
    # A reversal and four games of each of the two, without rows of the interrupted step.
    assert LedgerEntry.objects.count() == rows + 2 * (1 + 4)
    assert not recomputations.work(pool.pk), "its lease has not run out"
    late = pages.finished_game(two, one, "draw")
    Recomputation.objects.update(lease_until=database_time.now() - recomputations.LEASE)
    assert recomputations.work(pool.pk, slice_s=600)
    assert list(recompute.verify(pool)) == []
    for game in Game.objects.filter(pk__in=[*(each.pk for each in games), late.pk]):
        assert LedgerEntry.objects.standing().filter(game=game).count() == 2
    assert LedgerEntry.objects.filter(kind="reversal").count() == 2


def _kill_within_the_second_step(pool_id: int) -> None:
    connections.close_all()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _work_into_the_second_step(pool_id, writer)
    assert os.read(reader, 1) == b"2"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reader)
    os.close(writer)


def _work_into_the_second_step(pool_id: int, writer: int) -> None:
    insert, steps = bulk.insert, []

    def insert_and_wait(rows: Iterable[ledger_rows.Row]) -> int:
        steps.append(insert(rows))
        if len(steps) == 2:
            os.write(writer, b"2")
            time.sleep(60)
        return steps[-1]

    bulk.insert = insert_and_wait
    try:
        recomputations.work(pool_id)
    finally:
        os._exit(1)
