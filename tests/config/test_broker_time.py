"""Moments in messages are those of one clock, however wrong the clocks of hosts are."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from celery.beat import Scheduler
from django.utils import timezone

from config import beat, broker_time
from config.celery import app
from config.received import Request
from tournaments import tasks

_AHEAD = timedelta(minutes=10)


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    if not os.environ.get("REDIS_URL"):
        pytest.skip("without Redis there is one clock")
    monkeypatch.setattr(broker_time, "_memory", broker_time._Memory())
    right = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: right() + _AHEAD)


@pytest.mark.usefixtures("ahead")
def test_the_sender_counts_from_the_clock_of_redis() -> None:
    assert abs(timezone.now() - app.now() - _AHEAD) < timedelta(seconds=2)


@pytest.mark.usefixtures("ahead")
def test_the_receiver_translates_to_its_own_clock() -> None:
    moment = timezone.now()
    task = tasks.tick_between
    headers = {
        "id": "1", "task": task.name, "eta": moment.isoformat(), "expires": moment.isoformat()
    }  # fmt: skip
    message = SimpleNamespace(
        headers=headers, body=b"", payload=([], {}, {}), delivery_info={}, properties={},
        content_type="application/json", content_encoding="utf-8",
    )  # fmt: skip
    request = Request(message, app=app, task=task)
    for each in (request.eta, request.expires):
        assert each is not None
        assert abs(each - moment - _AHEAD) < timedelta(seconds=2)


def test_tasks_that_expire_are_received_so() -> None:
    assert tasks.tick.Request == "config.received:Request"


def test_a_redis_that_never_answered_leaves_the_clock_of_the_host(
    monkeypatch: pytest.MonkeyPatch, settings
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(broker_time, "_memory", broker_time._Memory())
    assert abs(broker_time.now() - timezone.now()) < timedelta(seconds=5)


def test_a_beat_follows_no_clock_that_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that was set back by ten minutes sent no tick for as long."""
    sent: list[str] = []
    monkeypatch.setattr(Scheduler, "apply_entry", lambda _self, entry, **_: sent.append(entry.name))
    monkeypatch.setattr(beat.ForgetfulScheduler, "producer", None)
    scheduler = beat.ForgetfulScheduler(app)
    scheduler._lease = None
    start_s = time.monotonic()
    monkeypatch.setattr(app, "now", lambda: timezone.now() - _AHEAD)
    for after_s in (11.0, 22.0):
        monkeypatch.setattr(time, "monotonic", lambda after_s=after_s: start_s + after_s)
        while scheduler.tick() == 0:
            pass
    assert sent.count("tick") == 2
