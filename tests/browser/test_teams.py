"""A Swiss of teams over the board, by hand: a list, line-ups, a postponed board, a correction, the report file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visitors import sign_up
from tournaments import trf
from tournaments.commandline import pairing

CLUBS = ("Torre", "Alfil", "Caballo", "Dama", "Rey", "Peón")
NAME = "liga-de-clubes"
EVENT = f"/events/{NAME}/"

# A whole event by hand: `--all` runs it.
pytestmark = pytest.mark.slow


def _organise(page: Page) -> None:
    sign_up(page, "Árbitro Julio")
    page.goto("/events/new/")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Format").select_option("team")
    page.get_by_label("Boards of a team").fill("2")
    page.get_by_label("Over the board").check()
    page.get_by_label("Rounds", exact=True).fill("3")
    page.get_by_role("button", name="Open the registration").click()
    rows = [
        f"{club} {n};{2000 - 50 * n - 7 * place};{club}"
        for place, club in enumerate(CLUBS)
        for n in (1, 2, 3)
    ]
    page.goto(f"{EVENT}entries/")
    page.get_by_label("Names, one a line").fill("\n".join(["Name;Rtg;Team", *rows]))
    page.get_by_role("button", name="Look at the list").click()
    page.get_by_role("button", name="Enter the ticked players").click()
    page.goto(EVENT)
    expect(page.locator("main")).to_contain_text("6 teams so far")
    page.get_by_role("button", name="Start the event").click()


def _next_round(page: Page) -> None:
    page.goto(EVENT)
    page.get_by_role("button", name="Draft the next round").click()
    page.goto(EVENT)
    page.get_by_role("button", name="Publish", exact=True).click()
    page.goto(f"{EVENT}pairings/")
    expect(page.locator("tr.match")).to_have_count(3)


def _team(page: Page, name: str) -> Locator:
    page.goto(f"{EVENT}teams/")
    return page.locator("section", has=page.get_by_role("heading", name=re.compile(name), level=3))


def _type(page: Page, keys: str) -> None:
    page.goto(f"{EVENT}results/")
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator(".saving")).to_have_count(0)


def _close(page: Page) -> None:
    page.goto(f"{EVENT}results/")
    page.get_by_role("button", name=re.compile("Close round")).last.click()


def test_a_swiss_of_teams_by_hand(page: Page, tmp_path: Path) -> None:
    _organise(page)
    _next_round(page)
    # Torre's second is ill: the reserve plays on board 2. Rey has one player here.
    torre = _team(page, "Torre")
    torre.get_by_label("Board 2").select_option(label="Torre 3")
    torre.get_by_role("button", name="Save the line-up").click()
    rey = _team(page, "Rey")
    rey.get_by_label("Board 2").select_option("")
    rey.get_by_role("button", name="Save the line-up").click()
    page.goto(f"{EVENT}pairings/")
    expect(page.locator("table.pairings")).to_contain_text("Torre 3")
    page.goto(f"{EVENT}results/")
    expect(page.locator("#missing")).to_have_text("5")
    _type(page, "1=010")
    _close(page)
    expect(page.get_by_role("heading", name="Standings after 1 round")).to_be_visible()

    _next_round(page)
    # A board of the third match is adjourned.
    page.goto(f"{EVENT}results/")
    page.locator("li.match", has_text="3.").get_by_role("button", name="Adjourned").click()
    _type(page, "10=1")
    _close(page)
    page.goto(f"{EVENT}crosstable/")
    expect(page.locator("main")).to_be_visible()

    _next_round(page)
    _type(page, "1=1=01")
    _close(page)
    page.goto(EVENT)
    expect(page.locator("main")).to_contain_text(
        "The event ends when its postponed games are over."
    )
    page.goto(f"{EVENT}results/")
    for board in ("3.1", "3.2"):
        row = page.locator(f'[id="late-2-{board}"]')
        row.get_by_role("button", name="first player won", exact=True).click()
    page.goto(f"{EVENT}standings/")
    expect(page.get_by_role("heading", name="Final standings")).to_be_visible()
    expect(page.locator("main table").first).to_contain_text("MPVGP")

    # The reasons of a board, and the terms of a tie-break.
    page.goto(f"{EVENT}pairings/3/boards/1/")
    expect(page.locator("main")).to_contain_text("C.04.6")
    page.goto(f"{EVENT}standings/?of=1&by=EMGSB")
    expect(page.locator("#opened")).to_contain_text("13.2")

    # The report file has the empty board, and every round is paired again from it.
    text = page.request.get(f"{EVENT}report.trf").text()
    report = trf.read(text)
    assert len(report.team_records.teams) == 6
    firsts = [player.results[0] for player in report.players]
    assert [r.opponent for r in firsts if r and r.code is trf.Code.FORFEIT_WIN] == [None]
    file = tmp_path / "liga.trf"
    file.write_text(text)
    assert pairing.main(["check", str(file)]) == 0
    assert len(re.findall(rb"/Type\s*/Page[^s]", _pdf(page, f"{EVENT}print/pairings/3/"))) == 1


def _pdf(page: Page, path: str) -> bytes:
    page.goto(path)
    return page.pdf(prefer_css_page_size=True)
