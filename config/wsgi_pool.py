"""A bounded thread pool that runs a WSGI application for ASGI requests, with limits on bodies and on waiting.

A request is counted as waiting from when it is complete until its answer is ready. A client that
sends slowly or reads its answer slowly concerns only the deadlines of `config.edge`, and delays no
other request.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from wsgiref.types import WSGIApplication

from config import metrics, request_ids
from config.occupancy import BusyError, Occupancy
from tournaments.api import problems
from tournaments.api.problems import V1_ROOT

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

# More get in each other's way. 120 games with a move every 2 s took 99 to 125 ms in a hundredth of
# all moves with two to four threads, and 149 ms with eight. Fewer would wait when some wait for a
# lock.
THREADS = 4
MAX_BODY_BYTES = 2 * 1024 * 1024
# Programs of bots and rating lists are larger, and come a few at a time. Most files above their limits
# (engine.programs: 5 MB, forms.rating_lists: 15 MB) still come through, so that the form can answer with its own
# message.
MAX_UPLOAD_BYTES = 16 * 1024 * 1024
MAX_UPLOADS = 8
MAX_UPLOADS_BY_ADDRESS = 2
UPLOADS = ("/bots/", "/rating-lists/", f"{V1_ROOT}bots/")
# Bodies that are not complete yet, all of them together.
MAX_BODIES_BYTES = 128 * 1024 * 1024
# Requests waiting for a thread. Beyond it the answer is "come back in a second" instead of a
# growing delay. One address has fewer, so that others are still let in.
MAX_WAITING = 256
MAX_WAITING_BY_ADDRESS = 96


class _BodyTooLargeError(Exception):
    """The request's body is over the limit."""


class _DisconnectedError(Exception):
    """The client went away before its request was complete."""


@dataclass
class _Response:
    """The headers that the application passed to `start_response`, and its body."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    stream: Iterator[bytes] | None = None
    close: Callable[[], object] | None = None


class WsgiPool:
    """An ASGI application that answers by a WSGI one."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="page")
        self._waiting = Occupancy(MAX_WAITING, MAX_WAITING_BY_ADDRESS, retry_after_s=1)
        self._uploads = Occupancy(MAX_UPLOADS, MAX_UPLOADS_BY_ADDRESS, retry_after_s=60)
        self._bodies_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request.

        413 when its body is too large, 429 when its address has too many requests here, 503 when
        all addresses together have too many.
        """
        address = (scope.get("client") or ("",))[0]
        try:
            if _is_upload(scope):
                with self._uploads.place(address):
                    body = await self._read_body(scope, receive, MAX_UPLOAD_BYTES)
            else:
                body = await self._read_body(scope, receive, MAX_BODY_BYTES)
            await self._answer(scope, body, send, address)
        except BusyError as busy:
            metrics.REFUSED.labels("uploads" if _is_upload(scope) else "requests").inc()
            text = b"Busy, try again in %d s." % busy.retry_after_s
            headers = [(b"retry-after", b"%d" % busy.retry_after_s)]
            await _refuse(scope, send, busy.status, text, headers)
        except _BodyTooLargeError:
            await _refuse(
                scope,
                send,
                413,
                b"This is too large. Go back and send something smaller.",
                [(b"connection", b"close")],
            )
        except _DisconnectedError:
            pass  # nobody is there to be answered

    async def _read_body(self, scope: Scope, receive: Receive, most_bytes: int) -> bytes:
        length = _content_length(scope)
        if not length.isdigit() or int(length) > most_bytes:
            raise _BodyTooLargeError
        chunks: list[bytes] = []
        size = 0
        try:
            while True:
                chunk, is_last = await _next_chunk(receive)
                size += len(chunk)
                self._bodies_bytes += len(chunk)
                self._require_size(size, most_bytes)
                chunks.append(chunk)
                if is_last:
                    return b"".join(chunks)
        finally:
            self._bodies_bytes -= size

    def _require_size(self, size: int, most_bytes: int) -> None:
        if size > most_bytes:
            raise _BodyTooLargeError
        if self._bodies_bytes > MAX_BODIES_BYTES:
            raise BusyError(503, 10)

    async def _answer(self, scope: Scope, body: bytes, send: Send, address: str) -> None:
        loop = asyncio.get_running_loop()
        with self._waiting.place(address):
            response_parts = await loop.run_in_executor(
                self.threads, self._call, _environ(scope, body)
            )
        start = {
            "type": "http.response.start",
            "status": response_parts.status,
            "headers": response_parts.headers,
        }
        if response_parts.stream is None:
            await send(start)
            await send({"type": "http.response.body", "body": response_parts.body})
            return
        try:
            await send(start)
            while scope["method"] != "HEAD":
                chunk = await loop.run_in_executor(self.threads, next, response_parts.stream, None)
                if chunk is None:
                    break
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            if response_parts.close is not None:
                await loop.run_in_executor(self.threads, response_parts.close)

    def _call(self, environ: dict[str, Any]) -> _Response:
        response_parts = _Response()

        def start_response(
            status: str, headers: list[tuple[str, str]], _exc: object = None, /
        ) -> Callable[[bytes], object]:
            response_parts.status = int(status[:3])
            response_parts.headers = [
                (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
            ]
            return lambda _data: None  # Django never writes this way

        response = self._application(environ, start_response)
        close = getattr(response, "close", None)
        if getattr(response, "streaming", True):
            response_parts.stream, response_parts.close = iter(response), close
            return response_parts
        # The usual case, whole in this thread: closing the response returns this thread's database
        # connection.
        try:
            response_parts.body = b"" if environ["REQUEST_METHOD"] == "HEAD" else b"".join(response)
        finally:
            if close is not None:
                close()
        return response_parts


def _is_upload(scope: Scope) -> bool:
    """Return whether a larger body is announced on an address that accepts one."""
    length = _content_length(scope)
    return (
        scope["method"] == "POST"
        and scope["path"].startswith(UPLOADS)
        and length.isdigit()
        and int(length) > MAX_BODY_BYTES
    )


def _content_length(scope: Scope) -> bytes:
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    return next((value for name, value in headers if name == b"content-length"), b"0")


async def _next_chunk(receive: Receive) -> tuple[bytes, bool]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise _DisconnectedError
    return message.get("body", b""), not message.get("more_body")


def _environ(scope: Scope, body: bytes) -> dict[str, Any]:
    """Return the WSGI environment of an ASGI scope (PEP 3333: texts are bytes decoded as Latin-1)."""
    server = scope.get("server") or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": scope.get("root_path", ""),
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": "HTTP/" + scope.get("http_version", "1.1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "CONTENT_LENGTH": str(len(body)),
        request_ids.HANDED_ON: scope.get(request_ids.HANDED_ON, ""),
    }
    for raw_name, raw_value in scope["headers"]:
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        value = raw_value.decode("latin-1")
        if name == "CONTENT_LENGTH" or b"_" in raw_name:
            continue  # `X_Real_IP` must not pass for `X-Real-IP`
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        joint = "; " if name == "COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    return environ


async def _refuse(
    scope: Scope, send: Send, status: int, text: bytes, headers: list[tuple[bytes, bytes]]
) -> None:
    """Answer by a sentence for people, or by a problem for programs."""
    kind, body = b"text/plain; charset=utf-8", text
    if scope["path"].startswith(V1_ROOT):
        kind, body = problems.CONTENT_TYPE.encode(), problems.in_short(status)
    start = {"status": status, "headers": [(b"content-type", kind), *headers]}
    await send({"type": "http.response.start", **start})
    await send({"type": "http.response.body", "body": body})
