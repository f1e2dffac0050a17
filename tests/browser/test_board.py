"""The board under the hand: dragged, walked by keyboard, enlarged, asked.

The effect of a move is seen before it is sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, FloatRect, Page, Route, expect

from tests.browser.visitors import (
    cell,
    challenge_bot,
    choices,
    drag_by_finger,
    ply,
    sign_up,
    walk,
)

# A page's behaviour for hands and eyes does not depend on the database.

# The stones need not exist: the page takes the server's word for the effect of a move.
CAPTURES: list[dict] = [
    {"move": "A1-B2", "path": ["A1", "B2"]},
    {"move": "A1-B2 xC3", "path": ["A1", "B2"], "takes": [[], ["C3"]], "effect": "captures C3"},
    {
        "move": "A1-B2 xC3*",
        "path": ["A1", "B2"],
        "takes": [[], ["C3", "D4"]],
        "effect": "crown",
        "touch": {"cell": "D4", "words": "take the Throne"},
    },
]
SERIES: list[dict] = [
    {"move": "A1xC3", "path": ["A1", "C3"], "takes": [[], ["B2"]]},
    {"move": "A1xC3-E5", "path": ["A1", "C3", "E5"], "takes": [[], ["B2"], []]},
    {"move": "A1xC3xE1", "path": ["A1", "C3", "E1"], "takes": [[], ["B2"], ["D2"]]},
]


@pytest.fixture
def with_choices(page: Page) -> Iterator[Callable[[list[dict]], None]]:
    """Make the page of the game show these as the legal moves. Moves are not sent to the server."""

    def put(choices: list[dict]) -> None:
        def answer(route: Route) -> None:
            response = route.fetch()
            text = re.sub(
                r'(<script id="choices"[^>]*>).*?(</script>)',
                lambda match: match[1] + json.dumps(choices) + match[2],
                response.text(),
            )
            route.fulfill(response=response, body=text)

        page.route(re.compile(r"/game/\d+/(live/)?$"), answer)
        page.route("**/game/*/move/", lambda route: route.fulfill(status=204))
        page.reload()

    yield put
    page.unroute_all(behavior="ignoreErrors")


def _is_inside(box: FloatRect, view: FloatRect) -> bool:
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    return (
        view["x"] <= box["x"]
        and right <= view["x"] + view["width"]
        and view["y"] <= box["y"]
        and bottom <= view["y"] + view["height"]
    )


def sent_by(page: Page, act: Callable[[], None]) -> str:
    """Return the move that the page sends when this is done."""
    with page.expect_request("**/game/*/move/") as request:
        act()
    match = re.search(r'name="move"\r\n\r\n(.*?)\r\n', request.value.post_data or "")
    assert match is not None
    return match[1]


def test_a_game_is_played_by_keyboard_and_questions_alone(page: Page) -> None:
    sign_up(page, "Manú")
    challenge_bot(page, "Pola", "morelli(size=7)")
    choice = choices(page)[0]
    page.locator("#move").fill(f"moves {choice['path'][0]}")
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_contain_text(choice["path"][1])
    expect(page.locator("#move")).to_have_value("")
    # One cell is in the order of tabs, and arrows lead from there to every other.
    assert page.locator('.cell[tabindex="0"]').count() == 1
    page.locator('.cell[tabindex="0"]').focus()
    for key in ("Control+Home", "End", "PageDown", "Home"):
        page.keyboard.press(key)
    expect(cell(page, "A1")).to_be_focused()
    walk(page, "A1", choice["path"][0])
    page.keyboard.press("Enter")
    # A cell that can be chosen is a link in a cell of the grid.
    expect(
        page.locator("[role=gridcell][aria-selected=true]").locator(cell(page, choice["path"][0]))
    ).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("[aria-selected]")).to_have_count(0)
    page.keyboard.press("Space")
    walk(page, choice["path"][0], choice["path"][1])
    expect(page.locator("[data-staged]")).to_contain_text(choice["move"])
    page.keyboard.press("Enter")
    page.wait_for_function("() => +document.querySelector('.game').dataset.ply >= 2")
    expect(page.locator("#game-status")).to_contain_text(re.compile("Pola moves from"))
    # The keyboard is in its old place, on the fresh board.
    expect(cell(page, choice["path"][1])).to_be_focused()


def test_a_piece_is_dragged_and_a_target_shows_what_it_turns(
    page: Page, with_choices: Callable[[list[dict]], None]
) -> None:
    sign_up(page, "Cuca")
    challenge_bot(page, "Pola", "morelli(size=7)")
    with_choices(CAPTURES[2:])
    cell(page, "A1").click()
    expect(page.locator(".hint.target.core")).to_have_count(1)
    cell(page, "B2").hover()
    expect(page.locator(".hint.will.core")).to_have_count(2)
    expect(page.locator("[data-staged]")).to_contain_text("crown")
    cell(page, "G7").hover()
    expect(page.locator(".hint.will")).to_have_count(0)
    page.keyboard.press("Escape")
    cell(page, "A1").hover()

    def drag() -> None:
        page.mouse.down()
        cell(page, "A2").hover()
        expect(page.locator(".ghost")).to_have_count(1)
        cell(page, "B2").hover()
        page.mouse.up()

    assert sent_by(page, drag) == "A1-B2 xC3*"
    expect(page.locator(".ghost")).to_have_count(0)


def test_captures_are_chosen_after_the_target(
    page: Page, with_choices: Callable[[list[dict]], None]
) -> None:
    sign_up(page, "Paredes")
    challenge_bot(page, "Pola", "morelli(size=7)")
    with_choices(CAPTURES)
    cell(page, "A1").click()
    cell(page, "B2").click()
    # All of them, until the player wishes otherwise, by the box or on the board.
    expect(page.get_by_role("checkbox")).to_have_count(2)
    expect(page.locator(".hint.will.core")).to_have_count(2)
    page.get_by_role("checkbox", name=re.compile("Throne")).uncheck()
    expect(page.get_by_role("button", name="Play A1-B2 xC3", exact=True)).to_be_visible()
    cell(page, "C3").click()
    expect(page.locator(".hint.will")).to_have_count(0)
    page.get_by_role("checkbox", name=re.compile("Throne")).check()
    expect(page.locator("[data-staged]")).to_contain_text("do not allow")
    page.get_by_role("checkbox", name=re.compile("Throne")).uncheck()
    button = page.get_by_role("button", name="Play A1-B2", exact=True)
    assert sent_by(page, button.click) == "A1-B2"


def test_a_series_is_built_link_by_link(
    page: Page, with_choices: Callable[[list[dict]], None]
) -> None:
    sign_up(page, "Juan")
    challenge_bot(page, "Pola", "morelli(size=7)")
    with_choices(SERIES)
    cell(page, "A1").click()
    cell(page, "C3").click()
    expect(page.get_by_role("button", name="Play A1xC3", exact=True)).to_be_visible()
    expect(page.locator(".hint.will.core")).to_have_count(1)
    expect(page.locator(".hint.target.core")).to_have_count(2)
    page.get_by_role("button", name="Deselect").click()
    expect(page.locator(".hint.will")).to_have_count(0)
    cell(page, "C3").click()
    assert sent_by(page, cell(page, "E1").click) == "A1xC3xE1"


def test_a_finger_taps_drags_and_scrolls(chromium: Browser, site: str) -> None:
    context = chromium.new_context(
        base_url=site, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    sign_up(page, "Tell")
    challenge_bot(page, "Pola", "morelli(size=7)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    choice = choices(page)[0]
    for name in choice["path"]:
        cell(page, name).tap()
    # On touch screens a finished move waits for its button, and the bar with it is always as high.
    height = page.locator(".action-bar").evaluate("bar => bar.offsetHeight")
    assert ply(page) == 0
    # Its effect is on the board: the piece is faint in its old place, and in its new one.
    start, end = choice["path"]
    expect(cell(page, start).locator(".going")).to_have_count(1)
    expect(cell(page, end).locator(".coming")).to_have_count(1)
    page.get_by_role("button", name="Deselect").tap()
    expect(page.locator("svg.board :is(.going, .coming)")).to_have_count(0)
    assert page.locator(".action-bar").evaluate("bar => bar.offsetHeight") == height
    page.get_by_role("button", name="Deselect").tap()
    expect(page.locator("[aria-selected]")).to_have_count(0)

    before = page.evaluate("scrollY")
    drag_by_finger(page, *choice["path"])
    assert page.evaluate("scrollY") == before
    page.get_by_role("button", name=f"Play {choice['move']}", exact=True).tap()
    page.wait_for_function("() => +document.querySelector('.game').dataset.ply >= 1")
    context.close()


def test_the_board_is_turned_recoloured_and_enlarged_without_leaving_it(page: Page) -> None:
    sign_up(page, "Roland")
    challenge_bot(page, "Pola", "morelli(size=13)")
    first = page.locator(".cell").first
    expect(first).to_have_attribute("data-cell", "A13")
    page.get_by_role("link", name="Flip", exact=True).click()
    expect(first).to_have_attribute("data-cell", "M1")
    page.get_by_role("button", name="Colour-blind friendly").click()
    expect(page.locator(".band-number")).to_have_count(6)
    expect(page.get_by_role("button", name="Colour-blind friendly")).to_have_attribute(
        "aria-pressed", "true"
    )
    width = page.locator("svg.board").evaluate("svg => svg.getBoundingClientRect().width")
    page.get_by_role("button", name="Larger").click()
    grown = page.locator("svg.board").evaluate("svg => svg.getBoundingClientRect().width")
    assert grown > 1.4 * width
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # The choice is in the middle, and the names of files and ranks are in view.
    page.keyboard.press("Escape")
    start = choices(page)[0]["path"][0]
    page.get_by_role("button", name="Smaller").click()
    cell(page, start).click()
    for _ in range(2):
        page.get_by_role("button", name="Larger").click()
    expect(cell(page, start)).to_be_in_viewport(ratio=1)
    view = page.locator(".board-scroll").bounding_box()
    for name in (start[0], start[1:]):
        boxes = [
            text.bounding_box()
            for text in page.locator(".coordinates text").get_by_text(name, exact=True).all()
        ]
        assert any(box and view and _is_inside(box, view) for box in boxes), name
    page.keyboard.press("Escape")
    page.locator('.cell[tabindex="0"]').focus()
    page.keyboard.press("0")
    expect(page.locator(".zoomed")).to_have_count(0)
    page.get_by_role("link", name="Frames").click()
    expect(page.locator(".pointed")).to_contain_text("There is no content to show.")
    # While frames are shown, the frame of the cell under the pointer is drawn.
    cell(page, "F12").hover()
    expect(page.locator("polygon.pointing.core")).to_have_count(1)
    cell(page, "G7").hover()
    expect(page.locator(".pointing")).to_have_count(0)
