"""Many listeners to one topic, each cut off at different moments: all get equal events, once and in order."""

from __future__ import annotations

import asyncio
import json
import random
import resource
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction

from tests import processes
from tournaments.services.notifications import news

pytestmark = [pytest.mark.engines, pytest.mark.long]

MOST_CLIENTS = 1_000
ADDRESSES = 8
NEWS = 30
TOPIC = news.SITE
# A client's cut comes on average once in this number of events.
CUT_EVERY = 12


class Listener:
    """An event source that is cut off now and then, and connects again with the last id it has heard."""

    def __init__(self, number: int, host: str, port: int) -> None:
        self.random = random.Random(number)
        self.host, self.port = host, port
        # Fewer than the limit of an address: the machine has all of 127.0.0.0/8.
        self.address = f"127.0.0.{1 + number % ADDRESSES}"
        self.last_id = ""
        self.received: list[int] = []
        self.cuts = 0

    async def watch(self) -> None:
        """Connect, again and again, until the last piece of news has come."""
        while not self.received or self.received[-1] < NEWS - 1:
            reader, writer = await asyncio.open_connection(
                self.host, self.port, local_addr=(self.address, 0)
            )
            try:
                last = f"Last-Event-ID: {self.last_id}\r\n" if self.last_id else ""
                request = f"GET /stream/?t={TOPIC}&after={TOPIC}=0 HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n{last}\r\n"
                writer.write(request.encode())
                await self._listen(reader)
            finally:
                writer.close()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Hear events until this connection is cut, which may be in the middle of one."""
        assert b" 200 " in await reader.readline()
        event: dict[str, str] = {}
        while True:
            raw_line = await reader.readline()
            if not raw_line:
                return
            line = raw_line.decode().rstrip("\n")
            if not line and "id" in event:
                self.last_id = event["id"]
            if not line and event.get("event") == "ply":
                self.received.append(json.loads(event["data"])["n"])
                if self.received[-1] == NEWS - 1:
                    return
            field, _, value = line.partition(": ")
            event = {**event, field: value} if line else {}
            if field in {"event", "data"} and self.random.random() < 0.5 / CUT_EVERY:
                self.cuts += 1
                return


@pytest.fixture
def many_files() -> Iterator[None]:
    """Leave to open a file for every client, here and in the processes that are started."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8 * MOST_CLIENTS)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _announce(number: int) -> None:
    try:
        with transaction.atomic():
            news.announce(TOPIC, "ply", {"n": number})
    finally:
        connection.close()  # this thread's own


async def _all_watch(url: str, clients: int) -> list[Listener]:
    address = urlsplit(url)
    assert address.hostname is not None
    assert address.port is not None
    listeners = [Listener(n, address.hostname, address.port) for n in range(clients)]
    watching = asyncio.gather(*(one.watch() for one in listeners))
    for number in range(NEWS):
        await asyncio.sleep(0.02)
        await asyncio.to_thread(_announce, number)
    await asyncio.wait_for(watching, timeout=300)
    return listeners


@pytest.mark.parametrize("clients", [100, MOST_CLIENTS])
@pytest.mark.django_db(transaction=True)
def test_listeners_cut_at_random_see_the_same(
    erasable: None, many_files: None, clients: int
) -> None:
    with processes.site(EDGE_LIMITS=f"connections_by_address={2 * clients}") as url:
        listeners = asyncio.run(_all_watch(url, clients))
    assert {tuple(one.received) for one in listeners} == {tuple(range(NEWS))}
    assert sum(one.cuts for one in listeners) > clients
