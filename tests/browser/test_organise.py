"""The views of organisers and players on the pairing: the form of an event, an automatic knock-out, the reasons of a board."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitors import sign_up

_EVENT = "/events/club-de-la-serpiente-open/"


def test_a_board_is_explained_and_any_other_opponent_too(page: Page) -> None:
    page.goto(f"{_EVENT}pairings/3/")
    page.get_by_role("link", name="Why board 2?").click()
    expect(page.locator("main")).to_contain_text("had scored")
    expect(page.locator(".criteria").first).to_contain_text("C6")
    form = page.locator("form.why-not")
    opponents = form.get_by_label("Why not this opponent?")
    names = [name for name in opponents.locator("option").all_inner_texts() if name != "the bye"]
    heading = page.locator("h2.versus").inner_text()
    other = next(name for name in names if name not in heading)
    opponents.select_option(label=other)
    form.get_by_role("button", name="Explain").click()
    expect(page.get_by_role("status")).to_contain_text(other)
    page.locator("footer").get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.get_by_role("status")).to_contain_text("選手")


def test_crosstable_keeps_its_columns_whatever_the_results(page: Page) -> None:
    page.goto(f"{_EVENT}crosstable/")
    cells = page.locator("td.result")
    assert cells.count() > 8
    for kind in ("win", "draw", "loss", "running", "bye", "none"):
        displays = cells.evaluate_all(
            "(all, kind) => all.map(td => { td.className = `result ${kind}`;"
            " return getComputedStyle(td).display })",
            kind,
        )
        assert set(displays) == {"table-cell"}, kind


def test_a_round_is_paired_again_by_anybody(page: Page) -> None:
    page.goto(f"{_EVENT}pairings/2/")
    page.get_by_role("link", name="Pair this round again and compare").click()
    expect(page.locator("main")).to_contain_text("every board and every side is equal")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("Download the stored input")).click()
    text = download.value.path().read_text()
    assert "192 FIDE_DUTCH_2025\n" in text
    assert "### paired by Rayuela dutch" in text


@pytest.mark.long
def test_an_organiser_runs_a_knock_out_of_bots(page: Page) -> None:
    sign_up(page, "Talía")
    page.goto("/events/new/")
    page.get_by_label("Name").fill("Copa Talía")
    expect(page.get_by_label("Rounds", exact=True)).to_be_visible()
    page.get_by_label("Format").select_option(label="Single elimination")
    expect(page.get_by_label("Rounds", exact=True)).to_be_hidden()
    page.get_by_label("Admission").select_option(label="bots")
    page.get_by_label("Pause between rounds").select_option(label="none")
    page.get_by_role("button", name="Open the registration").click()
    for bot in ("Gregorovius", "Traveler", "Pola", "Talita", "Etienne"):
        page.get_by_role("checkbox", name=bot).check()
    page.get_by_role("button", name="Enter bots").click()
    expect(page.locator(".event-state")).to_contain_text("5 players so far")
    page.get_by_role("button", name="Start the event").click()
    page.get_by_role("link", name="Bracket").click()
    expect(page.locator(".bracket")).to_contain_text("winner of")
    # The page follows the event automatically until a player has won.
    expect(page.locator(".event-state")).to_contain_text("finished", timeout=180_000)
    expect(page.locator(".bracket-round").last.locator(".slot.winner")).to_have_count(1)
