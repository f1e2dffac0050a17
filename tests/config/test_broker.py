"""The embedded broker: every message once, whoever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from queue import Empty
from typing import TYPE_CHECKING

import pytest
from kombu import Connection

import config.broker  # noqa: F401 - registers the transport
from tests.processes import ROOT, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CONSUMER = """
import sys
from queue import Empty
from kombu import Connection
import config.broker
path, how = sys.argv[1:]
with Connection("sqlitefile://embedded", transport_options={"path": path}) as connection:
    queue = connection.SimpleQueue("work")
    while True:
        try:
            message = queue.get(timeout=1)
        except Empty:
            break
        print(message.payload, flush=True)
        if how == "hold":
            sys.stdin.read()
        message.ack()
    queue.close()
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "queue.sqlite3")


@pytest.fixture
def connection(path: str) -> Iterator[Connection]:
    with Connection(
        "sqlitefile://embedded", transport_options={"path": path, "polling_interval": 0.01}
    ) as kombu_connection:
        yield kombu_connection


def _put(connection: Connection, *payloads: object) -> None:
    queue = connection.SimpleQueue("work")
    for payload in payloads:
        queue.put(payload)
    queue.close()


def _get_all(connection: Connection) -> list[object]:
    queue = connection.SimpleQueue("work")
    payloads = []
    while True:
        try:
            message = queue.get(timeout=0.1)
        except Empty:
            break
        payloads.append(message.payload)
        message.ack()
    queue.close()
    return payloads


def _consumer(path: str, how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _CONSUMER, path, how],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_messages_come_in_order_and_once(connection: Connection) -> None:
    _put(connection, 1, "zwei", {"drei": 3})
    assert _get_all(connection) == [1, "zwei", {"drei": 3}]
    assert _get_all(connection) == []


def test_a_refused_message_comes_again_or_not_as_told(connection: Connection) -> None:
    _put(connection, "again", "gone")
    queue = connection.SimpleQueue("work")
    again, nothing = queue.get(timeout=1), queue.get(timeout=1)
    again.requeue()
    nothing.reject()
    queue.close()
    assert _get_all(connection) == ["again"]


def test_an_unacknowledged_message_outlives_its_connection(path: str) -> None:
    options = {"path": path}
    with Connection("sqlitefile://embedded", transport_options=options) as first:
        _put(first, "work")
        queue = first.SimpleQueue("work")
        queue.get(timeout=1)
        queue.close()
    with Connection("sqlitefile://embedded", transport_options=options) as second:
        assert _get_all(second) == ["work"]


def test_many_consumers_get_every_message_once(connection: Connection, path: str) -> None:
    _put(connection, *range(300))
    consumers = [_consumer(path, "ack") for _ in range(3)]
    got = [int(line) for c in consumers for line in c.communicate(timeout=60)[0].split()]
    assert Counter(got) == Counter(range(300))


def test_what_a_killed_consumer_held_is_given_out_again(connection: Connection, path: str) -> None:
    _put(connection, "work")
    with _consumer(path, "hold") as consumer:
        assert consumer.stdout is not None
        assert consumer.stdout.readline() == "work\n"
        assert _get_all(connection) == []
        os.kill(consumer.pid, signal.SIGKILL)
        consumer.wait()
    payloads: list[object] = []

    def given_out() -> bool:
        with Connection("sqlitefile://embedded", transport_options={"path": path}) as fresh:
            payloads.extend(_get_all(fresh))
        return bool(payloads)

    until(given_out)
    assert payloads == ["work"]
