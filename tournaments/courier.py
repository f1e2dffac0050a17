"""Sending of messages that no request waits for: wake-ups through a broker that may be slow, away, or losing all messages.

A publication to twenty topics of a Redis that does not answer took ten seconds of the request that
made it. Here a thread of each process sends, and the caller only hands the message over. Messages
that cannot be sent are dropped: streams ask the database at each heartbeat, and the tick finds the
rows that are due (law 1).
"""

from __future__ import annotations

import atexit
import contextvars
import logging
import os
import queue
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

_MOST = 5_000
_PAUSE_S = 1.0
_LAST_WORDS_S = 1.0


class Courier:
    """A queue and a thread of this process. Safe after a fork, which has neither of its parent's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Called for each dropped errand: web processes count them.
        self.on_drop: Callable[[], object] = lambda: None
        self._pid = 0
        self._queue: queue.Queue[Callable[[], object]] = queue.Queue(_MOST)

    def send(self, errand: Callable[[], object]) -> None:
        """Have `errand` run soon, in the order of calls; it is dropped where too much waits or the last one failed.

        Without Redis it runs here and now: the embedded bus and broker are files of this machine.
        """
        if not settings.SENDS_IN_BACKGROUND:
            errand()
            return
        if self._pid != os.getpid():
            self._start()
        try:
            # Whose errand it is goes with it: the request's id is in the context.
            self._queue.put_nowait(partial(contextvars.copy_context().run, errand))
        except queue.Full:
            log.warning("courier.full: a wake-up is dropped")
            self.on_drop()

    def flush(self, timeout_s: float) -> bool:
        """Wait until all that was handed over is sent or dropped; False where that takes longer."""
        deadline = time.monotonic() + timeout_s
        while self._queue.unfinished_tasks:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.005)
        return True

    def _start(self) -> None:
        with self._lock:
            if self._pid == os.getpid():
                return
            self._queue = queue.Queue(_MOST)
            self._pid = os.getpid()
            threading.Thread(
                target=self._run, args=(self._queue,), name="courier", daemon=True
            ).start()
            atexit.register(self.flush, _LAST_WORDS_S)

    def _run(self, errands: queue.Queue[Callable[[], object]]) -> None:
        silent_until = 0.0
        while True:
            errand = errands.get()
            try:
                if time.monotonic() >= silent_until:
                    errand()
                else:
                    self.on_drop()
            except Exception as error:  # noqa: BLE001 - whatever it is, the thread goes on
                # Each try may take a second: whatever has come meanwhile would wait for all of them.
                log.warning("courier.lost error=%s", error)
                self.on_drop()
                silent_until = time.monotonic() + _PAUSE_S
            finally:
                errands.task_done()


courier = Courier()
