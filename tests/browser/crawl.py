"""The pages of a site: what its own links lead to."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import APIRequestContext

_LINK = re.compile(r'<a\b[^>]*? href="(/[^"#]*)')
# No link of the site leads to it.
_MISSING = "/nothing-here/"


def pages_of_each_kind(visitor: APIRequestContext) -> list[str]:
    """One page of each kind that links from the front page lead to, as a path; the last is missing."""
    seen: dict[str, str] = {}
    kinds: set[str] = set()
    waiting = ["/"]
    while waiting:
        answer = visitor.get(waiting.pop(0))
        if "text/html" not in answer.headers["content-type"]:
            continue
        path = urlsplit(answer.url)
        seen.setdefault(kind_of(path.path), f"{path.path}?{path.query}".rstrip("?"))
        for href in links_of(answer.text()):
            if kind_of(href) not in kinds:
                kinds.add(kind_of(href))
                waiting.append(href)
    return [*seen.values(), _MISSING]


def links_of(page: str) -> list[str]:
    """Where links of a page lead inside the site, as paths with their queries, in the order of the page."""
    return [unescape(href) for href in _LINK.findall(page)]


def kind_of(href: str) -> str:
    """Pages of one kind differ in numbers and names alone: of the path, its first words and its depth."""
    path = href.partition("?")[0]
    numbered = re.sub(r"/\d+(?=/)", "/1", path)
    figures = re.sub(r"/figures/[^/]+/", "/figures/x/", numbered)
    return re.sub(r"^/(events|leaderboard|a)/(?!new/)[^/]+/", r"/\1/x/", figures)
