"""A tie of a knock-out over the board: its lines come and go with the results that decide it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitors import sign_up

pytestmark = pytest.mark.long


def _make(page: Page, name: str, players: str, settings: Callable[[], None]) -> str:
    """Start a knock-out over the board. Return its address."""
    sign_up(page, f"Vera of {name}")
    page.goto("/events/new/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Format").select_option("knockout")
    page.get_by_label("Over the board").check()
    settings()
    page.get_by_role("button", name="Open the registration").click()
    event = f"/events/{name}/"
    page.goto(f"{event}entries/")
    page.get_by_label("Names, one a line").fill(players)
    page.get_by_role("button", name="Look at the list").click()
    page.get_by_role("button", name="Enter the ticked players").click()
    page.goto(event)
    page.get_by_role("button", name="Start the event").click()
    _publish(page, event)
    return event


def _publish(page: Page, event: str) -> None:
    """Draft and publish the next round, and open its results."""
    page.goto(event)
    page.get_by_role("button", name="Draft the next round").click()
    page.goto(event)
    page.get_by_role("button", name="Publish", exact=True).click()
    page.goto(f"{event}results/")


def _press(page: Page, line: int, key: str) -> None:
    """Press a key on a line of the results, and wait until the result is saved."""
    row = page.locator("#results > li").nth(line)
    row.locator("button").first.focus()
    page.keyboard.press(key)
    expect(row).not_to_have_attribute("data-result", "")
    expect(page.locator("#results .saving")).to_have_count(0)


def test_level_ties_and_absent_players_are_decided_by_hand_before_the_final(page: Page) -> None:
    def settings() -> None:
        page.get_by_label("Extra games of a level tie").fill("1")
        page.get_by_label("Match for third place").check()

    event = _make(page, "copa-de-empates", "Alba\nBruno\nCelia\nDario", settings)
    lines = page.locator("#results > li")
    expect(lines).to_have_count(2)
    _press(page, 0, "=")
    expect(lines).to_have_count(3)  # the extra game
    _press(page, 1, "=")
    _press(page, 2, "x")
    expect(page.locator("#missing")).to_have_text("0")

    page.goto(f"{event}desk/")
    ties = page.locator("#open-ties form")
    expect(ties).to_have_count(2)
    expect(ties.first.get_by_role("option", name="neither")).to_have_count(0)
    ties.first.get_by_role("combobox").select_option(index=1)
    second = ties.first.get_by_role("option").nth(1).inner_text()
    ties.first.get_by_label("Reason").fill("Lots were drawn")
    ties.first.get_by_role("button", name="Decide the tie").click()
    expect(ties).to_have_count(1)
    ties.first.get_by_role("combobox").select_option("neither")
    ties.first.get_by_label("Reason").fill("Both were absent")
    ties.first.get_by_role("button", name="Decide the tie").click()
    expect(ties).to_have_count(0)

    page.get_by_role("button", name="Close round 1", exact=True).click()
    expect(page.get_by_role("button", name="Draft the next round")).to_be_visible()
    page.goto(f"{event}log/")
    expect(page.locator("main")).to_contain_text("Lots were drawn")
    page.goto(f"{event}draw/")
    expect(page.locator(".bracket .slot.winner")).to_have_count(1)
    expect(page.locator(".bracket .slot.winner")).to_contain_text(second)


def test_the_line_of_a_game_that_is_not_played_any_more_goes(page: Page) -> None:
    _make(
        page,
        "duelo-de-tres",
        "Alba\nBruno",
        lambda: page.get_by_label("Games of a tie").fill("3"),
    )
    lines = page.locator("#results > li")
    expect(lines.first.locator("button").first).to_be_focused()
    for count, key in enumerate("1=", start=2):
        page.keyboard.press(key)
        expect(lines).to_have_count(count)
        lines.last.locator("button").first.focus()
    # The second side won game 2: that is the winner of game 1.
    lines.nth(1).locator("button").first.focus()
    page.keyboard.press("0")
    expect(lines).to_have_count(2)
