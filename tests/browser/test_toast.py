"""News come in one line over the header: the board of a game does not move."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from tests.browser.visitors import Hand, accept_challenge, challenge_bot, resign, sign_up

_BOT = "Pola"
# Test whether the words with which the element's text begins lie inside its box.
_IS_INSIDE = """(element, words) => {
  const range = document.createRange();
  range.setStart(element.firstChild, 0);
  range.setEnd(element.firstChild, words.length);
  const box = element.getBoundingClientRect();
  return [...range.getClientRects()].every((one) => one.right <= box.right + 1 && one.bottom <= box.bottom + 1);
}"""


def _board(page: Page) -> FloatRect:
    box = page.locator("svg.board").bounding_box()
    assert box is not None
    return box


def _challenge(page: Page, name: str) -> None:
    Hand(page.context).post(
        "/play/challenge/", clock="600+10", opponent=name, ruleset="morelli(size=7)", side="first"
    )


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_challenges_do_not_move_the_board(
    page: Page, chromium: Browser, site: str, width: int, height: int
) -> None:
    name = f"Traveler {width}"
    context = chromium.new_context(base_url=site)
    other = context.new_page()
    sign_up(page, name)
    sign_up(other, f"Berthe Trepat {width}")
    page.set_viewport_size({"width": width, "height": height})
    challenge_bot(page, _BOT, "morelli(size=7)")
    before, address = _board(page), page.url
    toast = page.locator("#toast")
    _challenge(other, name)
    expect(toast).to_contain_text(f"Berthe Trepat {width} challenges you: Morelli 7×7")
    for _ in range(2):
        _challenge(other, name)
    expect(toast.get_by_text("2 more")).to_be_visible()
    name_of_challenger = toast.get_by_role("link", name="challenges you")
    assert name_of_challenger.evaluate(_IS_INSIDE, f"Berthe Trepat {width}"), "the name is cut"
    assert _board(page) == before
    box = toast.bounding_box()
    assert box is not None
    assert box["height"] < 50
    assert box["y"] + box["height"] <= before["y"], "no cell is covered"
    assert page.evaluate("document.documentElement.scrollWidth") == width
    toast.get_by_role("button", name="Decline").click()
    expect(toast.get_by_text("1 more")).to_be_visible()
    assert page.url == address
    toast.get_by_role("button", name="Close").click()
    expect(toast).to_be_hidden()
    assert _board(page) == before
    page.goto("/play/")
    expect(page.locator("#open-games").get_by_role("button", name="Accept")).to_have_count(2)
    context.close()


def test_a_challenge_is_accepted_in_the_toast(page: Page, chromium: Browser, site: str) -> None:
    context = chromium.new_context(base_url=site)
    other = context.new_page()
    sign_up(page, "Toaster R.")
    sign_up(other, "Etienne P.")
    page.goto("/games/")
    _challenge(other, "Toaster R.")
    page.locator("#toast").get_by_role("button", name="Accept").click()
    expect(page.locator(".seat.top")).to_contain_text("Etienne P.")
    context.close()


def test_the_page_of_a_finished_game_leads_to_the_next_game_and_that_of_a_live_game_tells_of_it(
    page: Page, chromium: Browser, site: str
) -> None:
    context = chromium.new_context(base_url=site)
    other = context.new_page()
    sign_up(page, "Toaster O.")
    sign_up(other, "Toaster W.")
    challenge_bot(page, _BOT, "morelli(size=7)")
    live = page.url
    before = _board(page)
    _begin(page, other)
    link = page.locator("#toast").get_by_role("link", name="Your next game has started")
    expect(link).to_be_visible()
    assert _board(page) == before
    assert page.url == live
    resign(page)
    expect(page.locator(".status")).to_contain_text("You lost by resignation")
    _begin(page, other)
    expect(page.locator(".seat.top")).to_contain_text("Toaster W.")
    context.close()


def _begin(page: Page, other: Page) -> None:
    """Send a challenge from the visitor of `page` to that of `other`, who accepts."""
    _challenge(page, "Toaster W.")
    accept_challenge(other)
