"""Server-sent events of one or more topics: `GET /stream/?t=game:1&t=user:9`.

Each event's id holds the sequence number reached in every topic. Therefore a browser that connects
again resumes without loss or doubling (`Last-Event-ID`). A page passes its own state as `after`. A
comment goes out every 15 s, and every 5 s to players of live games. Every 15 s the feeds also ask
the database for the last numbers of all topics together: lost wake-ups heal. The permission to
listen is asked again every few minutes. A player whose page has `at=1` is at the table of game 1.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from config import metrics
from config.attendance import Attendants
from config.feeds import Feeds
from config.occupancy import BusyError, Occupancy
from tournaments import live
from tournaments.edges import streams as edge
from tournaments.services.games.attendance import Seat
from tournaments.services.notifications import inbox, news

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

HEARTBEAT_S = 15.0
# Some proxies notice that a browser has gone only when they write to it.
SEAT_HEARTBEAT_S = 5.0
# An account that was closed, or a session that was ended, receives no more news after this.
ACCESS_S = 300.0
MAX_TOPICS = 10
MAX_STREAMS = 5000
# A school behind one address may need all of them. A visitor has one for each open page.
MAX_STREAMS_BY_ADDRESS = 400
_ROOT = "/stream/"
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


def is_stream(path: str) -> bool:
    """Return whether the path is that of a stream."""
    return path.startswith(_ROOT)


@dataclass
class _Page:
    """A page that listens."""

    write: Callable[[str], Awaitable[None]]
    run: Callable[..., Awaitable[object]]
    access: Callable[[], Awaitable[edge.Access]]
    heartbeat_s: float
    access_s: float

    async def send(self, reader: live.Reader, item: live.Item) -> None:
        data = json.dumps({"topic": item.topic, "seq": item.seq, **item.payload})
        await self.write(f"id: {_mark(reader.seen)}\nevent: {item.kind}\ndata: {data}\n\n")
        if user_id := news.receiving_account(item):
            await self.run(inbox.note_received, user_id, item.seq)

    async def beat(self) -> None:
        await self.write(": still here\n\n")

    async def may_listen(self) -> bool:
        return await self.access() is edge.Access.GRANTED


class Streams:
    """The ASGI application for the streams of pages."""

    def __init__(self, feeds: Feeds, attendants: Attendants) -> None:
        self._feeds = feeds
        self._attendants = attendants
        self._open = Occupancy(MAX_STREAMS, MAX_STREAMS_BY_ADDRESS, retry_after_s=30)

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
        cookies = _cookies(headers)
        session_key = cookies.get(settings.SESSION_COOKIE_NAME, "")
        may_listen = partial(self._feeds.run, edge.access_to, topics, session_key)
        access = await may_listen()
        if access is not edge.Access.GRANTED:
            await _refuse(send, 404 if access is edge.Access.UNKNOWN else 403)
            return
        last = headers.get(b"last-event-id", b"").decode("latin-1") or query.get("after", [""])[0]
        reader = await self._make_reader(topics, _resume_point(last))
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        write = partial(_write, send)
        seat = await self._seat(query, topics, cookies)
        heartbeat_s = HEARTBEAT_S if seat is None else SEAT_HEARTBEAT_S
        page = _Page(write, self._feeds.run, may_listen, heartbeat_s, ACCESS_S)
        await page.write(f"retry: 2000\nid: {_mark(reader.seen)}\nevent: open\ndata: {{}}\n\n")
        with self._attendants.at(seat):
            await self._feeds.follow(reader, page, receive)

    async def _seat(
        self, query: dict[str, list[str]], topics: list[str], cookies: Mapping[str, str]
    ) -> Seat | None:
        """Return the seat whose page listens: `?at=7` of the player in game 7."""
        game_id = query.get("at", [""])[0]
        if f"game:{game_id}" not in topics:
            return None
        session_key = cookies.get(settings.SESSION_COOKIE_NAME, "")
        guest = cookies.get(settings.GUEST_COOKIE_NAME, "")
        return await self._feeds.run(edge.seat_of, int(game_id), session_key, guest)

    async def _make_reader(self, topics: list[str], resume: dict[str, int]) -> live.Reader:
        now = await self._feeds.run(news.last_seqs, topics)
        return live.Reader(
            {topic: min(resume.get(topic, now[topic]), now[topic]) for topic in topics}
        )


def _mark(positions: dict[str, int]) -> str:
    return ";".join(f"{topic}={seq}" for topic, seq in positions.items())


def _resume_point(last: str) -> dict[str, int]:
    """Return the sequence numbers in a `Last-Event-ID`, or in the page's `after`, by topic.

    Parts of any other form are ignored.
    """
    point: dict[str, int] = {}
    for part in last[:1000].split(";"):
        topic, _, seq = part.partition("=")
        if seq.isascii() and seq.isdigit() and len(seq) < 18:
            point[topic] = int(seq)
    return point


def _cookies(headers: dict[bytes, bytes]) -> Mapping[str, str]:
    try:
        cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in cookies.items()}


async def _write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _refuse(send: Send, status: int, retry_after_s: int | None = None) -> None:
    headers = [(b"cache-control", b"no-store")]
    if retry_after_s is not None:
        headers.append((b"retry-after", b"%d" % retry_after_s))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
