"""The open Play page hears of challenges and seeks, and of their ends."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser.visitors import sign_up


def test_a_challenge_is_told_and_listed_on_an_open_page_until_it_is_withdrawn(
    page: Page, chromium: Browser, site: str
) -> None:
    context = chromium.new_context(base_url=site)
    other = context.new_page()
    sign_up(page, "Pola P.")
    sign_up(other, "Heredia")
    other.goto("/play/")
    other.get_by_label("Opponent").fill("somebody half written")

    page.goto("/play/")
    page.get_by_label("Opponent").fill("Heredia")
    page.get_by_role("button", name="Challenge").click()
    row = other.locator("#open-games .challenge-row").filter(has_text="Pola P.")
    expect(row.get_by_role("button", name="Accept")).to_be_visible()
    expect(other.locator("#toast")).to_contain_text("Pola P. challenges you: Morelli")
    page.locator("#open-games").get_by_role("button", name="Withdraw").click()
    expect(row).to_have_count(0)
    expect(other.locator("#toast")).to_be_hidden()
    expect(other.get_by_label("Opponent")).to_have_value("somebody half written")
    context.close()


def test_a_guest_on_an_open_page_sees_a_seek_come_and_go(
    page: Page, chromium: Browser, site: str
) -> None:
    context = chromium.new_context(base_url=site)
    guest = context.new_page()
    sign_up(page, "Seeker B.")
    guest.goto("/play/")
    rows = guest.locator("#open-games .challenge-row")
    expect(rows).to_have_count(0)
    page.goto("/play/")
    page.get_by_label("Rated").uncheck()
    page.get_by_role("button", name="Find an opponent").click()
    expect(rows.get_by_role("button", name="Join the game")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(rows).to_have_count(0)
    context.close()
