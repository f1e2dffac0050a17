"""The connection of the client for remote bots, held to a site that closes connections."""

from __future__ import annotations

import http.server
import logging
import threading
from collections.abc import Iterator

import pytest

from engine.sdk.rayuela_bot import Site, StopError


class _OneAnswer(http.server.BaseHTTPRequestHandler):
    """Answers one request of a connection as if more could follow, and closes the connection."""

    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        self.handle_one_request()

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Write no log."""


@pytest.fixture
def site() -> Iterator[Site]:
    """Yield a site that hangs up after each answer. A client that has to wait stops instead."""
    stop = threading.Event()
    stop.set()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _OneAnswer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = Site(f"http://127.0.0.1:{server.server_port}", "token", stop)
        yield client
        client.close()
        server.shutdown()


@pytest.mark.parametrize(("method", "key"), [("GET", ""), ("POST", "k")])
def test_a_kept_connection_that_was_closed_is_replaced_in_silence(
    site: Site, caplog: pytest.LogCaptureFixture, method: str, key: str
) -> None:
    with caplog.at_level(logging.INFO):
        answers = [site.ask(method, "/me", {}, key).status for _ in range(3)]
    assert answers == [200, 200, 200]
    assert caplog.text == ""


def test_a_request_that_could_count_twice_is_not_sent_again_in_silence(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    assert site.ask("POST", "/me").status == 200
    with pytest.raises(StopError):
        site.ask("POST", "/me")
    assert "away method=POST" in caplog.text


def test_a_site_that_is_away_is_not_asked_again_in_silence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stop = threading.Event()
    stop.set()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _OneAnswer) as server:
        port = server.server_port
    with pytest.raises(StopError):
        Site(f"http://127.0.0.1:{port}", "token", stop).ask("GET", "/me")
    assert "away method=GET" in caplog.text
