"""Events of tasks, which Flower and exporters read: on request, and on a real Redis."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Any

import pytest
from celery import Celery

from tests import processes, servers
from tests.processes import ROOT

pytestmark = pytest.mark.long

_SEND = """
from config.celery import app
app.send_task("tournaments.tasks.call_webhooks_of", ["event:0"], queue="post")
"""
_SETTINGS = """
from config.celery import app
print(app.conf.worker_send_task_events, app.conf.task_send_sent_event)
"""


@pytest.mark.parametrize(("variable", "values"), [("", "False False\n"), ("1", "True True\n")])
def test_events_are_off_unless_they_are_wanted(variable: str, values: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SETTINGS],
        cwd=ROOT,
        env={**os.environ, "CELERY_EVENTS": variable},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == values


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="no Redis here")
@pytest.mark.django_db(transaction=True)
def test_events_tell_of_a_task_from_its_sending_to_its_end(erasable: None) -> None:
    with servers.redis() as url:
        variables = {"REDIS_URL": url, "CELERY_EVENTS": "1"}
        worker = ["-m", "celery", "-A", "config.celery", "worker", "-Q", "post", "-c", "1",
                  "--loglevel", "ERROR"]  # fmt: skip
        kinds: list[str] = []

        def send() -> None:
            environment = {**processes.environment(), **variables}
            subprocess.run([sys.executable, "-c", _SEND], cwd=ROOT, env=environment, check=True)

        receiver_app = Celery(broker=url, set_as_current=False)
        with processes.program(worker, variables), receiver_app.connection() as connection:

            def note(event: dict[str, Any]) -> None:
                if event["type"] == "worker-heartbeat" and "worker-heartbeat" not in kinds:
                    send()  # the worker is ready
                kinds.append(event["type"])
                receiver.should_stop = "task-succeeded" in kinds

            receiver = receiver_app.events.Receiver(connection, handlers={"*": note})
            receiver.capture(limit=60)
    tasks = [kind for kind in kinds if kind.startswith("task-")]
    assert sorted(tasks) == ["task-received", "task-sent", "task-started", "task-succeeded"]
