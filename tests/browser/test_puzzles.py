"""A stranger plays the puzzle of the day on the front page, and a player solves three puzzles in a row."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

import games
from engine.kernel import puzzles
from tests.browser.visitors import sign_up

# The demo has stored the stock in this order, so a puzzle's number is its place.
STOCK = [row for family in games.available() for row in puzzles.stock(family.name)]


def _solve(page: Page, number: int) -> None:
    """Click the solver's moves of the puzzle on the page."""
    ruleset, position, line = STOCK[number - 1]
    at = games.load(ruleset).parse(position)
    for ply, move in enumerate(line):
        if ply % 2 == 0:
            for name in at.ruleset.move_path(move):
                page.locator(f'[data-trying] [data-cell="{name}"]').click()
            if ply + 1 < len(line):
                # The reply is on the board.
                expect(page.locator("[name=moves]").first).not_to_have_value("")
        at = at.play(move)


def test_the_front_page_has_a_puzzle_to_play(page: Page) -> None:
    page.goto("/")
    address = page.locator("[data-figure]").first.get_attribute("data-figure") or ""
    _solve(page, int(address.strip("/").rpartition("/")[2]))
    expect(page.get_by_text("The line is complete.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/$"))
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Puzzle")


def test_a_player_solves_three_puzzles_and_fails_at_one(page: Page) -> None:
    sign_up(page, "Traveler of Puzzles")
    page.goto("/puzzles/morelli/next/")
    for _ in range(3):
        _solve(page, int(page.url.strip("/").rpartition("/")[2]))
        expect(page.get_by_text(re.compile(r"Solved\. Your rating: \d+ → \d+\."))).to_be_visible()
        expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
        page.get_by_role("link", name="Next puzzle").click()
        page.wait_for_url(re.compile(r"/puzzles/\d+/$"))
    number = int(page.url.strip("/").rpartition("/")[2])
    ruleset, position, line = STOCK[number - 1]
    at = games.load(ruleset).parse(position)
    wrong = next(move for move in at.legal_moves() if at.play(move) != at.play(line[0]))
    page.get_by_label("Your move").fill(wrong)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("is not the best move. Try again.")
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_text("The line is complete.")).to_be_visible()
    page.goto("/puzzles/")
    expect(page.get_by_text("3 of 4 solved")).to_be_visible()
    expect(page.get_by_text("You have solved puzzles on 1 day in a row.")).to_be_visible()
