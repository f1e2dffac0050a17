"""The chat of an event: a line arrives on the pages of others, and the organiser moderates."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.visitors import sign_up

NAME = "charla-en-vivo"
EVENT = f"/events/{NAME}/"


@pytest.fixture
def guest(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield the page of another visitor, who has an account."""
    context = chromium.new_context(base_url=site, viewport={"width": 390, "height": 844})
    context.set_default_timeout(60_000)
    page = context.new_page()
    sign_up(page, "Nico Blau")
    yield page
    context.close()


def _say(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.locator("#chat").get_by_role("button", name="Send").click()


def _open_menu(page: Page) -> None:
    page.locator("#chat summary").last.click()


def test_people_talk_and_the_organiser_moderates(page: Page, guest: Page) -> None:
    sign_up(page, "Rosa Tal")
    page.goto("/events/new/")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Over the board").check()
    page.get_by_role("button", name="Open the registration").click()
    page.goto(EVENT)
    guest.goto(EVENT)
    lines, lines_of_guest = page.locator("#chat .chat-lines"), guest.locator("#chat .chat-lines")

    _say(guest, "Buenas <b>noches</b>")
    expect(lines).to_contain_text("Buenas <b>noches</b>")

    _open_menu(page)
    page.get_by_role("button", name="Delete the message").click()
    expect(lines_of_guest).to_contain_text("This message is hidden.")
    expect(lines_of_guest).not_to_contain_text("Buenas")

    _open_menu(page)
    page.get_by_role("button", name="Mute in this event").click()
    expect(page.locator("#chat")).to_contain_text("Nico Blau is muted until")
    _say(guest, "Sigo acá")
    expect(guest.locator("#chat [role=alert]")).to_be_visible()
    expect(lines_of_guest).not_to_contain_text("Sigo acá")

    page.get_by_role("button", name="Unmute").click()
    expect(page.locator("#chat")).not_to_contain_text("is muted")
    _say(guest, "Gracias")
    expect(lines).to_contain_text("Gracias")
