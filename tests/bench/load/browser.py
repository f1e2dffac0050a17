"""A browser in a few lines: one connection that is kept for requests, and one for the stream of news."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: the status, the headers in small letters, and the content."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass
class Browser:
    """A visitor's browser.

    `address` is the loopback address it comes from, since the edge counts by address.
    """

    name: str
    port: int
    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def sign_in(self, password: str) -> None:
        """Sign in by the form, as people do."""
        await self.request("GET", "/sign-in/")
        answer = await self.request(
            "POST", "/sign-in/", {"username": self.name, "password": password}
        )
        assert answer.status == 302, (self.name, answer)

    async def request(
        self, method: str, path: str, form: Mapping[str, object] | None = None
    ) -> Answer:
        """Return the answer. Raises OSError without an answer."""
        fields = {**(form or {}), "csrfmiddlewaretoken": self.cookies.get("rayuela_csrf", "")}
        body = urlencode(fields).encode() if method == "POST" else b""
        request = self._head(method, path, len(body)) + body
        async with asyncio.timeout(_PATIENCE_S):
            try:
                # The server may have closed an unused connection: browsers try another one.
                answer = (await self._on_kept(request)) or (await self._on_new(request))
            except BaseException:
                self.close()
                raise
        if answer.headers.get("connection") == "close":
            self.close()
        return answer

    async def _on_kept(self, request: bytes) -> Answer | None:
        """Return the answer on the kept connection, or None if it turns out to be closed."""
        if self._writer is None or self._reader is None:
            return None
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            self._writer.write(request)
            return await self._answer(self._reader)
        self.close()
        return None

    async def _on_new(self, request: bytes) -> Answer:
        self._reader, self._writer = await self._connect()
        self._writer.write(request)
        return await self._answer(self._reader)

    async def listen(
        self, topics: list[str], note: Callable[[str, Mapping[str, int]], None]
    ) -> None:
        """Call `note` with the kind and the content of each piece of news, until cancelled."""
        path = f"/stream/?{urlencode([('t', topic) for topic in topics])}"
        reader, writer = await self._connect()
        with contextlib.closing(writer):
            writer.write(self._head("GET", path, 0))
            head = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in head.partition(b"\r\n")[0], head
            kind = ""
            # The sizes of the chunks are between the lines, and begin with other words.
            async for line in reader:
                if line.startswith(b"event: "):
                    kind = line[7:].strip().decode()
                elif line.startswith(b"data: "):
                    note(kind, json.loads(line[6:]))

    def close(self) -> None:
        """Close the kept connection. The next request opens another one."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), limit=1 << 20
        )

    def _head(self, method: str, path: str, length: int) -> bytes:
        cookies = "; ".join(f"{key}={value}" for key, value in self.cookies.items())
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Accept: application/json",
            f"Cookie: {cookies}",
        ]
        if method == "POST":
            lines += [
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {length}",
            ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    async def _answer(self, reader: asyncio.StreamReader) -> Answer:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        headers: dict[str, str] = {}
        for line in lines:
            key, _, value = line.partition(":")
            headers[key.lower()] = value.strip()
            if key.lower() == "set-cookie":
                self.cookies.update({k: m.value for k, m in SimpleCookie(value.strip()).items()})
        status = int(first.split(" ")[1])
        if headers.get("transfer-encoding") == "chunked":
            return Answer(status, headers, await _chunks(reader))
        length = int(headers.get("content-length", "0"))
        return Answer(status, headers, await reader.readexactly(length))


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    content = b""
    while True:
        size = int((await reader.readline()).split(b";")[0], 16)
        content += (await reader.readexactly(size + 2))[:-2]
        if not size:
            return content
