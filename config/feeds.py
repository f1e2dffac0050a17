"""Open streams of news: many readers on one hub, with a different output for each.

No stream takes a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from typing import Any, Protocol, TypeVar

from django.db import close_old_connections

from tournaments import live
from tournaments.services.notifications import news

Receive = Callable[[], Awaitable[dict[str, Any]]]

log = logging.getLogger(__name__)

T = TypeVar("T")

HEAL_S = 15.0
# The number of topics that one query asks for.
_BATCH = 500


class Listener(Protocol):
    """A listener and the ways to tell it news.

    Attributes:
        heartbeat_s: after this time without news the stream says that it lives.
        access_s: the period in which the permission to listen is asked again.
    """

    heartbeat_s: float
    access_s: float

    async def send(self, reader: live.Reader, item: live.Item) -> None:
        """Write one piece of news, of which `reader` has the number already."""
        ...

    async def beat(self) -> None:
        """Write a sign that the stream lives."""
        ...

    async def may_listen(self) -> bool:
        """Return whether the stream may continue."""
        ...


class Feeds:
    """The shared part of all streams of a process. `threads` runs functions that use the database."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._hub = live.Hub(self.read_after)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to listen to the bus, and to look for lost messages."""
        self._tasks = [
            asyncio.create_task(live.bus.listen(self._hub.wake)),
            asyncio.create_task(self._heal()),
        ]

    async def stop(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def follow(self, reader: live.Reader, listener: Listener, receive: Receive) -> None:
        """Tell `listener` everything after the news that `reader` has, until it hangs up or may not listen any more."""
        self._hub.add(reader)
        disconnection = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await self._catch_up(reader, listener)
            next_check = time.monotonic() + listener.access_s
            while not disconnection.done() and not reader.is_lost:
                await self._next(reader, disconnection, listener)
                if time.monotonic() > next_check:
                    if not await listener.may_listen():
                        break
                    next_check = time.monotonic() + listener.access_s
        finally:
            self._hub.remove(reader)
            disconnection.cancel()

    async def read_after(self, topic: str, seq: int) -> Sequence[live.Item]:
        """Return the news of a topic after number `seq`, some hundreds at most."""
        return await self.run(news.after, topic, seq)

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Return the result of `function`, called in a thread with a connection to the database."""

        def call() -> T:
            try:
                return function(*arguments)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def _heal(self) -> None:
        while True:
            await asyncio.sleep(HEAL_S)
            try:
                for topics in self._hub.batches(_BATCH):
                    self._hub.wake_behind(await self.run(news.last_seqs, topics))
            except Exception:
                # The next time finds the database again.
                log.exception("the last numbers of the topics could not be read")

    async def _next(
        self, reader: live.Reader, disconnection: asyncio.Future[Any], listener: Listener
    ) -> None:
        """Send the next item, or after a quiet time the heartbeat."""
        waiting: asyncio.Future[Any] = asyncio.ensure_future(reader.waiting.get())
        await asyncio.wait(
            [waiting, disconnection],
            timeout=listener.heartbeat_s,
            return_when=asyncio.FIRST_COMPLETED,
        )
        if waiting.done():
            await self._send_in_order(reader, waiting.result(), listener)
            return
        waiting.cancel()
        if not disconnection.done():
            await listener.beat()

    async def _catch_up(self, reader: live.Reader, listener: Listener) -> None:
        for topic in reader.seen:
            while items := await self.read_after(topic, reader.seen[topic]):
                for item in items:
                    await _send(reader, item, listener)

    async def _send_in_order(
        self, reader: live.Reader, item: live.Item, listener: Listener
    ) -> None:
        last_seq = reader.seen[item.topic]
        if item.seq > last_seq + 1:  # something between was missed: the database has it
            for earlier in await self.read_after(item.topic, last_seq):
                await _send(reader, earlier, listener)
        await _send(reader, item, listener)


async def _send(reader: live.Reader, item: live.Item, listener: Listener) -> None:
    if item.seq <= reader.seen[item.topic]:
        return
    reader.seen[item.topic] = item.seq
    await listener.send(reader, item)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
