"""The sandbox of a worker of the queues `bots`, `replies` and `checks`.

The worker tests it at the start and at intervals, and takes work only while the test passes.
"""

from __future__ import annotations

import logging
from typing import Any

from celery import bootsteps
from celery.apps.worker import Worker
from celery.signals import celeryd_after_setup
from celery.worker.consumer import Consumer
from django.db import Error, connections

from tournaments.queues import SANDBOXED
from tournaments.services.bots import sandbox_status

log = logging.getLogger(__name__)

# Queues of this worker that need a sandbox.
_sandboxed_queues: list[str] = []


@celeryd_after_setup.connect
def try_the_sandbox(instance: Worker, **_: object) -> None:
    """Remove the sandboxed queues if no sandbox passes its test.

    Runs before the pool is made, whose processes inherit the result.
    """
    queues = instance.app.amqp.queues
    names = [name for name in SANDBOXED if name in queues.consume_from]
    if not names:
        return
    sandbox_status.serve(names)
    _sandboxed_queues[:] = names
    if not _holds():
        queues.deselect(names)


class SandboxRetest(bootsteps.StartStopStep):
    """Tests the sandbox every few minutes and takes the sandboxed queues up or leaves them."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Consumer, **options: Any) -> None:  # noqa: ANN401 - of Celery
        super().__init__(parent, **options)
        self._timer: Any = None

    def start(self, parent: Consumer) -> None:
        """Begin the tests, if this worker serves a queue that needs a sandbox."""
        if not _sandboxed_queues:
            return
        period_s = sandbox_status.AGAIN_WITHOUT.total_seconds()
        # Runs in the thread that consumes: a timer may have its own thread.
        self._timer = parent.timer.call_repeatedly(period_s, parent.call_soon, (_retest, parent))

    def stop(self, parent: Consumer) -> None:
        """End the tests."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _retest(consumer: Any) -> None:  # noqa: ANN401 - its queues are unknown to its type
    holds = _holds()
    for queue in _sandboxed_queues:
        is_consumed = consumer.task_consumer.consuming_from(queue)
        if holds and not is_consumed:
            consumer.add_task_queue(queue)
            log.warning("%s.taken-up", queue)
        if is_consumed and not holds:
            consumer.cancel_task_queue(queue)
            log.error("%s.left", queue)


def _holds() -> bool:
    """Return whether the sandbox passes its test now.

    False too if the result cannot be stored, for the site could not show it.
    """
    try:
        return sandbox_status.isolator() is not None
    except Error:
        log.exception("bots.no-database")
        return False
    finally:
        connections.close_all()  # the pool's processes must not inherit one
