"""A stranger learns a game on the boards of its course: by clicks, by keys and by typing, without an account."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

import games
from tests.browser.visitors import ENDED, cell, ply, walk

pytestmark = pytest.mark.long

# The bot has replied, or the game is over.
_HAS_REPLIED = """plies => +document.querySelector(".game").dataset.ply >= plies
    || /You won|You lost|Draw/.test(document.querySelector(".status").innerText)"""


def _board(page: Page, title: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def _next(page: Page) -> None:
    page.get_by_role("button", name=re.compile("Next board|Play your first game")).click()


def _play_by_hints(page: Page, moves: int) -> None:
    """Play moves that the engine shows, at most this number. It is loaded by the first question."""
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.reload()
    button = page.get_by_role("button", name="Show a good move")
    for number in range(moves):
        expect(button).to_be_visible()
        assert bool(number) is any(url.partition("?")[0].endswith(".wasm") for url in addresses)
        button.click()
        words = page.locator("[data-hint-words]")
        expect(words).to_contain_text("A good move: ")
        expect(page.locator("svg.board .engine-arrow")).to_have_count(1)
        page.locator("#move").fill(words.inner_text().removeprefix("A good move: "))
        page.keyboard.press("Enter")
        page.wait_for_function(_HAS_REPLIED, arg=2 * number + 2)
        if ENDED.search(page.locator(".status").first.inner_text()):
            return
        expect(page.locator("svg.board .engine-arrow")).to_have_count(0)


def test_a_stranger_learns_morelli_and_begins_a_first_game(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Learn a game").click()
    page.get_by_role("link", name=re.compile("Begin.*Morelli")).click()
    _board(page, "Moving inwards")
    alert = page.get_by_role("alert")
    # An illegal click is refused with its paragraph, and a legal one that is not right by the rule.
    cell(page, "A3").click()
    cell(page, "A6").click()
    expect(alert).to_contain_text("4.2.1")
    cell(page, "A3").click()
    cell(page, "B3").click()
    expect(alert).to_contain_text("This task asks for the innermost band.")
    cell(page, "A3").click()
    cell(page, "C3").click()
    expect(page.get_by_role("status").filter(has_text="chess queen")).to_be_visible()
    _next(page)
    _board(page, "Across the middle")
    # By keyboard. The button of the next board has the focus afterwards.
    cell(page, "A4").focus()
    page.keyboard.press("Enter")
    walk(page, "A4", "F4")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next board")).to_be_focused()
    page.keyboard.press("Enter")
    _board(page, "Capturing")
    page.get_by_label("Your move").fill("A7-D7")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="turns over")).to_be_visible()
    _next(page)
    for exercise in list(games.family_of("morelli").presentation.exercises())[3:]:
        _board(page, exercise.title)
        page.get_by_role("link", name="Show the solution").click()
        _next(page)
    _board(page, "Learn Morelli")
    expect(page.get_by_text("You have done all boards.")).to_be_visible()
    page.get_by_role("button", name=re.compile("the weakest bot")).click()
    page.wait_for_url(re.compile(r"/game/\d+/"))
    assert ply(page) == 0
    _play_by_hints(page, 2)
    page.goto("/learn/")
    expect(page.get_by_text("10 of 10 boards done")).to_be_visible()


def test_a_guest_wins_the_guided_game_by_the_hints(page: Page) -> None:
    page.goto("/learn/morelli/")
    page.get_by_role("button", name=re.compile("the weakest bot")).click()
    page.wait_for_url(re.compile(r"/game/\d+/"))
    _play_by_hints(page, 60)
    expect(page.locator(".status").first).to_contain_text("You won")
