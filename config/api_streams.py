"""Streams of the API: `/api/v1/stream` and `/api/v1/games/N/stream`.

Django answers such a request as any other, with permissions, limits and problems
(`tournaments.api.streams`). A header of its answer says from where the stream continues. Here the
answer is then kept open, without a thread. A token that is revoked or has expired ends its streams
within seconds.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from config import metrics
from config.attendance import Attendants
from config.feeds import Feeds
from config.occupancy import BusyError, Occupancy
from tournaments import live
from tournaments.edges.streams import HEADER
from tournaments.services.accounts import remote_presence, tokens
from tournaments.services.games.attendance import Seat
from tournaments.services.notifications import stream_lines
from tournaments.text import problems

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

ROOT: Final = "/api/v1/"
HEARTBEAT_S = 8.0
ACCESS_S = 3.0
MAX_STREAMS = 2000
# Several people and all their bots behind one address.
MAX_STREAMS_BY_ADDRESS = 200
# The account's own, one for each of its bots, and one for each of their games.
MAX_STREAMS_BY_ACCOUNT = 64
_RETRY_AFTER_S = 30
_HEADER = HEADER.lower().encode()
# Headers that describe the whole answer, which has no end.
_LEFT_OUT = {_HEADER, b"content-length", b"etag", b"connection"}


def is_stream(path: str) -> bool:
    """Return whether the path is that of a stream."""
    return path.startswith(ROOT) and path.endswith("/stream")


@dataclass(frozen=True)
class _Stream:
    """The place from which a stream continues, and its listener, as the operation says it."""

    topic: str
    seq: int
    media_type: str
    token_id: int
    user_id: int
    line_id: int | None
    game_id: int | None
    side: str | None

    @property
    def seat(self) -> Seat | None:
        """Return the seat of the listener in a live game, if there is one."""
        return Seat(self.game_id, self.side) if self.game_id and self.side else None


@dataclass
class _Program:
    """A program that listens."""

    stream: _Stream
    feeds: Feeds
    write: Callable[[str], Awaitable[None]]
    heartbeat_s: float
    access_s: float

    async def send(self, _reader: live.Reader, item: live.Item) -> None:
        data = await self.feeds.run(stream_lines.data_of, item)
        media_type = self.stream.media_type
        await self.write(stream_lines.encode(item.kind, item.seq, data, media_type=media_type))

    async def beat(self) -> None:
        await self.write(stream_lines.keep_alive(self.stream.media_type))

    async def may_listen(self) -> bool:
        return await self.feeds.run(_is_let_in, self.stream)


class ApiStreams:
    """The ASGI application for the streams of programs, in front of that of everything else."""

    def __init__(self, pages: Application, feeds: Feeds, attendants: Attendants) -> None:
        self._pages = pages
        self._feeds = feeds
        self._attendants = attendants
        self._open = Occupancy(MAX_STREAMS, MAX_STREAMS_BY_ADDRESS, retry_after_s=_RETRY_AFTER_S)
        self._by_account = Occupancy(
            MAX_STREAMS, MAX_STREAMS_BY_ACCOUNT, retry_after_s=_RETRY_AFTER_S
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request as Django does, and keep the answer open if it begins a stream.

        429 and 503 when too many streams are open: of one address or account, or in all.
        """
        address = (scope.get("client") or ("",))[0]
        try:
            with self._open.place(address), metrics.OPEN.labels("streams").track_inprogress():
                await self._answer(scope, receive, send)
        except BusyError as busy:
            metrics.REFUSED.labels("streams").inc()
            await _refuse(send, busy)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        plain = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
        await self._pages({**scope, "headers": plain}, receive, keep)
        if not messages:
            return  # nobody is there any more
        start, *bodies = messages
        headers = dict(start["headers"])
        if _HEADER not in headers or scope["method"] != "GET":
            left = [pair for pair in start["headers"] if pair[0] != _HEADER]
            await send({**start, "headers": left})
            for body in bodies:
                await send(body)
            return
        stream = _Stream(**json.loads(headers[_HEADER]))
        with self._by_account.place(str(stream.user_id)):
            first_line = b"".join(body.get("body", b"") for body in bodies)
            await self._keep_open(stream, start, first_line, receive, send)

    async def _keep_open(
        self, stream: _Stream, start: Message, first_line: bytes, receive: Receive, send: Send
    ) -> None:
        headers = [pair for pair in start["headers"] if pair[0] not in _LEFT_OUT]
        await send({**start, "headers": [*headers, (b"x-accel-buffering", b"no")]})
        await send({"type": "http.response.body", "body": first_line, "more_body": True})
        program = _Program(stream, self._feeds, partial(_write, send), HEARTBEAT_S, ACCESS_S)
        with self._attendants.at(stream.seat):
            await self._feeds.follow(live.Reader({stream.topic: stream.seq}), program, receive)
        await send({"type": "http.response.body", "body": b""})


def _is_let_in(stream: _Stream) -> bool:
    """Return whether the token still exists. Its bot exists then."""
    if not tokens.is_living(stream.token_id):
        return False
    if stream.line_id is not None:
        remote_presence.note_seen(stream.line_id)
    return True


async def _write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _refuse(send: Send, busy: BusyError) -> None:
    """A problem of RFC 9457, as `tournaments.api.problems` has them."""
    code = "too-many" if busy.status == 429 else "away"
    body = {
        "type": f"/api/problems/{code}/",
        "title": str(problems.SENTENCES[code]),
        "status": busy.status,
        "code": code,
        "policy": "streams",
        "retry_after_s": busy.retry_after_s,
    }
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"cache-control", b"no-store"),
        (b"retry-after", b"%d" % busy.retry_after_s),
    ]
    await send({"type": "http.response.start", "status": busy.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
