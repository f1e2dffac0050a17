"""Workers that die or stop in the middle of a boxed match: it is played again and counted once, and no bot outlives them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine import procfs
from tests import processes
from tests.tournaments import authors
from tournaments import database_time
from tournaments.models import Game, LedgerEntry, Match, Transcript, User
from tournaments.services import enqueue, tick
from tournaments.services.games import game_creation
from tournaments.services.matches import leases, matches

pytestmark = [
    pytest.mark.engines,
    pytest.mark.long,
    pytest.mark.engine,
    pytest.mark.django_db(transaction=True),
]

RULESET = "morelli(size=5)"


@pytest.fixture
def match(erasable: None, ana: User, ben: User) -> Match:
    pair = (
        authors.version(ana, "Slow", authors.SLOW_MOVER),
        authors.version(ben, "Other", authors.SLOW_MOVER + b"# another\n"),
    )
    return matches.schedule(
        ruleset=RULESET,
        setup=game_creation.draw_setup(RULESET, 3),
        players=pair,
        clock=game_creation.Clock(60_000, 1_000),
        games_count=2,
    )


def test_a_killed_process_of_the_pool(match: Match) -> None:
    with processes.worker("bots") as worker:
        _wait_for_plies(match)
        (child,) = _pool(worker)
        bots = _below(child)
        os.kill(child, signal.SIGKILL)
        processes.until(lambda: not _alive(bots))
        _lease_runs_out(match)
        processes.until(lambda: _state(match) == Match.State.DONE)
    _assert_counted_once(match)


def test_a_killed_worker(match: Match) -> None:
    with processes.worker("bots") as worker:
        _wait_for_plies(match)
        bots = _below(worker.pid)
        os.kill(worker.pid, signal.SIGKILL)
        processes.until(lambda: not _alive(bots))
    _lease_runs_out(match)
    with processes.worker("bots"):
        processes.until(lambda: _state(match) == Match.State.DONE)
    _assert_counted_once(match)


def test_a_worker_that_sleeps_past_its_lease(match: Match) -> None:
    with processes.worker("bots") as sleeper:
        _wait_for_plies(match)
        everybody = [sleeper.pid, *_pool(sleeper)]
        bots = _bots_below(sleeper)
        with _stop(everybody):
            _lease_runs_out(match)
            with processes.worker("bots"):
                processes.until(lambda: _state(match) == Match.State.DONE)
            record = _record(match)
        processes.until(lambda: not _alive(bots))
        assert _record(match) == record
    _assert_counted_once(match)


def test_a_match_of_a_dead_worker_is_woken_by_the_first_tick_after_its_lease(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[int] = []
    monkeypatch.setattr(enqueue, "match", lambda pk, **_: woken.append(pk))
    assert leases.claim(match.pk) is not None
    claimed_at = _lease_until(match) - leases.LEASE
    tick.tick(claimed_at + leases.LEASE - timedelta(seconds=1))
    assert woken == []
    tick.tick(claimed_at + timedelta(seconds=30))
    assert woken == [match.pk]


def _lease_until(match: Match) -> datetime:
    match.refresh_from_db()
    assert match.lease_until is not None
    return match.lease_until


def _wait_for_plies(match: Match) -> None:
    game = match.games.order_by("number").first()
    assert game is not None
    processes.until(lambda: game.plies.count() >= 2)


def _lease_runs_out(match: Match) -> None:
    """Twenty seconds later, when the tick comes."""
    Match.objects.filter(pk=match.pk).update(lease_until=database_time.now(), woken_at=None)
    tick.tick(database_time.now())


@contextlib.contextmanager
def _stop(pids: list[int]) -> Iterator[None]:
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)


def _pool(worker: subprocess.Popen[bytes]) -> list[int]:
    """The processes that the worker has made to play."""
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()
    return [int(pid) for pid in children if b"celery" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def _bots_below(worker: subprocess.Popen[bytes]) -> set[tuple[int, str]]:
    return {bot for child in _pool(worker) for bot in _below(child)}


def _below(pid: int) -> set[tuple[int, str]]:
    """All descendants with the moment each was started: an id may become another process's."""
    processes_below = {(below, _started_at(below)) for below in procfs.family(pid)[1:]}
    assert processes_below, "nothing runs below the process"
    return processes_below


def _alive(bots: set[tuple[int, str]]) -> set[int]:
    return {pid for pid, started_at in bots if started_at and _started_at(pid) == started_at}


def _started_at(pid: int) -> str:
    """Return the start of the process, in ticks, or an empty text for a finished or dead one."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if words[0] in {"Z", "X"} else words[19]


def _state(match: Match) -> str:
    match.refresh_from_db()
    return match.state


def _record(match: Match) -> list[object]:
    rows = match.games.order_by("number").values_list("number", "attempt", "ply", "result")
    return [*rows, match.games.filter(plies__attempt__gte=1).count()]


def _assert_counted_once(match: Match) -> None:
    match.refresh_from_db()
    assert match.losses == 1
    assert match.attempt == 2
    for game in match.games.all():
        assert game.ending == Game.Ending.RULES
        numbers = game.plies.filter(attempt=game.attempt).values_list("number", flat=True)
        assert sorted(numbers) == list(range(1, game.ply + 1))
        assert LedgerEntry.objects.filter(game=game).count() == 2
        transcripts = Transcript.objects.filter(game=game, attempt=game.attempt)
        assert sorted(transcripts.values_list("side", flat=True)) == ["first", "second"]
