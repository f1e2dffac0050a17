"""Attendance of players in this web process: open streams become rows, and few of them.

A player's first stream is written down, and the end of the last one if none follows within the grace.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, Protocol, TypeVar

from tournaments import database_time
from tournaments.queries.games.attendance import GRACE
from tournaments.services.games import attendance
from tournaments.services.games.attendance import Process, Seat

log = logging.getLogger(__name__)

# A third of the lease: two beats may fail.
BEAT_S = 10.0
_RETRY_S = 5.0
_STOP_S = 2.0

T = TypeVar("T")


class Run(Protocol):
    """A way to call a function that uses the database, in a thread."""

    def __call__(self, function: Callable[..., T], /, *arguments: object) -> Awaitable[T]:
        """Return the result of `function`."""
        ...


@dataclass
class _Watch:
    """The streams of one player that are open here.

    Attributes:
        has_changed: wakes the task that writes.
        is_lost: whether the row was closed with the lease of this process.
    """

    streams: int = 0
    is_lost: bool = False
    has_changed: asyncio.Event = field(default_factory=asyncio.Event)


class Attendants:
    """The players of this process. `run` calls a function of the database in a thread. For one event loop."""

    def __init__(
        self,
        run: Run,
        *,
        grace_s: float = GRACE.total_seconds(),
        beat_s: float = BEAT_S,
    ) -> None:
        self._run = run
        self._grace_s = grace_s
        self._beat_s = beat_s
        self._key = secrets.token_hex(8)
        self._began_s = time.monotonic()
        self._watches: dict[Seat, _Watch] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        # A cancelled task leaves its thread running: none may write after the lease was given up.
        self._writing = threading.Lock()
        self.has_stopped = False

    def start(self) -> None:
        """Begin to renew the lease, and to look for processes that have died."""
        self._add_task(self._beat())

    async def stop(self) -> None:
        """Give up the lease. Players who do not return elsewhere are absent from now on."""
        for task in list(self._tasks):
            task.cancel()
        self.has_stopped = True
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._call(attendance.end), _STOP_S)

    @contextlib.contextmanager
    def at(self, seat: Seat | None) -> Iterator[None]:
        """Count a stream of the player on `seat` for the duration of the context."""
        if seat is None:
            yield
            return
        watch = self._watches.get(seat)
        if watch is None:
            watch = self._watches[seat] = _Watch()
            self._add_task(self._follow(seat, watch))
        watch.streams += 1
        watch.has_changed.set()
        try:
            yield
        finally:
            watch.streams -= 1
            watch.has_changed.set()

    async def _follow(self, seat: Seat, watch: _Watch) -> None:
        """Write each arrival and departure of a player, one after the other."""
        while watch.streams:
            watch.is_lost = False
            await self._write(attendance.arrive, seat)
            await self._until_left(watch)
            if not watch.is_lost:
                left_s = time.monotonic() - self._grace_s
                await self._write(attendance.leave, seat, since_s=left_s)
        del self._watches[seat]

    async def _until_left(self, watch: _Watch) -> None:
        """Return when no stream has been open for the grace, or the attendance was lost with the lease."""
        while not watch.is_lost:
            watch.has_changed.clear()
            timeout_s = None if watch.streams else self._grace_s
            try:
                await asyncio.wait_for(watch.has_changed.wait(), timeout_s)
            except TimeoutError:
                return

    async def _write(
        self, function: Callable[..., None], seat: Seat, *, since_s: float | None = None
    ) -> None:
        """Call `function`, again after a pause if the database does not answer: a player must not be lost."""
        while True:
            ago = {} if since_s is None else {"for_s": time.monotonic() - since_s}
            try:
                await self._call(partial(function, seat), **ago)
            except Exception:
                log.exception("attendance of game %s could not be written", seat.game_id)
                await asyncio.sleep(_RETRY_S)
            else:
                return

    async def _beat(self) -> None:
        while True:
            try:
                if not await self._call(attendance.renew):
                    self._lose_all()
                await self._run(attendance.note_dead_processes)
            except Exception:
                # The next beat finds the database again.
                log.exception("the lease of this process could not be renewed")
            await asyncio.sleep(self._beat_s)

    def _lose_all(self) -> None:
        """Have all players written down again: another process took this one for dead."""
        for watch in self._watches.values():
            watch.is_lost = True
            watch.has_changed.set()

    async def _call(self, function: Callable[..., T], **arguments: float) -> T:
        """Return the result of `function`, called with this process in a thread."""

        def call() -> T:
            with self._writing:
                if self.has_stopped and function is not attendance.end:
                    raise asyncio.CancelledError
                age = timedelta(seconds=time.monotonic() - self._began_s)
                process = Process(self._key, database_time.now() - age)
                return function(process, **arguments)

        return await self._run(call)

    def _add_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
