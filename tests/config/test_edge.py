"""The edge of the running web server: the limits of a client without an account.

Each test is an attack that closed the site once. Beside it a visitor asks for a page.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
import uvicorn
from pytest_django.plugin import DjangoDbBlocker

from config import edge
from tests import processes

# The site that is tested has a database.
pytestmark = pytest.mark.django_db

# Short, so that no test waits long. The shares are those of the defaults.
_LIMITS = "head_s=1.0,body_span_s=1.0,answer_s=1.0,connections_by_address=300"
_MANY = 280  # more than may wait for a thread (`wsgi_pool.MAX_WAITING`)
_PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def address(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[str, int]]:
    """Yield the address of the site."""
    with django_db_blocker.unblock(), processes.site(EDGE_LIMITS=_LIMITS) as url:
        parts = urlsplit(url)
        yield parts.hostname or "", parts.port or 0


def _connect(
    address: tuple[str, int], sent: bytes = b"", *, host: str = "127.0.0.2"
) -> socket.socket:
    """Return a connection from an address of an attacker's own."""
    connection = socket.create_connection(address, _PATIENCE_S, source_address=(host, 0))
    connection.sendall(sent)
    return connection


def _answer(connection: socket.socket) -> bytes:
    """Return all that still comes until the server closes the connection."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def _is_cut_off(connection: socket.socket, drip: bytes) -> bool:
    """Return whether the server closes the connection while `drip` is sent now and then."""
    deadline = time.monotonic() + _PATIENCE_S
    try:
        while time.monotonic() < deadline:
            connection.sendall(drip)
            time.sleep(0.1)
    except ConnectionError:
        return True
    return False


def _visit(address: tuple[str, int]) -> int:
    """Return the status of a visitor's page, asked for from another address."""
    request = b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with _connect(address, request, host="127.0.0.3") as connection:
        return int(_answer(connection).split(b" ", 2)[1])


@contextlib.contextmanager
def _many(
    address: tuple[str, int], sent: bytes, number: int = _MANY
) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(_connect(address, sent)) for _ in range(number)]


def test_slow_bodies_keep_nobody_waiting(address: tuple[str, int]) -> None:
    head = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n1"
    with _many(address, head) as connections:
        assert _visit(address) == 200
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(_answer, connections))
    assert {answer.split(b" ", 2)[1] for answer in answers} == {b"408"}


def test_slow_uploads_leave_room_for_others(address: tuple[str, int]) -> None:
    head = b"POST /bots/new/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n1"
    with _many(address, head, 4):
        with _connect(address, head) as fifth:
            assert b" 429 " in _answer(fifth).splitlines()[0]
        with _connect(address, head, host="127.0.0.4") as other:
            # Waits for the body, until that is late.
            assert b" 408 " in _answer(other).splitlines()[0]


def test_slow_readers_keep_nobody_waiting(address: tuple[str, int]) -> None:
    # Answers of over a megabyte, which no socket takes in one piece.
    request = b"GET /static/rayuela/site.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(socket.socket()) for _ in range(100)]
        for reader in readers:
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            reader.bind(("127.0.0.2", 0))
            reader.connect(address)
            reader.sendall(request)
        assert _visit(address) == 200
        assert _is_cut_off(readers[0], b"G")


@pytest.mark.parametrize("piece", [b"a" * 4096, b"a: b\r\n" * 500])
def test_an_endless_head_is_cut_off(address: tuple[str, int], piece: bytes) -> None:
    start = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "
    with _connect(address, start) as connection:
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 4 * 2**20:
                connection.sendall(piece)
                sent += len(piece)
        assert sent < 4 * 2**20
    assert _visit(address) == 200


@pytest.mark.long
def test_a_head_of_one_packet_is_measured_too(address: tuple[str, int]) -> None:
    head = b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\nX-A: %s\r\nConnection: close\r\n\r\n"
    with _connect(address, head % (b"a" * 60_000)) as connection:
        assert b" 200 " in _answer(connection).splitlines()[0]
    with _connect(address, head % (b"a" * 66_000)) as connection:
        answer = _answer(connection)
        assert not answer or b" 431 " in answer.splitlines()[0]


@pytest.mark.long
@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_silent_connection_is_closed(address: tuple[str, int], sent: bytes) -> None:
    with _connect(address, sent) as connection:
        answer = _answer(connection)
    assert not answer or b" 408 " in answer.splitlines()[0]
    assert bool(answer) == bool(sent)


def test_a_dripping_head_is_not_kept_open(address: tuple[str, int]) -> None:
    with _connect(address, b"GET / HTTP/1.1\r\n") as connection:
        assert _is_cut_off(connection, b"X-A: b\r\n")


@pytest.mark.long
def test_one_address_does_not_take_all_connections(address: tuple[str, int]) -> None:
    stream = b"GET /stream/?t=site HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with _many(address, stream, 300):
        with _connect(address) as one_more:
            assert _answer(one_more).startswith(b"HTTP/1.1 503 ")
        assert _visit(address) == 200


def test_whoever_goes_on_asking_keeps_the_connection(address: tuple[str, int]) -> None:
    connection = http.client.HTTPConnection(*address, timeout=_PATIENCE_S)
    with contextlib.closing(connection):
        connection.connect()
        first = connection.sock
        for _ in range(3):
            connection.request("GET", "/sign-in/")
            assert connection.getresponse().read()
            time.sleep(0.7)  # three of them are longer than any deadline
            assert connection.sock is first


def test_a_quiet_stream_stays_open(address: tuple[str, int]) -> None:
    with _connect(address, b"GET /stream/?t=site HTTP/1.1\r\nHost: localhost\r\n\r\n") as stream:
        assert stream.recv(65536).startswith(b"HTTP/1.1 200")
        time.sleep(2.5)
        stream.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            assert stream.recv(65536), "the stream was closed"


_RAISED = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (300, 2000))
from config import edge
print(edge.raise_file_limit(), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def test_the_date_of_answers_is_renewed(address: tuple[str, int]) -> None:
    def date() -> str | None:
        visit = http.client.HTTPConnection(*address, timeout=_PATIENCE_S)
        with contextlib.closing(visit):
            visit.request("GET", "/healthz")
            return visit.getresponse().headers["Date"]

    first, deadline = date(), time.monotonic() + _PATIENCE_S
    while date() == first:
        assert time.monotonic() < deadline, "no answer has a later date"
        time.sleep(0.1)


def test_a_signal_to_stop_wakes_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    server = edge.EdgeServer(uvicorn.Config("config.asgi:application"))

    async def has_signal(_counter: int) -> bool:
        return server.should_exit

    async def stop() -> None:
        monkeypatch.setattr(server, "on_tick", has_signal)
        waiting = asyncio.create_task(server.main_loop())
        await asyncio.sleep(0)
        server.handle_exit(signal.SIGTERM, None)
        await waiting
        assert server._signalled.is_set()

    asyncio.run(stop())


@pytest.mark.parametrize("name", ["main_loop", "on_tick", "handle_exit"])
def test_uvicorn_has_the_methods_that_the_edge_replaces(name: str) -> None:
    assert name in vars(uvicorn.Server)


@pytest.mark.long
def test_the_file_limit_is_raised() -> None:
    process = subprocess.run(
        [sys.executable, "-c", _RAISED],
        cwd=processes.ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    assert process.stdout.split() == ["1872", "2000", "2000"]


def test_a_stream_ends_when_its_reader_is_gone_without_a_word() -> None:
    """A machine that has lost its network sends no end of the connection."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as connection,
    ):
        edge.end_when_unconfirmed(connection.fileno())
        option = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert option == 30_000
