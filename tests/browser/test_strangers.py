"""Visitors without an account: to the board in three clicks, a friend by a link, and a sign-up on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.visitors import await_board, choices, click_move, name_oneself, ply, sign_up


class _Clicks:
    """Clicks on links and buttons, counted."""

    def __init__(self) -> None:
        self.count = 0

    def on(self, place: Locator) -> None:
        place.click()
        self.count += 1


@contextmanager
def _visitor(chromium: Browser, site: str) -> Iterator[Page]:
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def _level(page: Page) -> Locator:
    """Return the button of the level that is chosen, at first the one that is advised."""
    return page.get_by_role("region", name="Play a bot").locator("#levels button:visible")


@pytest.mark.engines
@pytest.mark.long
def test_a_stranger_is_on_the_board_after_three_clicks_at_most(page: Page) -> None:
    clicks = _Clicks()
    page.goto("/")
    clicks.on(page.get_by_role("link", name="Play now"))
    clicks.on(_level(page))
    await_board(page)
    assert clicks.count <= 3
    page.wait_for_function("() => document.querySelector('[data-may-move]')")
    before = ply(page)
    click_move(page, choices(page)[0])
    # The bot replies, and the page of the guest learns it.
    page.wait_for_function("n => +document.querySelector('.game').dataset.ply >= n", arg=before + 2)
    expect(page.locator("header .guest-name")).to_have_text(re.compile(r"^Guest [0-9A-F]{4,}$"))
    page.goto("/")
    expect(page.get_by_role("heading", name=re.compile("^Hello, Guest"))).to_be_visible()
    expect(page.locator(".columns :is(.board-card, .game-row)").first).to_be_visible()


@pytest.mark.engines
@pytest.mark.long
def test_two_browsers_without_accounts_play_by_a_link(
    page: Page, chromium: Browser, site: str
) -> None:
    page.goto("/play/")
    page.get_by_label("Morelli 7×7", exact=True).check()
    page.get_by_label("First move").select_option("first")
    page.get_by_role("button", name="Make a link").click()
    link = urlsplit(page.locator("#address").input_value()).path
    with _visitor(chromium, site) as friend:
        clicks = _Clicks()
        friend.goto(link)
        clicks.on(friend.get_by_role("button", name="Join and start"))
        assert clicks.count == 1
        for seen in (page, friend):
            # The host's page asks on its own, because guests have no stream.
            await_board(seen)
        for mover, other in ((page, friend), (friend, page)):
            mover.wait_for_function("() => document.querySelector('[data-may-move]')")
            before = ply(mover)
            click_move(mover, choices(mover)[0])
            other.wait_for_function(
                "n => +document.querySelector('.game').dataset.ply > n", arg=before
            )
        expect(page.get_by_label("Message")).to_have_count(0)


def test_two_tabs_that_begin_at_one_moment_are_one_guest(page: Page) -> None:
    page.goto("/play/")
    second = page.context.new_page()
    second.goto("/play/")
    # Neither tab has the cookie of a guest when it sends its form.
    for tab in (page, second):
        tab.evaluate(
            """() => {
                const form = document.querySelector("form.lobby");
                const data = new FormData(form);
                data.set("bot", document.querySelector("#levels button").value);
                window.sent = fetch("/play/challenge/", {method: "POST", body: data});
            }"""
        )
    for tab in (page, second):
        assert "/game/" in tab.evaluate("() => window.sent.then((answer) => answer.url)")
    page.goto("/")
    # Both games are those of the one guest.
    expect(
        page.locator("section :is(.mini-boards .board-card, .game-row)", has_text="Guest")
    ).to_have_count(2)


def test_a_sign_up_in_the_middle_of_a_game_keeps_the_seat(page: Page) -> None:
    page.goto("/play/")
    page.get_by_label("First move").select_option("first")
    _level(page).click()
    await_board(page)
    game = page.url
    page.locator("header").get_by_role("link", name="Sign up").click()
    name_oneself(page, "Maga Nueva")
    page.goto(game)
    expect(page.locator(".seat.bottom")).to_contain_text("Maga Nueva")
    page.wait_for_function("() => document.querySelector('[data-may-move]')")


def test_the_level_advised_follows_the_game_that_is_chosen(page: Page) -> None:
    sign_up(page, "Etienne Dos")
    page.goto("/play/")
    with page.expect_response("**/play/levels/?*") as answer:
        page.get_by_label("Morlox 5×5", exact=True).check()
    assert "morlox" in answer.value.url
    expect(_level(page)).to_have_count(1)


def test_a_level_that_is_dragged_to_stays_chosen_with_another_game(page: Page) -> None:
    page.goto("/play/")
    steps = page.locator("#levels .level-step")
    last = steps.last.inner_text().strip()
    steps.first.hover()
    page.mouse.down()
    steps.last.hover()
    page.mouse.up()
    expect(_level(page)).to_have_text(f"Play level {last}")
    with page.expect_response("**/play/levels/?*"):
        page.get_by_label("Morlox 5×5", exact=True).check()
    expect(_level(page)).to_have_text(f"Play level {last}")


def test_a_clock_of_ones_own_asks_for_its_figures(page: Page) -> None:
    page.goto("/play/")
    minutes = page.get_by_label("Minutes")
    expect(minutes).to_be_hidden()
    page.get_by_label("Clock", exact=True).select_option("custom")
    expect(minutes).to_be_visible()
    minutes.fill("7")
    page.get_by_label("Seconds per move").fill("3")
    _level(page).click()
    await_board(page)
    expect(page.locator("main")).to_contain_text("7 min + 3 s")
