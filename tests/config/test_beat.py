"""One of several beats sends."""

from __future__ import annotations

import os

import pytest
from celery.beat import Scheduler

from config import beat, lease
from config.celery import app
from tests.processes import until
from tests.servers import free_port


@pytest.fixture
def redis_url() -> str:
    url = os.environ.get("REDIS_URL", "")
    if not url:
        pytest.skip("without Redis there is one beat")
    return url


def test_one_has_the_lease_until_it_is_silent(redis_url: str) -> None:
    first, second = lease.Lease(redis_url, 0.6), lease.Lease(redis_url, 0.6)
    assert first.hold()
    assert not second.hold()
    assert first.hold()  # prolonged
    until(second.hold)
    assert not first.hold()


def test_without_redis_nobody_has_it() -> None:
    assert not lease.Lease(f"redis://127.0.0.1:{free_port()}/0").hold()


def test_a_beat_without_the_lease_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def send(_scheduler: Scheduler) -> float:
        sent.append("what is due")
        return 300.0

    monkeypatch.setattr(Scheduler, "tick", send)
    scheduler = beat.ForgetfulScheduler(app, lazy=True)
    for is_held, pause_s in ((False, 2.0), (True, 5.0)):
        monkeypatch.setattr(scheduler, "_lease", _Lease(is_held))
        assert scheduler.tick() == pause_s
        assert bool(sent) == is_held


@pytest.mark.parametrize("remaining_s", [0.0, -0.01])
def test_a_beat_does_not_spin_until_a_task_is_due(
    monkeypatch: pytest.MonkeyPatch, remaining_s: float
) -> None:
    monkeypatch.setattr(Scheduler, "tick", lambda _: remaining_s)
    scheduler = beat.ForgetfulScheduler(app, lazy=True)
    monkeypatch.setattr(scheduler, "_lease", _Lease(True))
    assert scheduler.tick() == 0.01


class _Lease:
    def __init__(self, is_held: bool) -> None:
        self._is_held = is_held

    def hold(self) -> bool:
        return self._is_held
