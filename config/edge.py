"""The HTTP server's edge: limits of connections, of their time, and of input before a request is read.

uvicorn parses well but has no time limits. This module adds the limits that its protocol lacks. A
head (request line and headers) must be complete soon after the connection is made or its first byte
has come, and is small. A body must keep coming. A client must read its answer. Connections are
counted in all and by address. Each rule has its regression test against a running server in
`tests/config/test_edge.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import resource
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from uvicorn import Server
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from config import metrics, request_ids
from config.occupancy import BusyError, Occupancy

# Files of the process that are no connections: databases, sockets of the bus, static files.
_RESERVED_FILES = 128
# A client that comes when all connections are taken comes again after this time.
_RETRY_AFTER_S = 60
# Two heartbeats of a stream.
_UNCONFIRMED_MS = 30_000


@dataclass(frozen=True)
class Limits:
    """Limits of one connection, and of the number of connections. Times in seconds, sizes in bytes."""

    head_bytes: int = 64 * 1024
    head_s: float = 10.0
    # A body of an upload may take minutes, but each of these spans must bring this part of it.
    body_span_s: float = 10.0
    body_span_bytes: int = 16 * 1024
    # The answer: how long a full buffer of 64 kB may wait before a quarter of it has been taken.
    answer_s: float = 30.0
    connections: int = 12_000
    connections_by_address: int = 600


class EdgeServer(Server):
    """The server of a site with one process, which sleeps until a signal to stop comes.

    Once a second it renews the date of answers. uvicorn's server looks for a signal ten times a
    second, which took 75 ms of CPU a minute.
    """

    _loop: asyncio.AbstractEventLoop | None = None
    _signalled: asyncio.Event

    async def main_loop(self) -> None:
        """Wait until the server is to stop."""
        self._loop, self._signalled = asyncio.get_running_loop(), asyncio.Event()
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._signalled.wait(), 1)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note a signal to stop, and wake the loop."""
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._signalled.set)


class Census:
    """The open connections of this process."""

    def __init__(
        self, limits: Limits, proxies: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network] = ()
    ) -> None:
        self.limits = limits
        self._proxies = proxies
        self._open = Occupancy(
            limits.connections, limits.connections_by_address, retry_after_s=_RETRY_AFTER_S
        )

    def admit(self, address: str) -> bool:
        """Count a connection of `address`, and return False if there are too many."""
        try:
            self._open.enter(address, speaks_for_many=self.is_proxy(address))
        except BusyError:
            metrics.REFUSED.labels("connections").inc()
            return False
        metrics.OPEN.labels("connections").inc()
        return True

    def leave(self, address: str) -> None:
        """Count an admitted connection no more."""
        self._open.leave(address)
        metrics.OPEN.labels("connections").dec()

    def is_proxy(self, address: str) -> bool:
        """Return whether a message from `address` may speak for others."""
        try:
            number = ipaddress.ip_address(address)
        except ValueError:  # a Unix socket has none
            return True
        return any(number in network for network in self._proxies)


