"""What visitors do, by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page


def sign_up(page: Page, name: str) -> None:
    """Make an account through the page."""
    page.goto("/")
    page.locator("header").get_by_role("link", name="Sign up").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("pedrecita-y-cielo-9")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def challenge_bot(page: Page, bot: str, game: str, *, begin: bool = True) -> None:
    """Start a game against a bot in the lobby; the page then shows the game."""
    page.goto("/play/")
    form = (
        page.locator("form[action='/play/challenge/']").filter(has=page.locator("#id_side")).first
    )
    form.get_by_label("Opponent").fill(bot)
    form.get_by_label("Game").select_option(label=game)
    form.get_by_label("Who begins").select_option("first" if begin else "second")
    form.get_by_role("button").first.click()
    page.wait_for_url("**/game/*/")


def choices(page: Page) -> list[dict]:
    """The legal moves the page was given; empty when it is not this visitor's turn."""
    data = page.locator("script#choices")
    return json.loads(data.text_content() or "[]") if data.count() else []


def ply(page: Page) -> int:
    """The number of plies the page shows as played."""
    return int(page.locator(".game").get_attribute("data-ply") or 0)


def click_move(page: Page, choice: dict) -> None:
    """Make a move by clicks on the board, and by the button where several moves share the cells."""
    before = ply(page)
    for cell in choice["path"]:
        page.locator(f'.cell[data-cell="{cell}"]').click()
    shared = page.locator("[data-choices]").get_by_role("button", name=choice["move"], exact=True)
    if shared.count():
        shared.click()
    page.wait_for_function("n => +document.querySelector('.game').dataset.ply > n", arg=before)


def is_over(page: Page) -> bool:
    """Whether the page says how the game ended."""
    text = page.locator(".status").text_content() or ""
    return " won " in text or "Draw" in text
