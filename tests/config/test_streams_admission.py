"""Admission to streams: listeners, their number, and their time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest import MonkeyPatch  # noqa: PT013 - its type

from config import streams
from config.attendance import Attendants
from config.feeds import Feeds
from config.occupancy import BusyError, Occupancy
from config.streams import Streams
from tournaments.edges import streams as edge
from tournaments.services.notifications import news

_PATIENCE_S = 30.0


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def _streams(threads: ThreadPoolExecutor) -> Streams:
    feeds = Feeds(threads)
    return Streams(feeds, Attendants(feeds.run))


async def _open(application: Streams, host: str = "127.0.0.2") -> list[dict[str, Any]]:
    """Return the data that a client of `host` that never hangs up receives until the site ends the stream."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/stream/",
        "query_string": b"t=user:1",
        "headers": [],
        "client": (host, 1),
    }
    await asyncio.wait_for(application(scope, receive, send), _PATIENCE_S)
    return sent


def test_a_session_that_ends_ends_its_streams(
    monkeypatch: MonkeyPatch, threads: ThreadPoolExecutor
) -> None:
    answers = iter([edge.Access.GRANTED, edge.Access.GRANTED, edge.Access.FORBIDDEN])
    monkeypatch.setattr(streams, "ACCESS_S", 0.0)
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.01)
    monkeypatch.setattr(edge, "access_to", lambda _topics, _key: next(answers))
    monkeypatch.setattr(news, "last_seqs", lambda topics: dict.fromkeys(topics, 0))
    monkeypatch.setattr(news, "after", lambda _topic, _seq: [])
    sent = asyncio.run(_open(_streams(threads)))
    assert sent[0]["status"] == 200
    assert next(answers, None) is None  # it was asked until the answer was no


def test_one_address_does_not_take_all_streams(
    monkeypatch: MonkeyPatch, threads: ThreadPoolExecutor
) -> None:
    monkeypatch.setattr(streams, "MAX_STREAMS_BY_ADDRESS", 0)
    sent = asyncio.run(_open(_streams(threads)))
    assert sent[0]["status"] == 429
    assert (b"retry-after", b"30") in sent[0]["headers"]


def test_places_are_counted_by_address_and_in_all() -> None:
    places = Occupancy(3, 2, retry_after_s=7)
    with places.place("a"), places.place("a"):
        with pytest.raises(BusyError) as busy:
            places.enter("a")
        assert (busy.value.status, busy.value.retry_after_s) == (429, 7)
        places.enter("a", speaks_for_many=True)
        with pytest.raises(BusyError) as busy:
            places.enter("b")
        assert busy.value.status == 503
        places.leave("a")
        with places.place("b"):
            assert places.by_address == {"a": 2, "b": 1}
    assert places.total == 0
    assert not places.by_address
