"""Each task waits in the queue that is meant for it, and no mail server delays other work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from celery import current_app
from django.conf import settings

from tests.processes import ROOT
from tournaments.queues import Queue
from tournaments.services import enqueue

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("wake", "queue"),
    [
        pytest.param(lambda: enqueue.reply(1), Queue.BUILTIN_REPLIES, id="reply-of-built-in"),
        pytest.param(
            lambda: enqueue.reply(1, is_sandboxed=True), Queue.REPLIES, id="reply-of-uploaded"
        ),
        pytest.param(lambda: enqueue.webhooks("event:1"), Queue.POST, id="webhooks"),
        pytest.param(lambda: enqueue.event(1), Queue.DEFAULT, id="event"),
    ],
)
def test_a_wake_up_goes_to_the_queue_of_its_kind(
    wake: Callable[[], None],
    queue: Queue,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    sendings: list[Any] = []
    monkeypatch.setattr(settings, "SENDS_IN_BACKGROUND", False)
    monkeypatch.setattr(current_app, "send_task", lambda *_, **options: sendings.append(options))
    with django_capture_on_commit_callbacks(execute=True):
        wake()
    assert [options["queue"] for options in sendings] == [queue]


@pytest.mark.parametrize("task", ["tick", "post", "push", "call_webhooks"])
def test_tasks_that_wait_for_servers_of_others_have_a_queue_apart(task: str) -> None:
    queue = current_app.amqp.router.route({}, f"tournaments.tasks.{task}")["queue"]
    assert queue.name == (Queue.TICKS if task == "tick" else Queue.POST)


@pytest.mark.long
@pytest.mark.parametrize(
    ("megabytes", "kibibytes"), [("", "409600"), ("250", "256000"), ("0", "None")]
)
def test_a_process_of_a_worker_has_a_limit_of_memory(megabytes: str, kibibytes: str) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from config.celery import app; print(app.conf.worker_max_memory_per_child)",
        ],
        cwd=ROOT,
        env={**os.environ, "WORKER_MEMORY_MB": megabytes},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == kibibytes
