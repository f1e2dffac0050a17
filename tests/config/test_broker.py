"""The embedded broker: every message once, with any process dying."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Message, Queue

import config.broker  # noqa: F401 - registers the transport
from config import wake_ups
from tests.processes import ROOT, until

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


@pytest.mark.long
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


def test_a_waiting_consumer_is_woken_by_a_message(
    connection: Connection, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wake_ups, "LONGEST_S", 600.0)  # so that only a datagram wakes it
    with Connection("sqlitefile://embedded", transport_options={"path": path}) as other:
        queue = connection.SimpleQueue("work")
        sender = threading.Timer(0.3, _put, (other, "late"))
        sender.start()
        assert queue.get(timeout=60).payload == "late"
        sender.join()
        queue.close()


def test_a_consumer_with_room_again_gets_the_message_that_waited(
    connection: Connection, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker's processes have one message each.

    The end of a task frees room, without any datagram.
    """
    monkeypatch.setattr(wake_ups, "LONGEST_S", 600.0)
    _put(connection, 1, 2)
    messages: list[Message] = []
    with Connection("sqlitefile://embedded", transport_options={"path": path}) as other:
        consumer = other.Consumer(queues=[Queue("work")], on_message=messages.append)
        consumer.qos(prefetch_count=1)
        consumer.consume()
        other.drain_events(timeout=60)
        waiting = threading.Thread(target=other.drain_events, kwargs={"timeout": 600}, daemon=True)
        waiting.start()
        waiting.join(0.2)
        assert len(messages) == 1
        messages[0].ack()
        waiting.join(20)
        assert [message.decode() for message in messages] == [1, 2]


def test_nobody_waits_longer_than_asked(connection: Connection) -> None:
    queue = connection.SimpleQueue("work")
    with pytest.raises(Empty):
        queue.get(timeout=0.05)
    queue.close()


def test_a_message_comes_without_any_datagram(
    connection: Connection, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wake_ups, "LONGEST_S", 0.05)
    monkeypatch.setattr(wake_ups, "send", lambda folder: None)
    queue = connection.SimpleQueue("work")
    with Connection("sqlitefile://embedded", transport_options={"path": path}) as other:
        sender = threading.Timer(0.2, _put, (other, "late"))
        sender.start()
        assert queue.get(timeout=60).payload == "late"
        sender.join()
    queue.close()


def test_sockets_of_dead_processes_are_removed_and_long_paths_do_without(tmp_path: Path) -> None:
    # The path of a socket has 107 characters at most, and that of a test may have them already.
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        _try_sockets(Path(short) / "waiting")
    deep = wake_ups.Waiter(tmp_path / ("x" * 120))
    deep.wait(600)
    deep.close()


def _try_sockets(folder: Path) -> None:
    waiting = wake_ups.Waiter(folder)
    dead = folder / "1-0"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as left_behind:
        left_behind.bind(str(dead))
    wake_ups.send(folder)
    assert not dead.exists()
    waiting.wait(600)  # returns, for a wake-up was sent
    waiting.close()
    waiting.close()
    assert list(folder.iterdir()) == []
