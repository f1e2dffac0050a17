"""What a worker of the queues `bots` and `replies` does beside Celery's work: it tries its sandbox first, and again later."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from celery import bootsteps
from celery.signals import celeryd_after_setup
from django.db import Error, connections

from tournaments.services import isolation, wake

if TYPE_CHECKING:
    from celery.apps.worker import Worker
    from celery.worker.consumer import Consumer

log = logging.getLogger(__name__)

# What this worker was asked to take of what wants a sandbox.
_boxed_queues: list[str] = []


@celeryd_after_setup.connect
def try_the_sandbox(instance: Worker, **_: object) -> None:
    """Take nothing sandboxed where no sandbox holds. Before the pool is made: its processes inherit what was found."""
    queues = instance.app.amqp.queues
    wanted = [name for name in wake.BOXED if name in queues.consume_from]
    if not wanted:
        return
    if wake.BOTS not in wanted:
        isolation.use_slots_of_replies()
    instance.app.steps["consumer"].add(TryAgain)
    _boxed_queues[:] = wanted
    if not _holds():
        queues.deselect(wanted)


class TryAgain(bootsteps.StartStopStep):
    """Looks now and then whether the sandbox still holds, or holds at last, and takes the queues up or leaves them."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Consumer, **options: Any) -> None:  # noqa: ANN401 - Celery's own options, passed on
        super().__init__(parent, **options)
        self._timer: Any = None

    def start(self, parent: Consumer) -> None:
        """Begin to look."""
        period_s = isolation.AGAIN_WITHOUT.total_seconds()
        # In the thread that consumes: a timer may have one of its own.
        self._timer = parent.timer.call_repeatedly(period_s, parent.call_soon, (_look, parent))

    def stop(self, parent: Consumer) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _look(consumer: Any) -> None:  # noqa: ANN401 - its queues are unknown to its type
    holds = _holds()
    for queue in _boxed_queues:
        is_taken = consumer.task_consumer.consuming_from(queue)
        if holds and not is_taken:
            consumer.add_task_queue(queue)
            log.warning("%s.taken-up", queue)
        if is_taken and not holds:
            consumer.cancel_task_queue(queue)
            log.error("%s.left", queue)


def _holds() -> bool:
    """Whether the sandbox holds; where that cannot be told to the site, nothing is played either."""
    try:
        return isolation.isolator() is not None
    except Error:
        log.exception("bots.no-database")
        return False
    finally:
        connections.close_all()  # the pool's processes must not inherit one
