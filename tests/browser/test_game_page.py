"""The page of a live game in usual windows: clocks, board and action are visible without scrolling."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from tests.browser.visitors import (
    cell,
    challenge,
    challenge_bot,
    choices,
    click_move,
    resign,
    sign_up,
)

_PHONES = ((360, 740), (390, 844))
_GAMES = ("morelli(size=9)", "morelli(size=13)", "morlox(size=11)", "perfect()")


@pytest.fixture
def finger(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield the page of a visitor with a phone."""
    context = chromium.new_context(
        base_url=site, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def _box(page: Page, selector: str) -> FloatRect:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box


def _bottom(box: FloatRect) -> float:
    return box["y"] + box["height"]


def _right(box: FloatRect) -> float:
    return box["x"] + box["width"]


@pytest.mark.long
def test_a_phone_shows_both_clocks_the_whole_board_and_the_action(page: Page, finger: Page) -> None:
    sign_up(finger, "Cuca Tell")
    sign_up(page, "Horacio O.")
    for key in _GAMES:
        challenge(finger, page, name="Horacio O.", ruleset=key)
        for width, height in _PHONES:
            finger.set_viewport_size({"width": width, "height": height})
            finger.evaluate("scrollTo(0, 0)")
            seats = [_box(finger, ".seat.top"), _box(finger, ".seat.bottom")]
            board, bar = _box(finger, "svg.board"), _box(finger, ".action-bar")
            places = [seats[0], board, seats[1], bar]
            # One below the other, without overlap, all in the window.
            for above, below in itertools.pairwise(places):
                assert _bottom(above) <= below["y"], (key, width)
            assert _bottom(bar) <= height, (key, width)
            assert board["width"] >= width - 1, (key, width)
            assert finger.evaluate("document.documentElement.scrollWidth") == width
        # The choice, and its button, need no more room.
        before = _box(finger, ".action-bar")
        for name in choices(finger)[0]["path"]:
            cell(finger, name).tap()
        button = finger.locator(".action-bar").get_by_role(
            "button", name=choices(finger)[0]["move"]
        )
        expect(button).to_be_in_viewport(ratio=1)
        assert _box(finger, ".action-bar") == before


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (1024, 768)])
def test_a_wide_window_has_the_board_beside_its_clocks_moves_and_actions(
    page: Page, finger: Page, width: int, height: int
) -> None:
    name = f"Remo {width}"
    sign_up(page, f"Cora {width}")
    sign_up(finger, name)
    page.set_viewport_size({"width": width, "height": height})
    challenge(page, finger, name=name, ruleset="morelli(size=9)")
    board, area = _box(page, "svg.board"), _box(page, ".board-area")
    top, bottom, side = (_box(page, each) for each in (".seat.top", ".seat.bottom", ".side"))
    assert abs(top["y"] - board["y"]) < 1
    assert abs(_bottom(bottom) - _bottom(area)) < 2
    assert _bottom(area) <= height
    # No other element of the page is left of or above it, and it takes all available room.
    assert board["height"] > 0.78 * height
    assert 0 < top["x"] - _right(board) < 20
    assert _bottom(top) < side["y"]
    assert _bottom(side) < bottom["y"]
    for place in (".plies", ".action-bar", ".typing", "[data-actions]"):
        box = _box(page, place)
        assert side["y"] <= box["y"], place
        assert _bottom(box) <= _bottom(side), place
    if width >= 1280:
        chat = _box(page, ".chat")
        assert _right(chat) <= board["x"]
        assert _bottom(chat) <= height


