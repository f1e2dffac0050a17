"""Browsers that watch a game by its stream, and connect again when it is cut."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.faults.people import Table

_RETRY_S = 0.3


@dataclass
class Spectator:
    """A browser at the page of a game.

    Attributes:
        plies: the numbers of the moves that the stream brought, in their order.
        cuts: how often the stream ended.
    """

    table: Table
    port: int
    plies: list[int] = field(default_factory=list)
    cuts: int = 0
    _last_id: str = ""

    def watch(self, is_over: threading.Event) -> None:
        """Read the stream until the event, with the last id after each cut, as a browser does."""
        while not is_over.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            cut = contextlib.suppress(OSError, http.client.HTTPException)
            with contextlib.closing(connection), cut:
                self._read(connection, is_over)
            if not is_over.is_set():
                self.cuts += 1
                is_over.wait(_RETRY_S)

    def _read(self, connection: http.client.HTTPConnection, is_over: threading.Event) -> None:
        topic = f"game:{self.table.pk}"
        headers = {"Last-Event-ID": self._last_id} if self._last_id else {}
        connection.request("GET", f"/stream/?t={topic}&after={topic}=0", headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            return
        event: dict[str, str] = {}
        while not is_over.is_set() and (line := response.readline().decode()):
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                event[name] = value
                continue
            self._last_id = event.get("id", self._last_id)
            if event.get("event") == "ply":
                self.plies.append(json.loads(event["data"])["ply"])
            event = {}


@contextlib.contextmanager
def watching(tables: Sequence[Table], port: int) -> Iterator[list[Spectator]]:
    """Watch each of the games meanwhile."""
    is_over = threading.Event()
    spectators = [Spectator(table, port) for table in tables]
    threads = [
        threading.Thread(target=each.watch, args=(is_over,), daemon=True) for each in spectators
    ]
    for thread in threads:
        thread.start()
    try:
        yield spectators
    finally:
        is_over.set()
        for thread in threads:
            thread.join(30)
