"""Private messages arrive on open pages, and disturb no player at a board."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.visitors import Hand, challenge_bot, sign_up


@pytest.fixture
def other(chromium: Browser, site: str) -> Iterator[Page]:
    context = chromium.new_context(base_url=site)
    yield context.new_page()
    context.close()


def _open(page: Page, name: str) -> None:
    """Open the conversation with a player from the page of messages."""
    page.goto("/messages/")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def _unread(page: Page) -> str:
    return page.locator(".menu > summary .chip").inner_text()


@pytest.mark.long
def test_two_players_write_to_each_other(page: Page, other: Page) -> None:
    sign_up(page, "Maga Lucía")
    sign_up(other, "Horacio Ol.")
    other.goto("/games/")
    _open(page, "Horacio Ol.")
    page.get_by_label("Message", exact=True).fill("Another game?")
    page.get_by_label("Message", exact=True).press("Enter")
    expect(page.locator(".private-line.own .bubble")).to_have_text("Another game?")
    expect(page.get_by_label("Message", exact=True)).to_have_value("")
    news = other.locator("#toast").get_by_role("link", name="Message from Maga Lucía")
    expect(news).to_have_text("Message from Maga Lucía: Another game?")
    assert _unread(other) == "1"
    news.click()
    expect(other.locator(".bubble")).to_have_text("Another game?")
    expect(other.locator(".menu > summary .chip")).to_be_hidden()
    other.get_by_label("Message", exact=True).fill("Yes,")
    other.get_by_label("Message", exact=True).press("Shift+Enter")
    other.keyboard.type("tomorrow.")
    other.get_by_role("button", name="Send").click()
    answer = page.locator(".bubble").last
    expect(answer).to_have_text(re.compile(r"Yes,\s*tomorrow\."))
    expect(page.locator("#toast")).to_be_hidden()
    expect(page.locator(".menu > summary .chip")).to_be_hidden()


def test_a_message_to_a_player_at_a_board_changes_the_number_alone(page: Page, other: Page) -> None:
    sign_up(page, "Oliveira at a board")
    sign_up(other, "Talkative T.")
    _open(other, "Oliveira at a board")
    challenge_bot(page, "Pola", "morelli(size=7)")
    before = page.locator("svg.board").bounding_box()
    address = other.url.removeprefix(other.url.split("/messages")[0])
    Hand(other.context).post(f"{address}write/", text="Are you there?")
    expect(page.locator(".menu > summary .chip")).to_have_text("1")
    expect(page.locator("#toast")).to_be_hidden()
    assert page.locator("svg.board").bounding_box() == before


def test_messages_work_without_scripts(chromium: Browser, site: str, other: Page) -> None:
    context = chromium.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    sign_up(page, "Plain P.")
    sign_up(other, "Scripted S.")
    _open(page, "Scripted S.")
    page.get_by_label("Message", exact=True).fill("One\nTwo")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".bubble")).to_have_text(re.compile(r"One\s*Two"))
    page.get_by_text("Delete", exact=True).click()
    page.get_by_role("button", name="Delete the conversation").click()
    expect(page.get_by_text("was deleted for you")).to_be_visible()
    context.close()
