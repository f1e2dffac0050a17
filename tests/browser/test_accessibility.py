"""Every page by axe: no violation of WCAG 2.2 AA, in both languages, light and dark, with either palette, on a desk and a phone."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.crawl import pages_of_each_kind
from tests.browser.visitors import challenge_bot, sign_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, BrowserContext, Page

_RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


@dataclass(frozen=True, slots=True)
class Reading:
    """How somebody reads the pages."""

    language: str
    appearance: str
    palette: str
    width_px: int


READINGS = [
    Reading("en", "light", "official", 1280),
    Reading("ja", "dark", "safe", 360),
    Reading("en", "dark", "official", 360),
    Reading("ja", "light", "safe", 1280),
]


@pytest.fixture(scope="module")
def member(site: str, chromium: Browser) -> Iterator[BrowserContext]:
    """Somebody signed in, with a game under way, one that is over, and one to analyse."""
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    page = context.new_page()
    sign_up(page, "Ossip")
    page.on("dialog", lambda dialog: dialog.accept())
    challenge_bot(page, "Pola", "Morelli 7×7")
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".status")).to_contain_text("won by resignation")
    challenge_bot(page, "Pola", "Morelli 7×7")
    page.close()
    yield context
    context.close()


@pytest.fixture(scope="module")
def pages(site: str, member: BrowserContext) -> Sequence[str]:
    """The pages there are: what links of the site lead to, one of each kind, and those that none leads to."""
    return [*pages_of_each_kind(member.request), "/sign-in/", "/sign-up/"]


def _violations(page: Page, path: str, reading: Reading) -> list[str]:
    """What axe has to say about the page, at most one text."""
    site = page.evaluate("() => location.origin")
    page.context.add_cookies(
        [
            {"name": "rayuela_language", "value": reading.language, "url": site},
            {
                "name": "settings",
                "value": f"appearance={reading.appearance}&palette={reading.palette}",
                "url": site,
            },
        ]
    )
    page.set_viewport_size({"width": reading.width_px, "height": 900})
    page.goto(path)
    assert page.locator("html").get_attribute("lang") == reading.language
    result = Axe().run(page, options=_RULES)
    return [f"{path}\n{result.generate_report()}"] if result.violations_count else []


def test_axe_finds_nothing_on_any_page(member: BrowserContext, pages: Sequence[str]) -> None:
    """Each page in one of the readings; those of a reading share their style sheets and headers."""
    assert len(pages) > 30
    page = member.new_page()
    page.goto("/")
    violations = []
    for path, reading in zip(pages, itertools.cycle(READINGS), strict=False):
        violations += _violations(page, path, reading)
    page.close()
    assert violations == [], "\n".join(violations)


@pytest.mark.slow
@pytest.mark.parametrize(
    "reading",
    READINGS,
    ids=lambda one: f"{one.language}-{one.appearance}-{one.palette}-{one.width_px}",
)
def test_axe_finds_nothing_on_any_page_in_any_reading(
    member: BrowserContext, pages: Sequence[str], reading: Reading
) -> None:
    page = member.new_page()
    page.goto("/")
    violations = []
    for path in pages:
        violations += _violations(page, path, reading)
    page.close()
    assert violations == [], "\n".join(violations)
