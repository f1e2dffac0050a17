"""The engine in a browser: turned on and off over a board, through a game that is over, and in a lesson from it."""

from __future__ import annotations

import json
import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.visitors import await_board, cell, resign, sign_up

# A page's behaviour for hands and eyes does not depend on the database.

# Black, who is to move, has e1 and wins. After any other move White wins there.
_POSITION = "wb..b/wwwbb/wbw.b/b.wbb/b.ww. b 22 -"
_BEST, _BLUNDER = "e1", "a3"


def _turn_on(page: Page) -> None:
    page.get_by_role("switch", name="Engine").click()
    expect(page.locator("[data-engine-status]")).to_contain_text(re.compile(r"Depth \d+"))


def violations(page: Page) -> list[str]:
    page.evaluate(AXE_SCRIPT)
    result = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [json.dumps([one["id"], one["nodes"][0]["html"]]) for one in result["violations"]]


def test_the_engine_is_turned_on_and_off_on_the_analysis_board(page: Page) -> None:
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.goto("/analysis/?rules=morelli(size=7)")
    switch = page.get_by_role("switch", name="Engine")
    expect(switch).to_have_attribute("aria-checked", "false")
    assert not [url for url in addresses if "/engine/" in url]
    _turn_on(page)
    assert len([url for url in addresses if "/engine/" in url]) == 2
    expect(switch).to_have_attribute("aria-checked", "true")
    lines = page.locator("[data-engine-lines] li")
    expect(lines).to_have_count(3)
    best = lines.first
    expect(best.locator("[data-engine-promise]")).to_have_text(re.compile(r"^\d\d? %$"))
    expect(page.locator("svg.board .engine-arrow")).to_have_count(3)
    assert violations(page) == []
    # A click on a line plays its first move, and the engine looks at the new board.
    before = page.locator("[data-engine-facts]").get_attribute("data-start")
    move = best.locator("button").inner_text()
    best.locator("button").click()
    expect(page.locator(".tree [aria-current]")).to_contain_text(move)
    expect(page.locator("[data-engine-facts]")).not_to_have_attribute("data-start", before or "")
    expect(page.locator("[data-engine-status]")).to_contain_text(re.compile(r"Depth \d+"))
    expect(page.locator("svg.board .engine-arrow")).to_have_count(3)
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(lines.first).to_be_hidden()
    expect(page.locator("svg.board .engine-arrow")).to_have_count(0)


def test_a_proved_win_is_counted_in_plies(page: Page) -> None:
    page.goto(f"/analysis/?rules=morlox(size=5)&start={_POSITION}")
    page.get_by_role("switch", name="Engine").click()
    best = page.locator("[data-engine-lines] li").first
    expect(best).to_contain_text("Black wins in 2 plies")
    expect(best.locator("button")).to_have_text(_BEST)
    expect(page.locator("[data-engine-conclusion]")).to_contain_text(
        "The engine has finished. Black:"
    )


def _blundered(page: Page, name: str) -> None:
    """A game against Pola from the position, that its newcomer has not won and resigned."""
    sign_up(page, name)
    page.goto("/analysis/")
    form = page.locator("form.analysis-text")
    form.locator("textarea").fill(_POSITION)
    form.locator("select").select_option(label="Morlox 5×5")
    form.get_by_role("button", name="Show on the board").click()
    page.get_by_role("button", name="Play from here").click()
    lobby = page.locator("form.lobby")
    lobby.get_by_label("First move").select_option("first")
    lobby.get_by_label("Opponent").fill("Pola")
    lobby.get_by_role("button", name="Challenge").click()
    await_board(page)
    # A click that comes before the script follows the cell's link.
    page.wait_for_selector("#game[data-scripted]")
    cell(page, _BLUNDER).click()
    page.wait_for_function("() => +document.querySelector('.game').dataset.ply >= 2")
    if page.locator("summary", has_text="Resign").count():
        resign(page)
    expect(page.locator(".game")).to_have_attribute("data-over", "")


@pytest.mark.long
@pytest.mark.parametrize(("name", "width"), [("Berthe", 1280), ("Remorin", 390)])
def test_a_game_is_gone_through_and_its_blunder_learned_from(
    page: Page, name: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    _blundered(page, name)
    review = page.locator("[data-review]")
    review.get_by_role("button", name="Go through the game").click()
    expect(review.locator("[role=status]")).to_contain_text(
        re.compile(rf"{name}: accuracy [\d.]+ %, inaccuracies 0, mistakes 0")
    )
    blunder = review.locator("li").first
    expect(blunder).to_contain_text(f"Better is {_BEST}")
    expect(page.locator('.plies a[data-sign="??"]').first).to_have_attribute("data-step", "1")
    expect(review.locator("svg .mark.blunder").first).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width

    review.get_by_role("button", name="Learn from your mistakes").click()
    lesson = page.locator(".lesson [role=status]")
    expect(lesson).to_contain_text(f"{name} played")
    # The page does not show the place meanwhile.
    expect(blunder).to_be_hidden()
    expect(page.locator("svg.board .engine-arrow")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"ply=0"))
    expect(page.locator("svg.board .can").first).to_be_visible()
    cell(page, _BLUNDER).click()
    expect(lesson).to_contain_text("was played in the game")
    cell(page, _BEST).click()
    expect(lesson).to_contain_text(f"{_BEST} is good")
    page.get_by_role("button", name="End the lesson").click()
    expect(lesson).to_be_hidden()
    expect(blunder).to_be_visible()
