"""Games from signing up to the result: by keys alone, and by a finger on a small screen.

Under `--all` to the end by the rules. Otherwise the player resigns after some moves.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.visitors import (
    ENDED,
    await_board,
    await_turn,
    cell,
    choices,
    drag_by_finger,
    inwards,
    is_over,
    ply,
    walk,
)
from tests.extent import is_whole

pytestmark = pytest.mark.long

# A page's behaviour for hands and eyes does not depend on the database.

# Plies after which a player resigns.
_ENOUGH = 8
# More stops of the Tab key than any of these pages has.
_STOPS = 200
_WEAKEST = re.compile("^Level 1 of")


def _tab_to(page: Page, target: Locator) -> None:
    for _ in range(_STOPS):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {target}")


def _press(page: Page, target: Locator) -> None:
    _tab_to(page, target)
    page.keyboard.press("Enter")


def _moved(page: Page, before: int) -> None:
    page.wait_for_function("n => +document.querySelector('.game').dataset.ply > n", arg=before)


def test_a_game_is_played_without_a_mouse(page: Page) -> None:
    page.goto("/")
    _press(page, page.locator("header").get_by_role("link", name="Sign up"))
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("Ceferino")
    page.keyboard.press("Tab")
    page.keyboard.type("pedrecita-y-cielo-9")
    page.keyboard.press("Enter")
    expect(page.locator(".account .menu")).to_be_visible()
    _press(page, page.get_by_role("navigation", name="Main").get_by_role("link", name="Play"))
    page.wait_for_url("**/play/")
    bots = page.get_by_role("region", name="Play a bot")
    _tab_to(page, page.locator("input[name=ruleset]:checked"))
    game = page.get_by_label("Morlox 5×5", exact=True)
    for _ in range(_STOPS):
        if game.is_checked():
            break
        page.keyboard.press("ArrowDown")
    expect(game).to_be_focused()
    _tab_to(page, page.get_by_label("Rated"))
    page.keyboard.press("Space")
    _tab_to(page, bots.locator("[name=level]:checked"))
    page.keyboard.press("ArrowLeft")
    expect(bots.get_by_role("radio", name=_WEAKEST)).to_be_checked()
    _press(page, bots.get_by_role("button", name="Play level 1"))
    await_board(page)

    is_question_open = False
    while await_turn(page):
        before = ply(page)
        if before >= _ENOUGH and not is_whole():
            _press(page, page.locator("summary", has_text="Resign"))
            _press(page, page.get_by_role("button", name="Yes, resign"))
            expect(page.locator(".status")).to_contain_text("You lost by resignation")
            break
        squares = [choice for choice in choices(page) if choice["path"]]
        if not squares:
            _press(page, page.get_by_role("button", name="Pass", exact=True))
        elif before % 4 < 2:
            choice = squares[len(squares) // 2]
            start = page.locator('.cell[tabindex="0"]')
            _tab_to(page, start)
            walk(page, start.get_attribute("data-cell") or "", choice["path"][0])
            page.keyboard.press("Enter")
        else:
            field = page.locator("#move")
            _tab_to(page, field)
            if not is_question_open:
                page.keyboard.type("last")
                page.keyboard.press("Enter")
                expect(page.locator("#answer")).not_to_be_empty()
                is_question_open = True
            page.keyboard.type(squares[0]["move"])
            page.keyboard.press("Enter")
        _moved(page, before)
        # The next key continues from an element of the game.
        expect(page.locator("#game :focus")).to_have_count(1)
    assert is_question_open
    expect(page.locator("#game-status")).to_contain_text(ENDED)
    expect(page.locator(".side")).to_contain_text(
        re.compile(r"Your rating: provisional: about \d{3,4}, after")
    )


def _bar_holds(page: Page, top: float) -> None:
    """Assert that no element has moved: the board is in its old place, and the button for the move is on the screen."""
    box = page.locator("svg.board").bounding_box()
    assert box is not None
    assert abs(box["y"] + page.evaluate("scrollY") - top) < 1
    expect(page.locator(".action-bar")).to_be_in_viewport(ratio=1)


def test_a_game_is_played_by_a_finger(chromium: Browser, site: str) -> None:
    context = chromium.new_context(
        base_url=site, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto("/")
    page.locator("header").get_by_role("link", name="Sign up").tap()
    page.get_by_label("Name").fill("Polanco")
    page.get_by_label("Password").fill("pedrecita-y-cielo-9")
    page.get_by_role("button", name="Sign up").tap()
    expect(page.locator(".account .menu")).to_be_attached()
    page.goto("/play/")
    bots = page.get_by_role("region", name="Play a bot")
    page.get_by_label("Morelli 7×7", exact=True).check()
    page.get_by_label("Rated").tap()
    bots.get_by_role("radio", name=_WEAKEST).tap()
    bots.get_by_role("button", name="Play level 1").tap()
    await_board(page)

    has_dragged = False
    while await_turn(page):
        before = ply(page)
        if before >= _ENOUGH and not is_whole():
            page.locator("summary", has_text="Resign").tap()
            page.get_by_role("button", name="Yes, resign").tap()
            expect(page.locator(".status")).to_contain_text("You lost by resignation")
            break
        choice = max(choices(page), key=inwards)
        box = page.locator("svg.board").bounding_box()
        assert box is not None
        top = box["y"] + page.evaluate("scrollY")
        if has_dragged:
            for name in choice["path"]:
                cell(page, name).tap()
                _bar_holds(page, top)
        else:
            page.locator("svg.board").scroll_into_view_if_needed()
            drag_by_finger(page, *choice["path"])
            has_dragged = True
        play = page.get_by_role("button", name=f"Play {choice['move']}", exact=True)
        expect(play).to_be_visible()
        _bar_holds(page, top)
        # A finished move waits for its button.
        assert ply(page) == before
        play.tap()
        _moved(page, before)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert is_over(page)
    assert has_dragged
    expect(page.locator(".side")).to_contain_text(
        re.compile(r"Your rating: provisional: about \d{3,4}, after")
    )
    assert complaints == []
    context.close()
