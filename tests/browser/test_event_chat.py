"""The chat of an event: a line arrives on the pages of others, and the organiser moderates."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitors import sign_up

pytestmark = pytest.mark.long

NAME = "charla-en-vivo"
EVENT = f"/events/{NAME}/"


def _say(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.locator("#chat").get_by_role("button", name="Send").click()


def _open_menu(page: Page) -> None:
    page.locator("#chat summary").last.click()


def test_people_talk_and_the_organiser_moderates(page: Page, other: Page) -> None:
    sign_up(page, "Rosa Tal")
    sign_up(other, "Nico Blau")
    page.goto("/events/new/")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Over the board").check()
    page.get_by_role("button", name="Open the registration").click()
    page.goto(EVENT)
    other.goto(EVENT)
    lines, lines_of_other = page.locator("#chat .chat-lines"), other.locator("#chat .chat-lines")

    _say(other, "Buenas <b>noches</b>")
    expect(lines).to_contain_text("Buenas <b>noches</b>")

    _open_menu(page)
    page.get_by_role("button", name="Delete the message").click()
    expect(lines_of_other).to_contain_text("This message is hidden.")
    expect(lines_of_other).not_to_contain_text("Buenas")

    _open_menu(page)
    page.get_by_role("button", name="Mute in this event").click()
    expect(page.locator("#chat")).to_contain_text("Nico Blau is muted until")
    _say(other, "Sigo acá")
    expect(other.locator("#chat [role=alert]")).to_be_visible()
    expect(lines_of_other).not_to_contain_text("Sigo acá")

    page.get_by_role("button", name="Unmute").click()
    expect(page.locator("#chat")).not_to_contain_text("is muted")
    _say(other, "Gracias")
    expect(lines).to_contain_text("Gracias")
