"""A newcomer signs up, joins the running event, plays a whole game by clicks, and finds it counted."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.visitors import (
    await_board,
    await_turn,
    challenge_bot,
    choices,
    click_move,
    ply,
    resign,
    sign_up,
)


@pytest.mark.engines
@pytest.mark.long
def test_a_newcomer_joins_the_event_and_plays_a_whole_game_that_counts(page: Page) -> None:
    sign_up(page, "Lucía")
    page.goto("/events/")
    page.get_by_role("link", name="Open House").click()
    page.get_by_role("button", name=re.compile("Join|Enter")).click()
    # The next round is paired now that a player is present, and the page goes to the board
    # automatically.
    await_board(page)
    game = page.url
    while await_turn(page):
        legal = choices(page)
        click_move(page, legal[len(legal) // 2])
    # The first result shows no change, except near the rating. The way leads back to the event.
    side = page.locator(".side")
    expect(side).to_contain_text(
        re.compile(r"Your rating: provisional: about \d{3,4}, after 1 of about 10 games")
    )
    expect(side.get_by_role("link", name="Back to Open House")).to_be_visible()

    page.goto("/events/open-house/standings/")
    row = page.get_by_role("row").filter(has_text="Lucía")
    expect(row).to_have_count(1)
    page.goto("/events/open-house/pairings/2/")
    assert page.locator(f"a[href='{urlsplit(game).path}']").count()

    menu = page.locator(".account .menu")
    menu.locator("summary", has_text="Lucía").click()
    menu.get_by_role("link", name="Profile").click()
    expect(page.locator("main")).to_contain_text(re.compile(r"\d{3,4}\?"))
    expect(page.locator("main")).to_contain_text("Open House")


@pytest.mark.engines
@pytest.mark.long
def test_a_spectator_sees_moves_arrive_without_reloading(
    page: Page, chromium: Browser, site: str
) -> None:
    sign_up(page, "Horacio")
    challenge_bot(page, "Pola", "morelli(size=7)")
    guest = chromium.new_context(base_url=site).new_page()
    guest.goto(page.url)
    expect(guest.locator("[data-may-move]")).to_have_count(0)
    click_move(page, choices(page)[0])
    guest.wait_for_function("() => +document.querySelector('.game').dataset.ply >= 2")
    assert guest.locator(".plies a").count() >= 3
    guest.context.close()


@pytest.mark.engines
@pytest.mark.long
def test_where_no_stream_comes_through_the_page_asks_now_and_then(
    page: Page, chromium: Browser, site: str
) -> None:
    sign_up(page, "Ireneo")
    challenge_bot(page, "Pola", "morelli(size=7)")
    guest = chromium.new_context(base_url=site).new_page()
    guest.route("**/stream/**", lambda route: route.fulfill(status=503))
    guest.goto(page.url)
    expect(guest.locator("[data-may-move]")).to_have_count(0)
    expect(guest.locator("html")).to_have_attribute("data-connection", "lost")
    click_move(page, choices(page)[0])
    guest.wait_for_function("() => +document.querySelector('.game').dataset.ply >= 1")
    guest.context.close()


def test_refusals_name_the_paragraph_and_endings_their_cause(page: Page) -> None:
    sign_up(page, "Gekrepten")
    challenge_bot(page, "Pola", "morelli(size=7)")
    page.get_by_label(re.compile("type a move")).fill("A1-A2")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#refusal")).to_contain_text(re.compile(r"4\.\d"))
    assert ply(page) == 0
    page.get_by_label(re.compile("type a move")).fill(choices(page)[0]["move"])
    page.keyboard.press("Enter")
    page.wait_for_function("() => +document.querySelector('.game').dataset.ply >= 1")
    expect(page.locator("#refusal")).to_be_empty()
    resign(page)
    expect(page.locator(".status")).to_contain_text("You lost by resignation")


def test_a_move_typed_while_the_page_is_renewed_is_not_lost(page: Page) -> None:
    sign_up(page, "Gutusso")
    challenge_bot(page, "Pola", "morelli(size=7)")
    held: list[Route] = []
    page.route("**/game/*/live/", lambda route: held.append(route))
    field = page.locator("#move")
    field.fill("A1-A2")
    with page.expect_request("**/game/*/live/"):
        page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_contain_text(re.compile(r"4\.\d"))
    move = choices(page)[0]["move"]
    field.fill(move)
    # The answer to the refusal's question arrives between the last key and Enter.
    page.evaluate("document.querySelector('.game').dataset.old = '1'")
    held[0].continue_()
    page.wait_for_function("() => !document.querySelector('.game').dataset.old")
    expect(field).to_be_focused()
    expect(field).to_have_value(move)
    page.unroute("**/game/*/live/")
    page.keyboard.press("Enter")
    page.wait_for_function("() => +document.querySelector('.game').dataset.ply >= 1")
    expect(page.locator("#refusal")).to_be_empty()
    expect(field).to_have_value("")


def test_what_is_typed_or_clicked_halfway_outlives_a_fresh_board(page: Page) -> None:
    sign_up(page, "Babs")
    challenge_bot(page, "Pola", "morelli(size=7)")
    page.evaluate("document.querySelector('.game').dataset.old = '1'")
    choice = choices(page)[0]
    page.locator(f'.cell[data-cell="{choice["path"][0]}"]').click()
    page.get_by_label(re.compile("type a move")).fill(choice["move"])
    page.evaluate(  # news of an offer that nobody has made: the board is drawn again, and nothing else happens
        """() => fetch(document.querySelector('[action$="/agree/"]').action.replace("agree", "decline"),
           {method: "POST", body: new FormData(document.querySelector("[data-move]"))})"""
    )
    page.wait_for_function("() => !document.querySelector('.game').dataset.old")
    expect(page.locator("#move")).to_have_value(choice["move"])
    expect(page.locator("#move")).to_be_focused()
    expect(page.locator(".hint.chosen.core")).to_have_count(1)


def test_a_swap_is_offered_and_passes_the_colours(page: Page) -> None:
    sign_up(page, "Emmanuèle")
    challenge_bot(page, "Pola", "morlox(size=5)", begin=False)
    page.wait_for_function("() => document.querySelector('[data-may-move]')")
    page.get_by_role("button", name="Swap colours").click()
    page.wait_for_function("() => +document.querySelector('.game').dataset.ply >= 2")
    expect(page.locator(".seat.bottom")).to_contain_text("Black")


def test_without_javascript_a_move_is_two_links_and_a_button(chromium: Browser, site: str) -> None:
    context = chromium.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    sign_up(page, "Rocamadour")
    challenge_bot(page, "Pola", "morelli(size=7)")
    page.locator("a.cell-link").first.click()
    page.wait_for_url("**?path=*")
    cells = page.locator("a.cell-link")
    hrefs = [cells.nth(i).get_attribute("href") or "" for i in range(cells.count())]
    step = next(href for href in hrefs if "%2C" in href)
    page.goto(step)
    page.get_by_role("button", name=re.compile("^Play .+-")).click()
    page.wait_for_url(re.compile("/game/[0-9]+/$"))
    assert ply(page) >= 1
    context.close()
