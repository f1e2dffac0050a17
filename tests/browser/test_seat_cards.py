"""The card of a player opens at the name beside the board, over the page, which does not move."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_engine import violations
from tests.browser.visitors import challenge_bot, sign_up

_BOT = "Pola"


@pytest.mark.long
def test_a_pointer_or_the_keyboard_opens_the_card_of_the_opponent(page: Page) -> None:
    sign_up(page, "Card Reader")
    challenge_bot(page, _BOT, "morelli(size=7)")
    card = page.locator(".seat-card").filter(has_text=_BOT)
    name = page.locator(".seat").get_by_role("link", name=_BOT)
    before = page.locator("svg.board").bounding_box()
    name.hover()
    expect(card).to_be_visible()
    assert page.locator("svg.board").bounding_box() == before
    assert violations(page) == []
    card.hover()
    page.wait_for_timeout(400)
    expect(card).to_be_visible()
    page.mouse.move(1, 700)
    expect(card).to_be_hidden()
    page.keyboard.press("Tab")
    name.focus()
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    name.click()
    expect(page.get_by_role("heading", level=1, name=_BOT)).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568)])
def test_a_tap_opens_the_card_inside_the_window(
    chromium: Browser, site: str, width: int, height: int
) -> None:
    context = chromium.new_context(
        base_url=site,
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
    )
    page = context.new_page()
    sign_up(page, f"Card Tapper {width}")
    challenge_bot(page, _BOT, "morelli(size=7)")
    card = page.locator(".seat-card").filter(has_text=_BOT)
    address, before = page.url, page.locator("svg.board").bounding_box()
    page.locator(".seat").get_by_role("link", name=_BOT).tap()
    expect(card).to_be_visible()
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.url == address
    assert page.locator("svg.board").bounding_box() == before
    card.get_by_role("link", name=_BOT).tap()
    expect(page.get_by_role("heading", level=1, name=_BOT)).to_be_visible()
    context.close()
