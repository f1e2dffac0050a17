"""The pages of a site: the targets of its own links."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

from playwright.sync_api import APIRequestContext

_LINK = re.compile(r'<a\b[^>]*? href="(/[^"#]*)')
# No link of the site leads to it.
_MISSING = "/nothing-here/"


def pages_of_each_kind(visitor: APIRequestContext) -> list[str]:
    """Return one page of each kind that links from the front page lead to, as a path.

    The last is missing.

    An event that is over, and a game of it, have pages with more on them than those about to begin,
    which come before them in lists. They are separate kinds.
    """
    pages = _walk(visitor, "/", of_kinds="/")
    events = links_of(visitor.get("/events/").text())
    finished = next(href for href in reversed(events) if kind_of(href) == "/events/x/")
    pages += _walk(visitor, finished, of_kinds=r"/(events/x|game/1)/")
    return [*dict.fromkeys(pages), _MISSING]


def _walk(visitor: APIRequestContext, start: str, *, of_kinds: str) -> list[str]:
    """Return one page of each of the kinds that links lead to, from page to page."""
    seen: dict[str, str] = {}
    kinds = {kind_of(start)}
    waiting = [start]
    while waiting:
        answer = visitor.get(waiting.pop(0))
        if "text/html" not in answer.headers["content-type"]:
            continue
        path = urlsplit(answer.url)
        seen.setdefault(kind_of(path.path), f"{path.path}?{path.query}".rstrip("?"))
        for href in links_of(answer.text()):
            kind = kind_of(href)
            if kind not in kinds and re.match(of_kinds, kind):
                kinds.add(kind)
                waiting.append(href)
    return list(seen.values())


def links_of(page: str) -> list[str]:
    """Return the targets of a page's links inside the site, as paths with their queries, in the order of the page."""
    return [unescape(href) for href in _LINK.findall(page)]


def kind_of(href: str) -> str:
    """Pages of one kind differ in numbers and names alone: of the path, its first words and its depth."""
    path = href.partition("?")[0]
    numbered = re.sub(r"/\d+(?=/)", "/1", path)
    figures = re.sub(r"/figures/[^/]+/", "/figures/x/", numbered)
    return re.sub(r"^/(events|leaderboard|a)/(?!new/)[^/]+/", r"/\1/x/", figures)
