"""The ASGI front: the requests that it passes to Django and its own answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest

from config import wsgi_pool
from config.wsgi_pool import WsgiPool


class Body(list):
    """A WSGI response that is complete, as Django's are."""

    streaming = False


def _echo(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer with the received data."""
    body = environ["wsgi.input"].read()
    headers = {k: environ[k] for k in sorted(environ) if k.startswith("HTTP_")}
    start_response("200 OK", [("Content-Type", "text/plain"), ("X-Path", environ["PATH_INFO"])])
    return Body([repr(headers).encode(), b"|", body])


def _chunks(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    start_response("200 OK", [])
    return (b"%d," % n for n in range(5))


def _ask(
    application: Any,
    *,
    method: str = "GET",
    path: str = "/",
    headers: list[tuple[bytes, bytes]] | None = None,
    parts: Iterable[bytes] = (b"",),
    disconnects: bool = False,
) -> tuple[int, dict[bytes, bytes], bytes]:
    """Return the answer of `application` to a request with a body in `parts`, or status 0 without one."""
    parts = list(parts)
    inbox = [
        {"type": "http.request", "body": part, "more_body": disconnects or i + 1 < len(parts)}
        for i, part in enumerate(parts)
    ]
    if disconnects:
        inbox.append({"type": "http.disconnect"})
    messages: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return inbox.pop(0)

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": headers or [],
        "scheme": "http",
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }
    asyncio.run(WsgiPool(application)(scope, receive, send))
    if not messages:
        return 0, {}, b""
    return (
        messages[0]["status"],
        dict(messages[0]["headers"]),
        b"".join(m["body"] for m in messages[1:]),
    )


def test_body_path_and_headers_arrive() -> None:
    status, headers, body = _ask(
        _echo,
        method="POST",
        path="/jugador/Morélli",
        headers=[(b"accept", b"a"), (b"accept", b"b"), (b"cookie", b"c=1"), (b"cookie", b"d=2")],
        parts=[b"one ", b"two"],
    )
    assert status == 200
    assert headers[b"x-path"].decode("latin-1").encode("latin-1").decode() == "/jugador/Morélli"
    assert b"'HTTP_ACCEPT': 'a,b'" in body
    assert b"'HTTP_COOKIE': 'c=1; d=2'" in body
    assert body.endswith(b"|one two")


def test_an_underscore_does_not_pass_for_a_hyphen() -> None:
    _, _, body = _ask(_echo, headers=[(b"x_forwarded_proto", b"https")])
    assert b"https" not in body


def test_head_has_headers_and_no_body() -> None:
    assert _ask(_echo, method="HEAD")[0::2] == (200, b"")
    assert _ask(_chunks, method="HEAD")[0::2] == (200, b"")


def test_a_stream_is_sent_chunk_by_chunk() -> None:
    assert _ask(_chunks)[2] == b"0,1,2,3,4,"


def test_a_body_over_the_limit_is_refused_before_the_application(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wsgi_pool, "MAX_BODY_BYTES", 10)
    assert _ask(_echo, method="POST", parts=[b"12345", b"678901"])[0] == 413
    assert _ask(_echo, method="POST", headers=[(b"content-length", b"11")])[0] == 413
    assert _ask(_echo, method="POST", headers=[(b"content-length", b"x")])[0] == 413
    assert _ask(_echo, method="POST", parts=[b"1234567890"])[0] == 200
    status, headers, body = _ask(_echo, method="POST", path="/api/v1/me", parts=[b"1" * 11])
    assert (status, headers[b"content-type"]) == (413, b"application/problem+json")
    assert json.loads(body)["code"] == "too-large"


def test_who_hangs_up_is_not_answered() -> None:
    assert _ask(_echo, method="POST", parts=[b"12"], disconnects=True)[0] == 0


def test_too_many_waiting_are_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi_pool, "MAX_WAITING", 0)
    status, headers, _ = _ask(_echo)
    assert status == 503
    assert headers[b"retry-after"] == b"1"


@pytest.mark.parametrize("path", ["/bots/new/", "/rating-lists/"])
def test_larger_bodies_are_taken_where_programs_and_lists_are_uploaded(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wsgi_pool, "MAX_BODY_BYTES", 10)
    monkeypatch.setattr(wsgi_pool, "MAX_UPLOAD_BYTES", 20)
    body, length = [b"123456789012345"], [(b"content-length", b"15")]
    sent: dict[str, Any] = {"method": "POST", "parts": body, "headers": length}
    assert _ask(_echo, path=path, **sent)[0] == 200
    assert _ask(_echo, path="/events/new/", **sent)[0] == 413
    sent["headers"] = [(b"content-length", b"21")]
    assert _ask(_echo, path=path, **sent)[0] == 413
    assert _ask(_echo, path=path, method="POST", parts=[b"x" * 11])[0] == 413


def test_few_uploads_are_taken_at_once_and_pages_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi_pool, "MAX_BODY_BYTES", 10)
    monkeypatch.setattr(wsgi_pool, "MAX_UPLOADS", 0)
    length = [(b"content-length", b"15")]
    status, headers, _ = _ask(
        _echo, path="/bots/new/", method="POST", parts=[b"1" * 15], headers=length
    )
    assert (status, headers[b"retry-after"]) == (503, b"60")
    assert _ask(_echo, path="/bots/")[0] == 200
