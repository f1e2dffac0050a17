"""A tie of a knock-out over the board: its lines come and go with the results that decide it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.visitors import sign_up

NAME = "duelo-de-tres"
EVENT = f"/events/{NAME}/"


def _publish(page: Page) -> None:
    sign_up(page, "Árbitra Vera")
    page.goto("/events/new/")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Format").select_option("knockout")
    page.get_by_label("Over the board").check()
    page.get_by_label("Games of a tie").fill("3")
    page.get_by_role("button", name="Open the registration").click()
    page.goto(f"{EVENT}entries/")
    page.get_by_label("Names, one a line").fill("Alba\nBruno")
    page.get_by_role("button", name="Look at the list").click()
    page.get_by_role("button", name="Enter the ticked players").click()
    page.goto(EVENT)
    page.get_by_role("button", name="Start the event").click()
    page.goto(EVENT)
    page.get_by_role("button", name="Draft the next round").click()
    page.goto(EVENT)
    page.get_by_role("button", name="Publish", exact=True).click()
    page.goto(f"{EVENT}results/")


def test_the_line_of_a_game_that_is_not_played_any_more_goes(page: Page) -> None:
    _publish(page)
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
