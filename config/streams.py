"""Server-sent events of one or more topics: `GET /stream/?t=game:1&t=user:9`.

No stream takes a thread.

Each event's id holds the sequence number reached in every topic, so a browser that connects again
resumes where it was (`Last-Event-ID`; a page passes what it was drawn from as `after`), without
loss or doubling. A comment goes out every 15 s and re-reads the database: lost wake-ups heal.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs

from django.conf import settings
from django.db import close_old_connections

from tournaments import live
from tournaments.services.notifications import news

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from concurrent.futures import Executor

    Scope = dict[str, Any]
    Receive = Callable[[], Awaitable[dict[str, Any]]]
    Send = Callable[[dict[str, Any]], Awaitable[None]]

T = TypeVar("T")

HEARTBEAT_S = 15.0
MAX_TOPICS = 10
MAX_STREAMS = 5000
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
        self._open = 0
        self._listener: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to listen to the bus."""
        self._listener = asyncio.create_task(live.bus.listen(self._hub.wake))

    async def stop(self) -> None:
        """Stop listening."""
        if self._listener is not None:
            self._listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listener

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request with an endless stream, or refuse it.

        The status is 404 for topics that do not exist, 403 for those of others, 400 for a malformed
        request and 503 when too many streams are open.
        """
        query = parse_qs(scope["query_string"].decode("latin-1"))
        topics = query.get("t", [])[: MAX_TOPICS + 1]
        if scope["method"] != "GET" or not topics or len(topics) > MAX_TOPICS:
            await _refuse(send, 400)
            return
        if self._open >= MAX_STREAMS:
            await _refuse(send, 503)
            return
        headers = dict(scope["headers"])
        access = await self._run(news.access, topics, _session_key(headers))
        if access is not news.Access.GRANTED:
            await _refuse(send, 404 if access is news.Access.UNKNOWN else 403)
            return
        self._open += 1
        try:
            last = (
                headers.get(b"last-event-id", b"").decode("latin-1") or query.get("after", [""])[0]
            )
            await self._stream(topics, _resume_point(last), receive, send)
        finally:
            self._open -= 1

    async def _stream(
        self, topics: list[str], resume: dict[str, int], receive: Receive, send: Send
    ) -> None:
        now = await self._run(news.last_seqs, topics)
        reader = live.Reader(
            {topic: min(resume.get(topic, now[topic]), now[topic]) for topic in topics}
        )
        self._hub.add(reader)
        disconnection = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await _write(
                send, f"retry: 2000\nid: {_mark(reader.seen)}\nevent: open\ndata: {{}}\n\n"
            )
            await self._catch_up(reader, send)
            while not disconnection.done() and not reader.is_lost:
                await self._next(reader, disconnection, send)
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
            await self._catch_up(reader, send)

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


async def _refuse(send: Send, status: int) -> None:
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"cache-control", b"no-store")],
        }
    )
    await send({"type": "http.response.body", "body": b""})
