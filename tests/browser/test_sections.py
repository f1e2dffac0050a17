"""A weekend open with two sections over the board, by hand: entries, a move, boards of one hall, one print job."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page, expect

from tests.browser.visitors import sign_up

FESTIVAL = "/festivals/abierto-de-otono/"
SECTIONS = ("/events/abierto-de-otono-a/", "/events/abierto-de-otono-b/")

# A whole event by hand: `--all` runs it.
pytestmark = pytest.mark.slow


def _organise(page: Page) -> None:
    sign_up(page, "Árbitra Julia")
    page.goto("/events/")
    page.get_by_role("link", name="Run a festival").click()
    page.get_by_label("Name").fill("Abierto de otoño")
    page.get_by_role("button", name="Create the festival").click()
    expect(page.get_by_label("Name")).to_have_value("Abierto de otoño A")
    page.get_by_label("Over the board").check()
    page.get_by_label("Rounds", exact=True).fill("3")
    page.get_by_role("button", name="Open the registration").click()
    page.get_by_role("link", name="Change the festival").click()
    page.get_by_role("link", name="New section like this one").click()
    expect(page.get_by_label("Name")).to_have_value("Abierto de otoño B")
    expect(page.get_by_label("Over the board")).to_be_checked()
    page.get_by_role("button", name="Open the registration").click()
    expect(page.locator(".festival-section")).to_have_count(2)


def _enter(page: Page, section: str, letter: str, count: int) -> None:
    page.goto(f"{section}entries/")
    rows = [f"{letter} {n};{2000 - 50 * n}" for n in range(1, count + 1)]
    page.get_by_label("Names, one a line").fill("\n".join(["Name;Rtg", *rows]))
    page.get_by_role("button", name="Look at the list").click()
    page.get_by_role("button", name="Enter the ticked players").click()


def _move(page: Page) -> None:
    """Move the last player of section A to section B."""
    page.goto(f"{SECTIONS[0]}entries/")
    row = page.get_by_role("row", name=re.compile("Ana 5"))
    row.get_by_text("More").click()
    row.get_by_role("button", name="Move to the section").click()
    expect(page.locator("main")).to_contain_text("4 entries")
    page.goto(f"{SECTIONS[1]}log/")
    expect(page.locator("main")).to_contain_text(
        "Ana 5 was moved here from the section Abierto de otoño A."
    )


def _join(browser: Browser, url: str) -> None:
    """Enter section B as a visitor, who then cannot enter section A."""
    visitor = browser.new_context(base_url=url).new_page()
    sign_up(visitor, "Bruno")
    visitor.goto(FESTIVAL)
    visitor.get_by_role("button", name="Join: Abierto de otoño B").click()
    visitor.goto(FESTIVAL)
    sections = visitor.locator(".festival-section")
    expect(sections.nth(0)).to_contain_text("Each player can enter one section of the festival.")
    expect(sections.nth(1)).to_contain_text("You take part.")
    visitor.context.close()


def _next_round(page: Page, section: str) -> None:
    page.goto(section)
    page.get_by_role("button", name="Draft the next round").click()
    page.goto(section)
    page.get_by_role("button", name="Publish", exact=True).click()


def _type(page: Page, section: str, boards: tuple[int, ...]) -> None:
    """Type slips by the numbers of the hall, in any order, and close the round."""
    page.goto(f"{section}results/?by=board")
    for board in reversed(boards):
        page.get_by_label("Board and result").fill(f"{board} 1")
        page.keyboard.press("Enter")
        expect(page.locator(f"#board-{board}")).to_have_attribute("data-result", "first")
    page.get_by_role("button", name=re.compile("Close round")).last.click()


def test_a_weekend_open_with_two_sections_by_hand(
    page: Page, chromium: Browser, site: str, tmp_path: Path
) -> None:
    _organise(page)
    _enter(page, SECTIONS[0], "Ana", 5)
    _enter(page, SECTIONS[1], "Bea", 4)
    _move(page)
    page.goto(FESTIVAL)
    _join(chromium, site)
    # Without a reload.
    expect(page.locator(".festival-section").nth(1)).to_contain_text("6 players")
    page.goto("/events/")
    row = page.get_by_role("link", name=re.compile("Abierto de otoño"))
    expect(row).to_have_count(1)
    expect(row).to_contain_text("2 sections · 10 players")

    for section in SECTIONS:
        page.goto(section)
        page.get_by_role("button", name="Start the event").click()
    for number in (1, 2, 3):
        for section in SECTIONS:
            _next_round(page, section)
        page.goto(FESTIVAL)
        expect(page.locator("main")).to_contain_text(f"Round {number} of 3: 0 of 2 games over")
        page.get_by_role("link", name="Result slips").click()
        expect(page.locator(".slip-head strong")).to_have_text([f"Board {n}" for n in range(1, 6)])
        _type(page, SECTIONS[0], (1, 2))
        _type(page, SECTIONS[1], (3, 4, 5))

    page.goto(FESTIVAL)
    expect(page.locator(".festival-section .chip")).to_have_text(["finished"] * 2)
    page.goto(f"{SECTIONS[0]}standings/")
    page.get_by_role("link", name="Abierto de otoño B").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Abierto de otoño B")

    # Slips are cut apart, so that both sections share a page.
    for kind, count in (("standings", 2), ("slips", 1)):
        page.goto(f"{FESTIVAL}print/{kind}/")
        pdf = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page[^s]", pdf)) == count
    archive = tmp_path / "otono.zip"
    archive.write_bytes(page.request.get(f"{FESTIVAL}archive.zip").body())
    call_command("verify", str(archive))
