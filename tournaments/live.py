"""The bus that carries news from services to open streams.

Services publish a topic's new sequence number. Open streams wake and read on from the database.

The bus only wakes. A message lost, doubled or late does no harm: a reader asks the database for
everything after the number it has, and asks again at each heartbeat. Embedded, the bus is a Unix
datagram socket; with REDIS_URL it is Redis pub/sub.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
    from pathlib import Path

log = logging.getLogger(__name__)

# A stream that falls this many items behind is closed; its reader resumes by sequence number.
QUEUE_LENGTH = 200
# The number of topics that fit a datagram, each with a name of at most 60 characters.
_MOST_TOPICS = 40


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of news: `payload` is the `seq`-th (1, 2, 3, ... without gaps) of its topic."""

    topic: str
    seq: int
    kind: str
    payload: dict[str, object]


class Bus(Protocol):
    """Carries the numbers that topics have reached from any process to every web process."""

    def publish(self, seqs: Mapping[str, int]) -> None:
        """Tell all listeners which topics have reached which number.

        Never raises, never waits long: see the module.
        """
        ...

    async def listen(self, callback: Callable[[str, int], None]) -> None:
        """Call `callback` for every topic of a message until cancelled."""
        ...


class SocketBus:
    """A Unix datagram socket that the one web process of the embedded default reads."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)

    def publish(self, seqs: Mapping[str, int]) -> None:
        """Send a datagram, or some for many topics. An absent listener is no fault."""
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender,
        ):
            sender.settimeout(0.2)  # a full queue holds the sender back; never for long
            for start in range(0, len(seqs), _MOST_TOPICS):
                some = dict(islice(seqs.items(), start, start + _MOST_TOPICS))
                sender.sendto(json.dumps(some).encode(), self._path)

    async def listen(self, callback: Callable[[str, int], None]) -> None:
        """Bind the socket and read until cancelled. A file left by a dead process is replaced."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
            receiver.setblocking(False)
            receiver.bind(self._path)
            while True:
                for topic, seq in json.loads(await loop.sock_recv(receiver, 4096)).items():
                    callback(topic, seq)


def _make_bus() -> Bus:
    if settings.LIVE_REDIS_URL:
        # The client of Redis takes 0.1 s to import, which every start without Redis saves.
        from tournaments.redis_bus import RedisBus

        return RedisBus(settings.LIVE_REDIS_URL)
    return SocketBus(settings.LIVE_SOCKET)


bus: Bus = _make_bus()


@dataclass(eq=False)
class Reader:
    """An open stream: its topics with their last numbers, and the items that wait to be sent."""

    seen: dict[str, int]
    waiting: asyncio.Queue[Item] = field(default_factory=lambda: asyncio.Queue(QUEUE_LENGTH))
    is_lost: bool = False


class Hub:
    """Gives each topic's news to all readers in this process.

    The database is read once for a topic and not once for each reader.
    """

    def __init__(self, read_after: Callable[[str, int], Awaitable[Sequence[Item]]]) -> None:
        self._read_after = read_after
        self._readers: dict[str, set[Reader]] = {}
        self._reached: dict[str, int] = {}
        self._woken: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def add(self, reader: Reader) -> None:
        """Let `reader` have the news of its topics from now on."""
        for topic, seq in reader.seen.items():
            self._readers.setdefault(topic, set()).add(reader)
            # Not moved on by a later reader: the earlier ones may still wait for what this one has
            # seen.
            self._reached.setdefault(topic, seq)

    def remove(self, reader: Reader) -> None:
        """Forget `reader`; safe to call twice."""
        for topic in reader.seen:
            readers = self._readers.get(topic, set())
            readers.discard(reader)
            if not readers:
                self._readers.pop(topic, None)
                self._reached.pop(topic, None)

    def wake(self, topic: str, _seq: int) -> None:
        """A wake-up for `topic`: read on, once for many wake-ups that come together."""
        if topic not in self._readers:
            return
        if topic in self._woken:
            self._again.add(topic)
            return
        self._woken[topic] = asyncio.get_running_loop().create_task(self._read_on(topic))

    def batches(self, size: int) -> Iterator[list[str]]:
        """All topics that have readers, at most `size` at a time."""
        topics = list(self._readers)
        for start in range(0, len(topics), size):
            yield topics[start : start + size]

    def wake_behind(self, last_seqs: Mapping[str, int]) -> None:
        """Wake the topics whose last number is later than what their readers were given."""
        for topic, seq in last_seqs.items():
            if seq > self._reached.get(topic, seq):
                self.wake(topic, seq)

    async def _read_on(self, topic: str) -> None:
        try:
            while topic in self._readers:
                self._again.discard(topic)
                items = await self._read_after(topic, self._reached.get(topic, 0))
                if topic not in self._readers:
                    break
                for item in items:
                    self._reached[topic] = item.seq
                    self._give(item)
                if topic not in self._again:
                    break
        finally:
            self._woken.pop(topic, None)

    def _give(self, item: Item) -> None:
        for reader in self._readers.get(item.topic, set()):
            try:
                reader.waiting.put_nowait(item)
            except asyncio.QueueFull:
                reader.is_lost = True
