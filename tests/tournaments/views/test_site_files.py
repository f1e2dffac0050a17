"""Files that browsers and crawlers look for at the root of the site."""

from __future__ import annotations

import re
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
    (icon,) = manifest["icons"]
    assert (icon["sizes"], icon["type"]) == ("any", "image/svg+xml")
    assert finders.find(urlsplit(icon["src"]).path.removeprefix("/static/"))
