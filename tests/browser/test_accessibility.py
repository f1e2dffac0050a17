"""Every page by axe: no violation of WCAG 2.2 AA, in both languages, light and dark, with either palette, on a desk and a phone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.visitors import PASSWORD, Hand
from tests.extent import drawn
from tournaments.forms.events import EventForm

_RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
# The rows of a list, and the figures of a rule sheet, are of one template each: some of them tell of all.
_TAKE_REPEATS_AWAY = """() => {
    for (const rows of ["tbody > tr:nth-child(n+7)", "li:nth-child(n+13)"])
        document.querySelectorAll(rows).forEach(row => row.remove());
    [...document.querySelectorAll("svg.board")].slice(2).forEach(board => board.remove());
}"""
_CHANGE_APPEARANCE = """([before, after]) => {
    const chosen = document.documentElement.dataset;
    if (chosen.appearance === before) chosen.appearance = after;
}"""
_RUN = "options => axe.run(document, options)"


@dataclass(frozen=True, slots=True)
class Reading:
    """A way of reading the pages."""

    language: str
    appearance: str
    palette: str
    width_px: int


# Two of a language differ by settings that an open page can change. The dark one comes first, since
# paper is light.
READINGS = [
    Reading("en", "dark", "official", 360),
    Reading("en", "light", "official", 1280),
    Reading("ja", "dark", "safe", 360),
    Reading("ja", "light", "safe", 1280),
]


def _new_event(hand: Hand, name: str, **fields: str) -> str:
    """Make an event by the form as it is given out, except for these fields. Return its address."""
    usual = {key: field.initial for key, field in EventForm().fields.items()}
    given = {key: "on" if value is True else str(value) for key, value in usual.items() if value}
    fields = {**given, "name": name, "ruleset": "morelli(size=7)", "rounds_total": "3", **fields}
    fields.pop("is_automatic")
    event = f"/events/{name}/"
    assert hand.post("/events/new/", **fields) == event
    return event


def _over_the_board(hand: Hand, name: str) -> str:
    """Return an event of five listed players whose first round is drafted."""
    event = _new_event(hand, name, is_over_the_board="on")
    for player in ("Irma", "Jens", "Kira", "Luis", "Mona"):
        hand.post(f"{event}entries/add/", name=player, rating="1700", club="Norte")
    for step in ("start", "draft"):
        hand.post(f"{event}organise/", action=step)
    return event


def _on_line(hand: Hand, name: str, helper: str) -> str:
    """Make an event with a running game of the organiser, a helper, and an entry in its log."""
    event = _new_event(hand, name, admits="both")
    hand.post(f"{event}enter/")
    for bot in ("Pola", "Talita", "Gregorovius"):
        hand.post(f"{event}desk/enter/", **{"enter-name": bot})
    hand.post(f"{event}desk/staff/", name=helper, role="deputy")
    hand.post(f"{event}desk/announce/", text="Soup at seven")
    for step in ("start", "draft", "publish"):
        hand.post(f"{event}organise/", action=step)
    return event


@pytest.fixture(scope="module")
def desk_pages(site: str, chromium: Browser, member: BrowserContext) -> Sequence[str]:
    """Return the pages of an organiser: of events on line and over the board, drafted and published."""
    helper = chromium.new_context(base_url=site)
    Hand(helper).post("/sign-up/", name="Ayudante", password=PASSWORD)
    helper.close()
    hand = Hand(member)
    drafted, published = (_over_the_board(hand, name) for name in ("borrador", "publicada"))
    hand.post(f"{published}organise/", action="publish")
    on_line = _on_line(hand, "en-linea", "Ayudante")
    entries = member.request.get(f"{drafted}entries/").text()
    pairings = member.request.get(f"{on_line}pairings/1/").text()
    entry, game = re.search(rf"{drafted}entries/\d+/", entries), _own_game(pairings)
    assert entry is not None
    return [
        *(f"{on_line}desk/", f"{drafted}desk/", f"{drafted}desk/draft/"),
        *(f"{on_line}desk/settings/", f"{on_line}log/", f"{drafted}entries/", entry.group()),
        *(f"{published}results/", on_line, game, "/events/import/"),
    ]


def _own_game(pairings: str) -> str:
    """Return the game of the row that is marked as the reader's own."""
    own = re.search(r'<tr class="me">.*?href="(/game/\d+/)"', pairings, re.DOTALL)
    assert own is not None
    return own.group(1)


@pytest.fixture(scope="module")
def pages(member_pages: Sequence[str], desk_pages: Sequence[str]) -> Sequence[str]:
    """Return the existing pages: one of each kind that links lead to, and those without a link."""
    return [*member_pages, "/sign-in/", "/sign-up/", *desk_pages]


def _prefer(page: Page, reading: Reading) -> None:
    """Make the pages that are fetched from now on use this reading."""
    site = page.evaluate("() => location.origin")
    settings = f"appearance={reading.appearance}&palette={reading.palette}&motion=reduced"
    page.context.add_cookies(
        [
            {"name": "rayuela_language", "value": reading.language, "url": site},
            {"name": "settings", "value": settings, "url": site},
        ]
    )


def _violations(page: Page, path: str, readings: Sequence[Reading], *, is_whole: bool) -> list[str]:
    """Return the complaints of axe about the page, once for each of the readings, which share a language."""
    page.goto(path)
    assert page.locator("html").get_attribute("lang") == readings[0].language
    if not is_whole:
        page.evaluate(_TAKE_REPEATS_AWAY)
    page.evaluate(AXE_SCRIPT)
    reports = []
    for reading in readings:
        page.set_viewport_size({"width": reading.width_px, "height": 900})
        page.evaluate(_CHANGE_APPEARANCE, [readings[0].appearance, reading.appearance])
        result = AxeResults(page.evaluate(_RUN, _RULES))
        if result.violations_count:
            reports.append(f"{path} {reading}\n{result.generate_report()}")
    return reports


@pytest.mark.long
def test_axe_finds_nothing_on_any_page(member: BrowserContext, pages: Sequence[str]) -> None:
    """A quarter of the pages, each in one of the readings. Another run draws others."""
    assert len(pages) > 50
    some = drawn(pages, 0.25)
    page = member.new_page()
    page.goto("/sign-in/")
    violations = []
    for number, reading in enumerate(READINGS):
        _prefer(page, reading)
        page.set_viewport_size({"width": reading.width_px, "height": 900})
        for path in some[number :: len(READINGS)]:
            violations += _violations(page, path, [reading], is_whole=False)
    page.close()
    assert violations == [], "\n".join(violations)


@pytest.mark.slow
def test_axe_finds_nothing_on_any_page_in_any_reading(
    member: BrowserContext, pages: Sequence[str]
) -> None:
    page = member.new_page()
    page.goto("/sign-in/")
    violations = []
    for _language, readings in groupby(READINGS, key=lambda reading: reading.language):
        some = list(readings)
        _prefer(page, some[0])
        for path in pages:
            violations += _violations(page, path, some, is_whole=True)
    page.close()
    assert violations == [], "\n".join(violations)
