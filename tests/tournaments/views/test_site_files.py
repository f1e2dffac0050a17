"""Files that browsers and crawlers look for at the root of the site."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

import pytest
from django.contrib.staticfiles import finders
from django.test import Client


def _matching_rules(robots: str, path: str) -> list[str]:
    """Return the rules of RFC 9309 2.2.3 that cover `path`. `*` is any text, a rule any beginning."""
    rules = re.findall(r"^Disallow: (\S+)$", robots, re.MULTILINE)
    return [r for r in rules if re.match(re.escape(r).replace(r"\*", ".*"), path)]


@pytest.mark.parametrize(
    "path",
    [
        "/games/morelli/figures/capture/?try=A7-A8",
        "/game/7/?from=A7",
        "/events/open/live/",
        "/live/",
        "/stream/?t=game:1",
        "/account/data/",
    ],
)
def test_crawlers_are_kept_from(client: Client, path: str) -> None:
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    assert _matching_rules(answer.content.decode(), path)


@pytest.mark.parametrize(
    "path",
    ["/", "/games/morelli/", "/games/morelli/figures/capture/", "/game/7/", "/events/open/"],
)
def test_crawlers_may_read(client: Client, path: str) -> None:
    text = client.get("/robots.txt").content.decode()
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    assert parser.can_fetch("*", path)
    assert not _matching_rules(text, path)


def test_the_favicon_is_the_logo(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert answer.status_code == 301
    assert finders.find(urlsplit(answer["Location"]).path.removeprefix("/static/"))


def test_the_manifest_names_the_site_its_start_and_an_icon_that_exists(
    client: Client, db: None
) -> None:
    page = client.get("/").content.decode()
    address = re.search(r'<link rel="manifest" href="([^"]+)">', page)
    assert address
    answer = client.get(address[1])
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == (
        "Rayuela",
        "/",
        "standalone",
    )
    for icon in manifest["icons"]:
        path = finders.find(urlsplit(icon["src"]).path.removeprefix("/static/"))
        assert isinstance(path, str)
        if icon["type"] == "image/png":
            head = Path(path).read_bytes()[:24]
            assert (
                icon["sizes"]
                == f"{int.from_bytes(head[16:20], 'big')}x{int.from_bytes(head[20:24], 'big')}"
            )
    pictures = {(icon["sizes"], icon.get("purpose")) for icon in manifest["icons"]}
    # Chromium offers installation with the first two. Android cuts the third.
    assert pictures >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


def test_the_service_worker_serves_the_whole_site_and_is_renewed(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in client.get("/offline/")["Content-Security-Policy"]


def test_the_stored_page_needs_no_other_file_and_no_account(client: Client) -> None:
    answer = client.get("/offline/")
    assert not answer.cookies
    assert not re.search(r"\b(?:src|style)=|<link|<script", answer.content.decode())
