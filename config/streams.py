"""Server-sent events of one or more topics: `GET /stream/?t=game:1&t=user:9`.

No stream takes a thread.

Each event's id holds the sequence number reached in every topic, so a browser that connects again
resumes where it was (`Last-Event-ID`; a page passes what it was drawn from as `after`), without
loss or doubling. A comment goes out every 15 s, and as often the hub asks the database for the last
numbers of all topics together: lost wake-ups heal. Who may listen is asked again every few minutes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from functools import partial
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs

from django.conf import settings
from django.db import close_old_connections

from config import metrics
from config.occupancy import BusyError, Occupancy
from tournaments import live
from tournaments.services.notifications import news

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from concurrent.futures import Executor

    Scope = dict[str, Any]
    Receive = Callable[[], Awaitable[dict[str, Any]]]
    Send = Callable[[dict[str, Any]], Awaitable[None]]

log = logging.getLogger(__name__)

T = TypeVar("T")

HEARTBEAT_S = 15.0
# An account that was closed, or a session that was ended, hears nothing more after this.
ACCESS_S = 300.0
MAX_TOPICS = 10
MAX_STREAMS = 5000
# A school behind one address has as many; a visitor has one for each open page.
MAX_STREAMS_BY_ADDRESS = 400
# How many topics one query asks for.
_BATCH = 500
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class Streams:
    """The ASGI application for streams; `threads` runs what touches the database."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._hub = live.Hub(self._read_after)
        self._open = Occupancy(MAX_STREAMS, MAX_STREAMS_BY_ADDRESS, retry_after_s=30)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to listen to the bus, and to look after what it has lost."""
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

    async def _heal(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            try:
                for topics in self._hub.batches(_BATCH):
                    self._hub.wake_behind(await self._run(news.last_seqs, topics))
            except Exception:
                # The next time finds the database again.
                log.exception("the last numbers of the topics could not be read")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request with an endless stream, or refuse it.

        The status is 404 for topics that do not exist, 403 for those of others, 400 for a malformed
        request, and 429 or 503 when too many streams are open, of one address or in all.
        """
        query = parse_qs(scope["query_string"].decode("latin-1"))
        topics = query.get("t", [])[: MAX_TOPICS + 1]
        if scope["method"] != "GET" or not topics or len(topics) > MAX_TOPICS:
            await _refuse(send, 400)
            return
        address = (scope.get("client") or ("",))[0]
        try:
            with self._open.place(address), metrics.OPEN.labels("streams").track_inprogress():
                await self._answer(topics, query, scope, receive, send)
        except BusyError as busy:
            metrics.REFUSED.labels("streams").inc()
            await _refuse(send, busy.status, busy.retry_after_s)

    async def _answer(
        self,
        topics: list[str],
        query: dict[str, list[str]],
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        headers = dict(scope["headers"])
        may_listen = partial(self._run, news.access, topics, _session_key(headers))
        access = await may_listen()
        if access is not news.Access.GRANTED:
            await _refuse(send, 404 if access is news.Access.UNKNOWN else 403)
            return
        last = headers.get(b"last-event-id", b"").decode("latin-1") or query.get("after", [""])[0]
        reader = await self._make_reader(topics, _resume_point(last))
        await self._stream(reader, may_listen, receive, send)

    async def _make_reader(self, topics: list[str], resume: dict[str, int]) -> live.Reader:
        now = await self._run(news.last_seqs, topics)
        return live.Reader(
            {topic: min(resume.get(topic, now[topic]), now[topic]) for topic in topics}
        )

    async def _stream(
        self,
        reader: live.Reader,
        may_listen: Callable[[], Awaitable[news.Access]],
        receive: Receive,
        send: Send,
    ) -> None:
        self._hub.add(reader)
        disconnection = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await _write(
                send, f"retry: 2000\nid: {_mark(reader.seen)}\nevent: open\ndata: {{}}\n\n"
            )
            await self._catch_up(reader, send)
            next_check = time.monotonic() + ACCESS_S
            while not disconnection.done() and not reader.is_lost:
                await self._next(reader, disconnection, send)
                if time.monotonic() > next_check:
                    if await may_listen() is not news.Access.GRANTED:
                        break
                    next_check = time.monotonic() + ACCESS_S
        finally:
            self._hub.remove(reader)
            disconnection.cancel()

    async def _next(
        self, reader: live.Reader, disconnection: asyncio.Future[Any], send: Send
    ) -> None:
        """Send what comes next: one item, or after a quiet time the heartbeat."""
        waiting: asyncio.Future[Any] = asyncio.ensure_future(reader.waiting.get())
        await asyncio.wait(
            [waiting, disconnection], timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED
        )
        if waiting.done():
            await self._send_in_order(reader, waiting.result(), send)
            return
        waiting.cancel()
        if not disconnection.done():
            await _write(send, ": still here\n\n")

    async def _catch_up(self, reader: live.Reader, send: Send) -> None:
        for topic in reader.seen:
            for item in await self._read_after(topic, reader.seen[topic]):
                await self._send(reader, item, send)

    async def _send_in_order(self, reader: live.Reader, item: live.Item, send: Send) -> None:
        last_seq = reader.seen[item.topic]
        if item.seq > last_seq + 1:  # something between was missed: the database has it
            for earlier in await self._read_after(item.topic, last_seq):
                await self._send(reader, earlier, send)
        await self._send(reader, item, send)

    async def _send(self, reader: live.Reader, item: live.Item, send: Send) -> None:
        if item.seq <= reader.seen[item.topic]:
            return
        reader.seen[item.topic] = item.seq
        data = json.dumps({"topic": item.topic, "seq": item.seq, **item.payload})
        await _write(send, f"id: {_mark(reader.seen)}\nevent: {item.kind}\ndata: {data}\n\n")

    async def _read_after(self, topic: str, seq: int) -> Sequence[live.Item]:
        return await self._run(news.after, topic, seq)

    async def _run(self, function: Callable[..., T], *arguments: object) -> T:
        def call() -> T:
            try:
                return function(*arguments)
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


def _mark(positions: dict[str, int]) -> str:
    return ";".join(f"{topic}={seq}" for topic, seq in positions.items())


def _resume_point(last: str) -> dict[str, int]:
    """The sequence numbers in a `Last-Event-ID`, or in the page's `after`, by topic.

    Parts of any other form are ignored.
    """
    point: dict[str, int] = {}
    for part in last[:1000].split(";"):
        topic, _, seq = part.partition("=")
        if seq.isascii() and seq.isdigit() and len(seq) < 18:
            point[topic] = int(seq)
    return point


def _session_key(headers: dict[bytes, bytes]) -> str:
    try:
        cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return ""
    morsel = cookies.get(settings.SESSION_COOKIE_NAME)
    return morsel.value if morsel else ""


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _refuse(send: Send, status: int, retry_after_s: int | None = None) -> None:
    headers = [(b"cache-control", b"no-store")]
    if retry_after_s is not None:
        headers.append((b"retry-after", b"%d" % retry_after_s))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
