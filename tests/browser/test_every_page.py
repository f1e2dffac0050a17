"""Every page that a crawler finds, as guests and members see it: no code, no empty heading, no dead link, no wide page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.crawl import kind_of, links_of, pages_of_each_kind
from tests.extent import drawn

_WIDTH, _HEIGHT = 360, 740
# Guests read in the one language and members in the other. The rest is for `--all`.
_MORE = pytest.mark.slow
# A repr, an escaped tag, an object's address, a template's braces, an unfilled placeholder.
_CODE = re.compile(
    r"\b[A-Z]\w*\([a-z_]+=|<(?:svg|path|div|span|p|a)\b|\bat 0x[0-9a-f]+|\{[{%]|%\([a-z_]+\)[sd]|\b__[a-z]+__\b"
    r"|\bundefined\b|\bNaN\b|(?<!-)\bNone\b(?! yet)|\[object "
)
_LOOK = """() => ({
  width: document.documentElement.scrollWidth,
  text: document.body.innerText,
  headings: [...document.querySelectorAll("h1, h2, h3, h4")].map(one => one.textContent.trim()),
  languages: document.documentElement.lang,
})"""


@pytest.fixture(scope="module")
def visitor(
    site: str, chromium: Browser, request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    member: BrowserContext | None = (
        request.getfixturevalue("member") if request.param == "member" else None
    )
    context = chromium.new_context(
        base_url=site,
        viewport={"width": _WIDTH, "height": _HEIGHT},
        has_touch=True,
        storage_state=member.storage_state() if member else None,
    )
    context.set_default_timeout(60_000)
    yield context
    context.close()


@pytest.fixture(scope="module")
def paths(visitor: BrowserContext, request: pytest.FixtureRequest) -> Sequence[str]:
    """Return the targets of the visitor's crawl of the site, one page of each kind.

    The last is missing.
    """
    if any(cookie.get("name") == "rayuela_session" for cookie in visitor.cookies()):
        pages: Sequence[str] = request.getfixturevalue("member_pages")
        return pages
    return pages_of_each_kind(visitor.request)


@pytest.mark.parametrize(
    ("visitor", "language"),
    [
        ("guest", "en"),
        ("member", "ja"),
        pytest.param("guest", "ja", marks=_MORE),
        pytest.param("member", "en", marks=_MORE),
    ],
    indirect=["visitor"],
)
@pytest.mark.long
def test_every_page_is_fit_for_a_phone_and_free_of_code(
    visitor: BrowserContext, paths: Sequence[str], site: str, language: str
) -> None:
    visitor.add_cookies([{"name": "rayuela_language", "value": language, "url": site}])
    page = visitor.new_page()
    faults: list[str] = []
    for path in drawn(paths, 0.25):
        page.goto(path)
        seen = page.evaluate(_LOOK)
        code = _CODE.search(seen["text"])
        if code and not path.startswith("/help/"):  # which shows code
            faults.append(
                f"{path} shows {seen['text'][max(0, code.start() - 40) : code.end() + 40]!r}"
            )
        if seen["width"] > _WIDTH:
            faults.append(f"{path} is {seen['width']} px wide")
        if not seen["headings"] or "" in seen["headings"]:
            faults.append(f"{path} has headings {seen['headings']}")
        if seen["languages"] != language:
            faults.append(f"{path} is in {seen['languages']}")
    page.close()
    assert faults == [], "\n".join(faults)


@pytest.mark.parametrize(
    ("visitor", "links_a_kind"),
    [
        ("member", 2),
        pytest.param("guest", None, marks=_MORE),
        pytest.param("member", None, marks=_MORE),
    ],
    indirect=["visitor"],
    ids=["some", "all-guest", "all-member"],
)
@pytest.mark.long
def test_no_link_of_any_page_is_dead(
    visitor: BrowserContext, paths: Sequence[str], links_a_kind: int | None
) -> None:
    """Some links of each kind from each page, or all there are."""
    dead = {}
    checked: set[str] = set()
    for path in paths[:-1]:
        of_kind: Counter[str] = Counter()
        for link in links_of(visitor.request.get(path).text()):
            of_kind[kind_of(link)] += 1
            if link in checked or (links_a_kind and of_kind[kind_of(link)] > links_a_kind):
                continue
            checked.add(link)
            status = visitor.request.get(link, max_redirects=5).status
            if status >= 400:
                dead[f"{path} -> {link}"] = status
    assert len(checked) > 50
    assert dead == {}
