"""The embedded message broker: a kombu transport on one SQLite file, for one machine and no server.

kombu's own file and SQL transports lose or destroy messages (measured, docs/decisions/0002). Here a
message is a row: consuming marks it with its owner, acknowledging deletes it, and the messages of a
dead process are released at the next connect. Consumers sleep until a datagram wakes them
(`config.wake_ups`), and look every other second in any case.
"""

from __future__ import annotations

import functools
import math
import os
import sqlite3
import threading
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu import Connection
from kombu.transport import TRANSPORT_ALIASES, virtual
from kombu.utils.json import dumps, loads

from config import wake_ups

_SCHEMA = """
CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY, queue TEXT NOT NULL, tag TEXT NOT NULL, body TEXT NOT NULL, owner TEXT);
CREATE INDEX IF NOT EXISTS waiting ON message (queue, id) WHERE owner IS NULL;
CREATE INDEX IF NOT EXISTS tagged ON message (tag);
"""


def waiting_folder(path: str) -> Path:
    """Return the folder in which the consumers of a queue file wait."""
    return Path(f"{path}.waiting")


@functools.cache
def _process(pid: int) -> str:
    """Return a name of the running process that no later process with its pid has.

    Empty when the process has ended.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return f"{pid}-{stat.rpartition(')')[2].split()[19]}"


def _is_alive(owner: str) -> bool:
    _process.cache_clear()
    return _process(int(owner.split("-")[0])) == owner


class _QoS(virtual.QoS):
    """Prefetch accounting over rows: acknowledged means deleted, refused means waiting again.

    Either leaves room for another message of the prefetch count, so that the consumer looks again.
    """

    channel: Channel

    def ack(self, delivery_tag: str) -> None:
        self.channel.delete_message(delivery_tag)
        self._make_room(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        if requeue:
            self.channel.release_message(delivery_tag)
        else:
            self.channel.delete_message(delivery_tag)
        self._make_room(delivery_tag)

    def _make_room(self, delivery_tag: str) -> None:
        super().ack(delivery_tag)
        self.channel.connection.look_again()

    def restore_unacked_once(self, stderr: object = None) -> None:
        self.channel.release_all()


class Channel(virtual.Channel):
    """One connection to the file. Queues need no declaration: a queue is the rows that name it."""

    QoS = _QoS
    connection: Transport
    do_restore = True
    supports_fanout = False

    def __init__(self, connection: virtual.Transport, **kwargs: object) -> None:
        super().__init__(connection, **kwargs)
        assert connection.client is not None, "kombu makes channels of open connections only"
        path = (connection.client.transport_options or {})["path"]
        self._waiting = waiting_folder(path)
        self._lock = threading.Lock()
        self._file = sqlite3.connect(
            path, timeout=20, isolation_level=None, check_same_thread=False
        )
        self._file.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE;"
            + _SCHEMA
            + "COMMIT;"
        )
        self._is_open = True
        self._owner = _process(os.getpid())
        self._release_the_dead()

    def _query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._file.execute(sql, values).fetchall()

    def _release_the_dead(self) -> None:
        owners = self._query("SELECT DISTINCT owner FROM message WHERE owner IS NOT NULL")
        for (owner,) in owners:
            if not _is_alive(owner):
                self._query("UPDATE message SET owner = NULL WHERE owner = ?", owner)

    def _put(self, queue: str, message: dict[str, Any], **_: object) -> None:
        # An exchange gives one message to several queues, each of which acknowledges its own row.
        tag = str(uuid.uuid4())
        message = {**message, "properties": {**message["properties"], "delivery_tag": tag}}
        self._query(
            "INSERT INTO message (queue, tag, body) VALUES (?, ?, ?)",
            queue,
            tag,
            dumps(message),
        )
        wake_ups.send(self._waiting)

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        # Looking first keeps an idle worker from taking the write lock.
        if not self._size(queue):
            raise Empty
        rows = self._query(
            "UPDATE message SET owner = ? WHERE id ="
            " (SELECT id FROM message WHERE queue = ? AND owner IS NULL ORDER BY id LIMIT 1) RETURNING body",
            self._owner,
            queue,
        )
        if not rows:
            raise Empty
        message: dict[str, Any] = loads(rows[0][0])
        return message

    def _size(self, queue: str) -> int:
        rows = self._query(
            "SELECT count(*) FROM (SELECT 1 FROM message WHERE queue = ? AND owner IS NULL LIMIT 1000)",
            queue,
        )
        return int(rows[0][0])

    def _purge(self, queue: str) -> int:
        waiting = self._size(queue)
        self._query("DELETE FROM message WHERE queue = ? AND owner IS NULL", queue)
        return waiting

    def _delete(self, queue: str, *_: object, **__: object) -> None:
        self._query("DELETE FROM message WHERE queue = ?", queue)

    def delete_message(self, tag: str) -> None:
        """Delete the message, which was acknowledged, or refused finally."""
        self._query("DELETE FROM message WHERE tag = ?", tag)

    def release_message(self, tag: str) -> None:
        """Release the message for another consumer."""
        self._query("UPDATE message SET owner = NULL WHERE tag = ?", tag)
        wake_ups.send(self._waiting)

    def release_all(self) -> None:
        """Release all messages of this channel, which is closing, for other consumers."""
        if not self._is_open:
            return  # kombu asks again when the process ends
        for tag in list(self.qos._delivered or ()):
            self.release_message(tag)

    def close(self) -> None:
        """Close the channel and its file. A second call is safe."""
        if self._is_open:
            super().close()
            self._is_open = False
            with self._lock:
                self._file.close()


class Transport(virtual.Transport):
    """The transport kombu looks up for `sqlitefile://`. The option `path` names the file."""

    Channel = Channel
    default_port = 0
    driver_type = driver_name = "sqlitefile"
    implements = virtual.Transport.implements.extend(asynchronous=False)
    _own_waiter: wake_ups.Waiter | None = None
    _waiter_pid = 0

    def drain_events(  # type: ignore[override]  # the keyword that every caller gives
        self, connection: Connection, timeout: float | None = None
    ) -> None:
        """Deliver one message, or raise TimeoutError after `timeout` seconds without any."""
        ends_at = math.inf if timeout is None else time.monotonic() + timeout
        # Before the first look: a message that comes between a look and a wait wakes it too.
        waiter = self._waiter()
        assert self.cycle is not None, "kombu makes it with the transport"
        while True:
            try:
                self.cycle.get(self._deliver, timeout=timeout)
            except Empty:
                left_s = ends_at - time.monotonic()
                if left_s <= 0:
                    raise TimeoutError from None
                waiter.wait(left_s)
            else:
                return

    def look_again(self) -> None:
        """Make `drain_events` look for a message immediately. Any thread may call it."""
        if self._own_waiter is not None:
            self._own_waiter.wake()

    def _waiter(self) -> wake_ups.Waiter:
        if self._own_waiter is None or self._waiter_pid != os.getpid():
            assert self.client is not None, "kombu makes transports of connections only"
            path = (self.client.transport_options or {})["path"]
            self._own_waiter, self._waiter_pid = wake_ups.Waiter(waiting_folder(path)), os.getpid()
        return self._own_waiter

    def close_connection(self, connection: Connection) -> None:
        """Close the channels and wait no more."""
        super().close_connection(connection)
        if self._own_waiter is not None and self._waiter_pid == os.getpid():
            self._own_waiter.close()
        self._own_waiter = None

    def driver_version(self) -> str:
        """Return the version of SQLite."""
        return sqlite3.sqlite_version


TRANSPORT_ALIASES |= {
    "sqlitefile": "config.broker:Transport",
    # Loaded only where it is used.
    "redis": "config.redis_broker:Transport",
    "rediss": "config.redis_broker:Transport",
}
