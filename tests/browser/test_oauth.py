"""A page of another origin signs in by OAuth and plays, as docs/bots/oauth.md shows."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitors import PASSWORD, Hand, challenge_bot, choices, sign_up
from tests.processes import ROOT

pytestmark = pytest.mark.long

_EXAMPLE = re.compile(r"   ```html\n(.+?)   ```\n", re.DOTALL)


@contextmanager
def _serving(html: str) -> Iterator[str]:
    """Yield the origin of a server that has this page alone."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_page = self.path.partition("?")[0] == "/"
            self.send_response(200 if is_page else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode() if is_page else b"")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def _application(page: Page, site: str) -> str:
    """Return the page of the example, for an application of the visitor."""
    path = Hand(page.context).post(
        "/account/applications/create/",
        name="Viewer",
        homepage="https://viewer.example/",
        redirect_uris="http://127.0.0.1/",
    )
    client_id = re.search(r"<code>([0-9a-f]{32})</code>", page.context.request.get(path).text())
    example = _EXAMPLE.search((ROOT / "docs/bots/oauth.md").read_text())
    assert client_id is not None
    assert example is not None
    html = textwrap.dedent(example[1])
    return html.replace("https://rayuela.example", site).replace("your client_id", client_id[1])


def test_a_page_of_another_origin_signs_in_plays_a_move_and_is_revoked(
    page: Page, site: str
) -> None:
    sign_up(page, "Zambrano")
    challenge_bot(page, "Pola", "morelli(size=7)")
    choices(page)
    game, html = page.url, _application(page, site)
    Hand(page.context).post("/sign-out/")
    with _serving(html) as origin:
        page.goto(origin)
        status = page.locator("#status")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_label("Name").fill("Zambrano")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Allow Viewer?")).to_be_visible()
        expect(page.locator("main")).to_contain_text(origin.removeprefix("http://"))
        page.get_by_role("button", name="Do not allow").click()
        expect(status).to_have_text("Refused: access_denied")

        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("button", name="Allow application").click()
        expect(status).to_have_text("Signed in as zambrano.")
        page.get_by_role("button", name="Play a move").click()
        expect(status).to_contain_text("in game " + game.rstrip("/").rpartition("/")[2])

        listed = page.context.request.get("/account/applications/").text()
        revocation = re.search(r'action="(\S+/revoke/)"', listed)
        assert revocation is not None
        Hand(page.context).post(revocation[1])
        page.get_by_role("button", name="Play a move").click()
        expect(status).to_contain_text("Refused: This access token is wrong")