def raise_file_limit() -> int:
    """Raise this process's limit of open files to the system's.

    Return how many connections fit into that.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = hard if hard != resource.RLIM_INFINITY else 1_048_576
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(64, most - _RESERVED_FILES)


def _is_stream(path: str) -> bool:
    """Return whether the answer to this path has no end."""
    # Hidden: a web process reads this module before Django's models can be loaded.
    from config import api_streams, streams

    return streams.is_stream(path) or api_streams.is_stream(path)


def end_when_unconfirmed(connection: int) -> None:
    """Have the kernel end a connection, by its file descriptor, if the other side confirms no data for 30 s.

    Without this a player whose network is gone is at the table for a quarter of an hour.
    """
    if not hasattr(socket, "TCP_USER_TIMEOUT"):  # macOS
        return
    # The event loop's own object of the socket does not set options. This is another one for it.
    with socket.socket(fileno=os.dup(connection)) as own:
        if own.family in {socket.AF_INET, socket.AF_INET6}:
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNCONFIRMED_MS)


def census_of(values: Mapping[str, Any]) -> Census:
    """Return a census with the limits of the settings (`EDGE_LIMITS`), within this process's limit of open files.

    Raises ImproperlyConfigured for a limit that does not exist.
    """
    unknown = values.keys() - {limit.name for limit in fields(Limits)}
    if unknown:
        raise ImproperlyConfigured(f"EDGE_LIMITS has no {', '.join(sorted(unknown))}.")
    limits = Limits(**values)
    fitting = min(limits.connections, raise_file_limit())
    proxies = [ipaddress.ip_network(proxy) for proxy in settings.TRUSTED_PROXIES]
    return Census(replace(limits, connections=fitting), proxies)


class EdgeProtocol(HttpToolsProtocol):
    """uvicorn's HTTP/1.1 with deadlines and limits."""

    # Census of the process, made with the first connection, when its settings are ready.
    census: Census | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*args, **kwargs)
        if EdgeProtocol.census is None:
            EdgeProtocol.census = census_of(settings.EDGE_LIMITS)
        self._census = EdgeProtocol.census
        self._limits = self._census.limits
        self._address = ""
        self._is_admitted = False
        self._is_in_head = True
        self._head_bytes = 0
        self._body_bytes = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._answer_deadline: asyncio.TimerHandle | None = None

    # --- the connection ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, or answer 503 and close it."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._is_admitted = self._census.admit(self._address)
        if self._is_admitted:
            self._await_head()
        else:
            self._refuse(
                503, "Too many connections, try again in a minute.", retry_after_s=_RETRY_AFTER_S
            )

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._is_admitted:
            self._is_admitted = False
            self._census.leave(self._address)
        self._disarm()
        self._answer_taken()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close the connection at the end of its answer.

        A stream has no end, and is resumed elsewhere.
        """
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and _is_stream(cycle.scope["path"]):
            self._close()
        else:
            super().shutdown()

    # --- input ------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Continue parsing. A head that grows too long is refused while it comes, in linear time."""
        if self.transport.is_closing():
            return
        if self._is_in_head:
            if self._deadline is None:
                self._await_head()
            self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > self._limits.head_bytes:
            self._refuse(431, "The headers of this request are too long.")

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._is_in_head = True

    def on_headers_complete(self) -> None:
        """The head is complete: the body has its turn."""
        head_bytes = len(self.url) + sum(len(n) + len(v) + 4 for n, v in self.headers)
        if head_bytes > self._limits.head_bytes:
            self._refuse(431, "The headers of this request are too long.")
            return
        self._is_in_head = False
        self._head_bytes = 0
        self._body_bytes = 0
        if self._census.is_proxy(self._address):
            # An id of another sender would let a stranger choose the content of the logs.
            name = b"x-request-id"
            sent = next((value for key, value in self.headers if key == name), b"")
            self.scope[request_ids.HANDED_ON] = sent.decode("latin-1")  # type: ignore[literal-required] # our own
        self._arm(self._limits.body_span_s, self._body_is_late)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._body_bytes += len(body)
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Register the complete request. uvicorn's keep-alive timer awaits the next one on this connection."""
        self._disarm()
        self._is_in_head = True
        self._head_bytes = 0
        if _is_stream(self.scope["path"]):
            end_when_unconfirmed(self.transport.get_extra_info("socket").fileno())
        if not self.transport.is_closing():
            super().on_message_complete()

    def _await_head(self) -> None:
        self._arm(self._limits.head_s, self._head_is_late)

    def _head_is_late(self) -> None:
        # A client that has sent no byte gets no answer.
        if self._head_bytes:
            self._refuse(408, "This request came too slowly.")
        else:
            self._close()

    def _body_is_late(self) -> None:
        """Start another span, unless the last one brought too little.

        A body that no application reads yet is not late.
        """
        if self._body_bytes >= self._limits.body_span_bytes or self.flow.read_paused:
            self._body_bytes = 0
            self._arm(self._limits.body_span_s, self._body_is_late)
        else:
            self._refuse(408, "This request came too slowly.")

    # --- output -----------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """The buffer is full: the other side takes it within its time, or is cut off."""
        super().pause_writing()
        self._expect_taking()

    def resume_writing(self) -> None:
        """The other side has taken most of the buffer."""
        super().resume_writing()
        self._answer_taken()

    def on_response_complete(self) -> None:
        """Register the written answer.

        A connection that is closing with it is cut off if the client does not read it.
        """
        super().on_response_complete()
        if self.transport.is_closing():
            self._expect_taking()

    def timeout_keep_alive_handler(self) -> None:
        """Close the idle connection, even if its last answer is never taken."""
        self._close()

    def _expect_taking(self) -> None:
        if self._answer_deadline is None:
            self._answer_deadline = self.loop.call_later(
                self._limits.answer_s, self.transport.abort
            )

    def _answer_taken(self) -> None:
        if self._answer_deadline is not None:
            self._answer_deadline.cancel()
            self._answer_deadline = None

    def _close(self) -> None:
        if not self.transport.is_closing():
            self._expect_taking()  # to close waits until all is written
            self.transport.close()

    # --- refusals and timers ----------------------------------------------------------------------

    def _refuse(self, status: int, text: str, retry_after_s: int | None = None) -> None:
        """Answer `status`, unless an answer has begun, and close."""
        self._disarm()
        if self.transport.is_closing():
            return
        cycle: RequestResponseCycle | None = self.cycle  # none before the first request
        if cycle is None or not cycle.response_started or self._is_between(cycle):
            body = text.encode("ascii")
            lines = [
                STATUS_LINE[status],
                b"content-type: text/plain; charset=utf-8\r\n",
                b"content-length: %d\r\n" % len(body),
                b"connection: close\r\n",
            ]
            if retry_after_s is not None:
                lines.append(b"retry-after: %d\r\n" % retry_after_s)
            self.transport.write(b"".join([*lines, b"\r\n", body]))
        self._close()

    def _is_between(self, cycle: RequestResponseCycle) -> bool:
        """Return whether one request is answered and the next is not complete."""
        return self._is_in_head and cycle.response_complete

    def _unsupported_upgrade_warning(self) -> None:
        """Answer a request for a web socket without one, and without a line in the log."""

    def send_400_response(self, msg: str) -> None:
        """Answer a request that could not be parsed."""
        del msg
        self._refuse(400, "This is no HTTP request that we understand.")

    def _arm(self, after_s: float, function: Any) -> None:  # noqa: ANN401 - a bound method
        self._disarm()
        self._deadline = self.loop.call_later(after_s, function)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
