"""Work that kills its process waits, is given up after three deaths, and costs no other work its process."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from celery.exceptions import WorkerLostError
from celery.worker import state
from django.db import connections
from django.test import Client

from tests import processes
from tournaments import database_time, tasks
from tournaments.models import LostWork
from tournaments.services import enqueue, lost_work
from tournaments.services.operations import figures
from tournaments.services.ratings import recomputations

if TYPE_CHECKING:
    from tournaments.models import User

_KIND = LostWork.Kind.RATINGS
# A worker in which one pool kills its process, as the system does when memory is short.
# Messages of earlier tests, whose pools have small numbers, may wait in the queue.
_POISON = """
import os, signal, sys
from celery import signals
import django
django.setup()
from tournaments.services.ratings import recomputations

def work(pool_id):
    if pool_id < 666:
        return
    with open({journal!r}, "a") as journal:
        journal.write(f"{{pool_id}}\\n")
    if pool_id == 666:
        os.kill(os.getpid(), signal.SIGKILL)

recomputations.work = work
from config.celery import app
app.worker_main(["worker", "-Q", "default", "-c", "1", "--loglevel", "ERROR"])
"""


@pytest.fixture(autouse=True)
def connection_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker's main process gives its connection up, and a test has it in a transaction."""
    monkeypatch.setattr(connections, "close_all", lambda: None)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The pools that were computed again."""
    calls: list[int] = []
    monkeypatch.setattr(recomputations, "work", calls.append)
    return calls


def _lose() -> None:
    tasks.count_loss(tasks.recompute_pool, WorkerLostError("killed"), [7])


def _pass_pause() -> timedelta:
    """Make the work due again. Return its previous pause."""
    row = LostWork.objects.get()
    now = database_time.now()
    pause = row.due_at - row.lost_at
    LostWork.objects.update(due_at=now - timedelta(seconds=1))
    return pause


@pytest.mark.django_db
def test_work_waits_longer_after_each_death_and_is_given_up_after_three(calls: list[int]) -> None:
    pauses = []
    for losses in (1, 2, 3):
        _lose()
        assert LostWork.objects.get().losses == losses
        tasks.recompute_pool(7)
        assert calls == []
        assert figures.read(database_time.now()).given_up[_KIND] == (losses == 3)
        pauses.append(_pass_pause())
    assert pauses == [timedelta(seconds=5), timedelta(minutes=1), timedelta(days=1)]
    tasks.recompute_pool(7)
    assert calls == [7]
    assert not LostWork.objects.exists()


@pytest.mark.django_db
def test_other_work_does_not_wait(calls: list[int]) -> None:
    _lose()
    tasks.recompute_pool(8)
    assert calls == [8]
    assert lost_work.find(_KIND, 7) is not None


@pytest.mark.django_db
def test_a_fault_and_a_worker_that_stops_are_no_deaths(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks.count_loss(tasks.recompute_pool, ValueError("x"), [7])
    tasks.count_loss(tasks.reply, WorkerLostError("killed"), [7])
    monkeypatch.setattr(state, "should_stop", 0)
    _lose()
    assert not LostWork.objects.exists()


@pytest.mark.django_db
def test_work_that_is_given_up_is_on_the_page_of_the_service(ana: User) -> None:
    for _ in range(3):
        _lose()
    ana.is_superuser = True
    ana.save()
    client = Client()
    client.force_login(ana)
    assert "Ratings computed again (7): 3 processes died" in client.get("/health/").content.decode()


@pytest.mark.engines
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_poison_is_parked_and_the_worker_goes_on(erasable: None, tmp_path) -> None:
    """The message is not delivered again. The third death parks the work.

    Celery takes ten seconds to find each death, so the first two are not played.
    """
    for _ in range(2):
        lost_work.note(_KIND, 666)
    _pass_pause()
    journal = tmp_path / "journal"
    script = tmp_path / "worker.py"
    script.write_text(_POISON.format(journal=str(journal)))
    journal.touch()
    with processes.program([str(script)], {"PYTHONPATH": str(processes.ROOT)}):
        enqueue.recomputation(666)
        processes.until(lambda: LostWork.objects.given_up().exists())
        enqueue.recomputation(666)
        enqueue.recomputation(667)
        processes.until(lambda: "667" in journal.read_text())
    # The broker may have messages of earlier tests.
    own = [key for key in journal.read_text().split() if key in {"666", "667"}]
    assert own == ["666", "667"]
