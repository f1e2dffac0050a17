"""Two people agree on a draw, on another game after it, and on a ply that goes back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.visitors import challenge, choices, click_move, ply, sign_up

pytestmark = pytest.mark.long


def test_a_draw_is_offered_by_keyboard_and_a_rematch_takes_both_along(
    page: Page, chromium: Browser, site: str
) -> None:
    context = chromium.new_context(base_url=site, viewport={"width": 390, "height": 800})
    other = context.new_page()
    sign_up(page, "Remorino")
    sign_up(other, "Celina")
    challenge(page, other, name="Celina", ruleset="perfect()")
    first_game = page.url
    assert other.url == first_game

    page.get_by_role("button", name="Offer a draw").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Withdraw offer")).to_be_focused()
    expect(other.get_by_role("status").filter(has_text="Remorino offers a draw.")).to_have_count(1)
    assert other.evaluate("document.documentElement.scrollWidth") <= 390
    other.get_by_role("button", name="Accept the draw").click()
    for seen in (page, other):
        expect(seen.locator(".side")).to_contain_text("Both agreed on a draw.")

    other.get_by_role("button", name="Rematch").click()
    expect(page.locator(".side")).to_contain_text("Celina offers a rematch")
    page.get_by_role("button", name="Accept the rematch").click()
    for seen in (page, other):
        expect(seen).not_to_have_url(first_game)
        expect(seen.locator(".status")).to_contain_text(re.compile("to move"))
    assert page.url == other.url
    expect(other.locator(".status")).to_contain_text("Your turn")
    expect(page.locator("summary", has_text="Abort")).to_be_visible()
    context.close()


def test_a_ply_goes_back_on_both_pages_and_stays_in_the_ledger(
    page: Page, chromium: Browser, site: str
) -> None:
    context = chromium.new_context(base_url=site, viewport={"width": 390, "height": 800})
    other = context.new_page()
    sign_up(page, "Valentín")
    sign_up(other, "Gusmán")
    challenge(page, other, name="Gusmán", ruleset="perfect()")
    with page.expect_request("**/move/") as sent:
        click_move(page, choices(page)[0])
    assert re.search(r'name="thought_ms"\s+\d+\s', sent.value.post_data or "")
    expect(other.locator(".status")).to_contain_text("Your turn")

    page.get_by_role("button", name="Request take-back").click()
    expect(
        other.get_by_role("status").filter(has_text="Valentín requests a take-back")
    ).to_have_count(1)
    other.get_by_role("button", name="Allow take-back").click()
    expect(page.locator(".status")).to_contain_text("Your turn")
    for seen in (page, other):
        expect(seen.locator(".game")).to_have_attribute("data-attempt", "2")
        assert ply(seen) == 0
    click_move(page, choices(page)[1])

    other.get_by_role("link", name="Clocks").click()
    rows = other.locator(".charges tbody").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("taken back")
    expect(rows.last).not_to_contain_text("taken back")
    assert other.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
