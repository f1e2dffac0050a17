"""Streams of programs in front of Django: places taken and returned."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest import MonkeyPatch  # noqa: PT013 - its type

from config import api_streams
from config.api_streams import ApiStreams
from config.attendance import Attendants
from config.feeds import Feeds
from tournaments.edges.streams import HEADER
from tournaments.services.accounts import remote_presence, tokens
from tournaments.services.notifications import news

_PATIENCE_S = 30.0
_STREAM = {
    "topic": "user:1",
    "seq": 3,
    "media_type": "application/x-ndjson",
    "token_id": 1,
    "user_id": 1,
    "line_id": 7,
    "game_id": None,
    "side": None,
}


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


async def _django(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Stands for the operation, which has let the program in."""
    assert all(name != b"accept-encoding" for name, _ in scope["headers"])
    headers = [
        (b"content-type", b"application/x-ndjson"),
        (b"content-length", b"6"),
        (HEADER.lower().encode(), json.dumps(_STREAM).encode()),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"first\n"})


async def _refusal(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 403, "headers": []})
    await send({"type": "http.response.body", "body": b"no"})


def _open(pages: Any, threads: ThreadPoolExecutor, method: str = "GET") -> list[dict[str, Any]]:
    """Return the data that a program that never hangs up receives until the site ends the stream."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": "/api/v1/stream",
        "headers": [(b"accept-encoding", b"gzip")],
        "client": ("127.0.0.2", 1),
    }
    feeds = Feeds(threads)
    application = ApiStreams(pages, feeds, Attendants(feeds.run))
    asyncio.run(asyncio.wait_for(application(scope, receive, send), _PATIENCE_S))
    return sent


def test_a_revoked_token_ends_its_streams(
    monkeypatch: MonkeyPatch, threads: ThreadPoolExecutor
) -> None:
    answers = iter([True, True, False])
    seen: list[int] = []
    monkeypatch.setattr(api_streams, "ACCESS_S", 0.0)
    monkeypatch.setattr(api_streams, "HEARTBEAT_S", 0.01)
    monkeypatch.setattr(tokens, "is_living", lambda _pk: next(answers))
    monkeypatch.setattr(remote_presence, "note_seen", seen.append)
    monkeypatch.setattr(news, "after", lambda _topic, _seq: [])
    start, *bodies = _open(_django, threads)
    names = {name for name, _ in start["headers"]}
    assert not names & {HEADER.lower().encode(), b"content-length"}
    assert [body["body"] for body in bodies] == [b"first\n", b"\n", b"\n", b"\n", b""]
    assert next(answers, None) is None  # it was asked until the answer was no
    assert seen == [7, 7]  # its bot is there as long as its stream


def test_a_token_is_asked_about_within_seconds() -> None:
    """The token is asked about without events too.

    This is the longest time that a stream outlives its token.
    """
    assert api_streams.HEARTBEAT_S + api_streams.ACCESS_S <= 15
    assert 7 <= api_streams.HEARTBEAT_S <= 10


def test_a_refusal_is_what_django_says(threads: ThreadPoolExecutor) -> None:
    assert [message.get("status") for message in _open(_refusal, threads)] == [403, None]


def test_what_is_no_get_does_not_stay_open(threads: ThreadPoolExecutor) -> None:
    start, _ = _open(_django, threads, "HEAD")
    assert all(name != HEADER.lower().encode() for name, _ in start["headers"])


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("MAX_STREAMS_BY_ADDRESS", 429, "too-many"),
        ("MAX_STREAMS_BY_ACCOUNT", 429, "too-many"),
        ("MAX_STREAMS", 503, "away"),
    ],
)
def test_nobody_takes_all_streams(
    monkeypatch: MonkeyPatch, threads: ThreadPoolExecutor, name: str, status: int, code: str
) -> None:
    monkeypatch.setattr(api_streams, name, 0)
    start, body = _open(_django, threads)
    headers = dict(start["headers"])
    assert start["status"] == status
    assert headers[b"content-type"] == b"application/problem+json"
    assert headers[b"retry-after"] == b"30"
    assert json.loads(body["body"])["code"] == code