def test_without_a_chat_all_of_a_game_is_in_the_window_and_no_button_is_alone(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    sign_up(page, "Wong S.")
    challenge_bot(page, "Pola", "morelli(size=7)")
    assert page.locator(".chat").count() == 0
    more, board = _box(page, ".more"), _box(page, "svg.board")
    assert _right(more) <= board["x"]
    assert _bottom(more) <= 800
    boxes = [one.bounding_box() for one in page.locator(".actions .button:visible").all()]
    assert len(boxes) == 3
    assert len({(box["y"], box["height"]) for box in boxes if box}) == 1


@pytest.mark.parametrize("width", [1280, 390])
def test_figures_of_the_rules_fill_their_rows(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/games/morelli/")
    gaps = page.evaluate(
        """() => [...document.querySelectorAll(".rules .grid.boards")].map((grid) =>
          grid.getBoundingClientRect().right - grid.lastElementChild.getBoundingClientRect().right)"""
    )
    assert len(gaps) > 4
    assert max(gaps) < 2
    # A coordinate can be read, also if the words are beside the board.
    boards = page.evaluate(
        """() => [...document.querySelectorAll(".rules .grid.boards svg.board")].map((one) => one.clientWidth)"""
    )
    assert min(boards) > 300


def test_nothing_moves_when_a_piece_is_chosen(page: Page, finger: Page) -> None:
    sign_up(page, "Adgalle")
    sign_up(finger, "Longstreet")
    challenge(page, finger, name="Longstreet", ruleset="morelli(size=9)")
    buttons = page.locator(".side :is(button, a):visible")
    before = buttons.evaluate_all("all => all.map(one => [one.textContent, one.offsetTop])")
    cell(page, choices(page)[0]["path"][0]).click()
    expect(page.locator("[data-undo]")).to_be_enabled()
    after = buttons.evaluate_all("all => all.map(one => [one.textContent, one.offsetTop])")
    assert [one for one in after if "Deselect" not in one[0]] == before


# Records the animated elements, by class or by their drawing.
_KEEP_ANIMATIONS = """
    window.animated = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
        window.animated.push(this.getAttribute("class"));
        return animate.apply(this, how);
    };
"""


@pytest.mark.parametrize("motion", ["auto", "reduced"])
def test_a_move_of_the_opponent_slides_unless_motion_is_unwelcome(
    page: Page, finger: Page, site: str, motion: str
) -> None:
    page.context.add_cookies([{"name": "settings", "value": f"motion={motion}", "url": site}])
    page.add_init_script(_KEEP_ANIMATIONS)
    sign_up(finger, f"Etienne {motion}")
    sign_up(page, f"Pureza {motion}")
    challenge(finger, page, name=f"Pureza {motion}", ruleset="morelli(size=9)")
    choice = choices(finger)[0]
    for name in choice["path"]:
        cell(finger, name).tap()
    finger.get_by_role("button", name=f"Play {choice['move']}", exact=True).tap()
    expect(page.locator(".status")).to_contain_text("Your turn")
    animated = page.evaluate("window.animated")
    assert animated == ([] if motion == "reduced" else ["traveller"])
    # It has arrived.
    expect(page.locator(".traveller")).to_have_count(0)
    expect(cell(page, choice["path"][-1]).locator("[visibility=hidden]")).to_have_count(0)


def test_the_game_takes_the_whole_screen_and_gives_it_back(page: Page, finger: Page) -> None:
    sign_up(page, "Crevel R.")
    sign_up(finger, "Clotilde")
    challenge(page, finger, name="Clotilde", ruleset="morelli(size=9)")
    button = page.get_by_role("button", name="Full screen")
    button.click()
    expect(page.locator(".site-header")).to_be_hidden()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert _bottom(_box(page, ".board-area")) <= page.evaluate("innerHeight")
    button.click()
    expect(page.locator(".site-header")).to_be_visible()


@pytest.mark.long
def test_after_the_game_the_rematch_is_in_view_and_the_list_has_rows(page: Page) -> None:
    sign_up(page, "Over R.")
    page.set_viewport_size({"width": 1280, "height": 800})
    challenge_bot(page, "Pola", "morelli(size=7)")
    for _ in range(3):
        click_move(page, choices(page)[0])
    choices(page)
    resign(page)
    button = page.get_by_role("button", name="Rematch")
    expect(button).to_be_in_viewport(ratio=1)
    assert _bottom(_box(page, ".offers")) <= _box(page, ".seat.bottom")["y"]
    assert _box(page, ".plies")["height"] >= 3 * _box(page, ".plies .turn")["height"]
    assert _box(page, ".offers")["y"] < _box(page, ".record")["y"]


def test_the_replay_stays_where_it_is_while_an_earlier_position_is_shown(page: Page) -> None:
    sign_up(page, "Over S.")
    page.set_viewport_size({"width": 1280, "height": 800})
    challenge_bot(page, "Pola", "morelli(size=7)")
    for _ in range(2):
        click_move(page, choices(page)[0])
    choices(page)
    before = _box(page, ".replay-steps")
    page.locator("#step-back").click()
    expect(page.locator(".side")).to_contain_text("You are looking at")
    assert abs(_box(page, ".replay-steps")["y"] - before["y"]) < 40


def test_a_click_that_the_rules_forbid_is_answered_with_the_rule(page: Page) -> None:
    sign_up(page, "Over T.")
    challenge_bot(page, "Pola", "morelli(size=7)")
    start = choices(page)[0]["path"][0]
    cell(page, start).click()
    cell(page, "D4").click()
    expect(page.locator("[data-staged]")).to_contain_text("no piece lands on the Throne (4.2.4)")
    cell(page, start).click()
    expect(page.locator("[data-staged]")).to_contain_text("choose a target")


def test_the_current_tab_of_an_event_is_in_view_on_a_phone(finger: Page) -> None:
    for tab in ("crosstable", "log", "standings"):
        finger.goto(f"/events/club-de-la-serpiente-open/{tab}/")
        expect(finger.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)


def test_a_setting_is_stored_as_it_is_chosen(page: Page) -> None:
    page.goto("/settings/")
    board = page.locator(".settings svg.board").inner_html()
    page.get_by_label("colour-blind friendly", exact=True).check()
    expect(page.get_by_text("Stored.")).to_be_visible()
    assert page.locator(".settings svg.board").inner_html() != board
    page.get_by_label("dark").check()
    expect(page.locator("html")).to_have_attribute("data-appearance", "dark")
    page.reload()
    expect(page.get_by_label("dark")).to_be_checked()
    expect(page.get_by_label("colour-blind friendly", exact=True)).to_be_checked()


def test_a_resignation_asks_once_beside_its_button(page: Page) -> None:
    sign_up(page, "Asked A.")
    challenge_bot(page, "Pola", "morelli(size=7)")
    question = page.get_by_text("Resign this game?")
    expect(question).to_be_hidden()
    page.locator("summary", has_text="Resign").click()
    expect(question).to_be_visible()
    expect(page.locator(".game")).not_to_have_attribute("data-over", "")
    page.locator("summary", has_text="Resign").click()
    expect(question).to_be_hidden()
    resign(page)
    expect(page.locator(".status")).to_contain_text("You lost by resignation")
