"""A finished game is walked through, analysed, shared and framed.

A figure of the rules is continued.
"""

from __future__ import annotations

import contextlib
import http.server
import re
import struct
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

import games
from tests.browser.visitors import (
    challenge_bot,
    choices,
    click_move,
    ply,
    resign,
    shown_choices,
    sign_up,
)

# A page's behaviour for hands and eyes does not depend on the database.


def resigned(page: Page, name: str) -> str:
    """Return the address of a game against Pola that its newcomer has resigned after two moves."""
    sign_up(page, name)
    challenge_bot(page, "Pola", "morelli(size=7)")
    for _ in range(2):
        page.wait_for_function("() => document.querySelector('[data-may-move]')")
        click_move(page, choices(page)[0])
    page.wait_for_function("() => document.querySelector('[data-may-move]')")
    resign(page)
    expect(page.locator(".status")).to_contain_text("You lost by resignation")
    return page.url


def expect_shown(page: Page, number: int) -> None:
    expect(page.locator(".plies [aria-current]")).to_have_attribute("data-step", str(number))


@pytest.mark.long
def test_a_game_is_walked_through_by_keys_buttons_and_slider(page: Page) -> None:
    address = resigned(page, "Crevel")
    last = ply(page)
    page.locator("body").press("Home")
    expect_shown(page, 0)
    expect(page).to_have_url(f"{address}?ply=0")
    page.keyboard.press("j")
    expect_shown(page, 1)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{address}?ply=2")
    page.keyboard.press("k")
    expect(page).to_have_url(f"{address}?ply=1")
    expect_shown(page, 1)
    expect(page.locator(".slider input")).to_have_value("1")
    page.locator(".slider input").fill("2")
    expect(page).to_have_url(f"{address}?ply=2")
    expect_shown(page, 2)
    expect(page.locator(".side")).to_contain_text("after 1... ")
    page.get_by_role("link", name="Previous move").click()
    expect(page).to_have_url(f"{address}?ply=1")
    page.get_by_role("link", name="To the end").click()
    expect(page).to_have_url(address)
    expect_shown(page, last)
    # Twice before anything is drawn.
    page.get_by_role("link", name="Previous move").evaluate(
        "link => { link.click(); link.click() }"
    )
    expect_shown(page, last - 2)
    page.get_by_role("link", name="Next move").evaluate("link => { link.click(); link.click() }")
    expect_shown(page, last)


def test_the_link_of_a_shared_game_has_a_picture_of_its_board(page: Page) -> None:
    resigned(page, "Compartida")
    page.get_by_text("Share and export").click()
    page.goto(page.get_by_label("Link to this position").input_value())
    address = page.locator('meta[property="og:image"]').get_attribute("content") or ""
    # A worker draws it. Each request waits for the worker for some seconds.
    answers = (page.request.get(urlsplit(address).path) for _ in range(20))
    answer = next(answer for answer in answers if answer.status == 200)
    picture = answer.body()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert page.locator('meta[property="og:image:alt"]').get_attribute("content")


def test_the_move_list_is_scrolled_to_the_move_shown_and_the_page_is_not(page: Page) -> None:
    resigned(page, "Ovejero")
    # Low enough for any game to be longer than its list.
    page.evaluate(
        """() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(".record .plies { max-height: 3.4rem }");
          document.adoptedStyleSheets = [sheet];
        }"""
    )
    page.locator("body").press("Home")
    expect_shown(page, 0)
    top = page.evaluate("scrollY")
    for key in ("End", "Home", "ArrowRight", "ArrowRight"):
        page.locator("body").press(key)
        page.wait_for_function(
            """() => {
              const list = document.querySelector(".plies").getBoundingClientRect();
              const shown = document.querySelector(".plies [aria-current]").getBoundingClientRect();
              return shown.top >= list.top - 1 && shown.bottom <= list.bottom + 1;
            }"""
        )
    assert page.evaluate("scrollY") == top


@pytest.mark.long
def test_a_game_plays_itself_until_it_is_stopped(page: Page) -> None:
    address = resigned(page, "Pepe Bezuj")
    page.locator("body").press("Home")
    page.get_by_role("button", name="Play the game").click()
    page.wait_for_url(f"{address}?ply=2")
    page.get_by_role("button", name="Play the game").click()
    expect(page.get_by_role("button", name="Play the game")).to_have_attribute(
        "aria-pressed", "false"
    )


@pytest.mark.long
def test_what_might_have_been_becomes_a_line_that_a_short_link_passes_on(
    page: Page, chromium: Browser, site: str
) -> None:
    resigned(page, "Osip")
    page.get_by_role("link", name="Analyse").click()
    page.wait_for_url("**/analysis/?game=*")
    page.get_by_role("button", name="To the start").click()
    page.wait_for_url("**&at=0")
    known = page.locator(".tree .node").count()
    move = shown_choices(page)[-1]
    for cell in move["path"]:
        page.locator(f'.cell[data-cell="{cell}"]').click()
    expect(page.locator(".tree .node")).to_have_count(known + 1)
    expect(page.locator(".tree .line [aria-current]")).to_contain_text(move["move"])
    page.locator("#name").fill("what might have been")
    page.get_by_role("button", name="Save label").click()
    expect(page.locator(".line-name")).to_have_text("what might have been")
    page.locator("#move").fill("A1-A2")
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_contain_text(re.compile(r"4\.\d"))
    page.locator(".tree [aria-current]").press("k")
    expect(page.locator(".status")).not_to_contain_text("after move")
    page.get_by_role("button", name="Next move").click()
    page.get_by_role("button", name="Share this by a short link").click()
    page.wait_for_url("**/a/*/")

    guest = chromium.new_context(base_url=site).new_page()
    guest.goto(page.url)
    expect(guest.locator(".line-name")).to_have_text("what might have been")
    guest.context.close()


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "plain"])
def test_a_position_is_analysed_with_and_without_a_script(
    page: Page, chromium: Browser, site: str, has_script: bool
) -> None:
    context = chromium.new_context(base_url=site, java_script_enabled=has_script)
    visitor = context.new_page()
    visitor.goto("/analysis/")
    visitor.get_by_role("link", name="Morlox 5×5").click()
    visitor.wait_for_url("**/analysis/?*")  # with its script, which a click would be too early for
    visitor.locator('[data-cell="c3"]').click()
    if not has_script:
        visitor.get_by_role("button", name="Play c3").click()
    expect(visitor.locator(".tree [aria-current]")).to_contain_text("c3")
    visitor.get_by_role("button", name="Swap colours").click()
    expect(visitor.locator(".tree [aria-current]")).to_contain_text("swap")
    visitor.get_by_role("button", name="Previous move").click()
    expect(visitor.locator(".tree [aria-current]")).to_contain_text("c3")
    context.close()


def test_an_analysis_opens_with_its_move_in_view(page: Page) -> None:
    position = games.load("morlox(size=11)").initial(seed=1)
    moves: list[str] = []
    while len(moves) < 100 and position.outcome() is None:
        moves.append(next(iter(position.legal_moves())))
        position = position.play(moves[-1])
    page.goto(f"/analysis/?rules=morlox(size=11)&tree={';'.join(moves)}&at={len(moves)}")
    expect(page.locator(".tree [aria-current]")).to_be_in_viewport()
    scrolled_px = page.locator(".tree").evaluate("tree => tree.scrollTop")
    assert scrolled_px > 0, "the move is far from the first line"


def test_a_figure_is_moved_on_and_says_which_rule_forbids_it(page: Page) -> None:
    page.goto("/games/morelli/")
    figure = page.locator("[data-figure$='/capture/']")
    figure.get_by_role("link", name=re.compile("Try a move")).click()
    figure.locator('[data-cell="A7"]').click()
    # Selected: the server points out the reachable cells.
    expect(figure.locator('[data-cell="A8"]')).to_have_attribute("href", re.compile("try=A7-A8"))
    figure.locator('[data-cell="A8"]').click()
    cited = figure.locator("[role=alert] a")
    expect(cited).to_have_attribute("href", "/games/morelli/#morelli-2015-4.2.1")
    figure.get_by_role("link", name="Show A7-D7 xE7").click()
    expect(figure.locator("[role=status]")).to_contain_text("A7-D7 xE7")
    figure.get_by_role("link", name="Undo").click()
    expect(figure.locator("[role=status]")).not_to_contain_text("A7-D7")


@contextlib.contextmanager
def another_site(body: str) -> Iterator[str]:
    """Yield the address of a page of another origin.

    A real one: browsers let no made-up site frame this machine.
    """

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_address[1]}/"
        server.shutdown()


@pytest.mark.long
def test_another_site_frames_the_game_and_nothing_else(
    page: Page, chromium: Browser, site: str
) -> None:
    """The steps of the replay work in a foreign frame. Our own pages refuse to be held by one."""
    address = resigned(page, "Heftpistole")
    number = address.rstrip("/").rpartition("/")[2]
    snippet = page.locator("#embed").input_value()
    iframe = re.sub('src="[^"]*"', f'id="a" src="{site}/embed/game/{number}/"', snippet)
    frames = f'{iframe}<iframe id="b" src="{site}/game/{number}/"></iframe>'
    with another_site(frames) as foreign:
        # A separate visitor, whose browser may complain: it is refused the second frame.
        visitor = chromium.new_context().new_page()
        visitor.goto(foreign)
        frame = visitor.frame_locator("#a")
        expect(frame.locator("svg.board")).to_be_visible()
        # The frame is as high as its content.
        beyond = "root => root.scrollHeight - root.clientHeight"
        assert frame.locator("html").evaluate(beyond) == 0
        assert frame.locator("svg.board").evaluate("one => one.clientHeight") > 300
        frame.get_by_role("link", name="To the start").click()
        expect(frame.locator(".side")).to_contain_text("the start of the game")
        assert visitor.frame_locator("#b").locator("svg.board").count() == 0
        visitor.context.close()


def _game_with_evaluations(page: Page) -> int:
    """Return a finished game of the demo's bots in which both gave evaluations, six times at least."""
    for game in page.request.get("/api/v1/games?limit=100").json()["items"]:
        moves = page.request.get(f"/api/v1/games/{game['id']}/moves?limit=100").json()["items"]
        scored = [each for each in moves if each["evaluation"] and each["evaluation"]["score_cp"]]
        if len(scored) >= 6 and {each["side"] for each in scored} == {"first", "second"}:
            return int(game["id"])
    raise AssertionError("no game of the demo has evaluations")


def test_the_graph_of_evaluations_leads_through_the_game(page: Page) -> None:
    page.goto(f"/game/{_game_with_evaluations(page)}/")
    graph = page.locator("#evaluations figure")
    strip = graph.locator("a[data-step]").nth(3)
    number = int(strip.get_attribute("data-step") or 0)
    strip.click()
    expect_shown(page, number)
    cursor = graph.locator(".cursor")
    here = cursor.get_attribute("d") or ""
    page.locator("body").press("j")
    expect_shown(page, number + 1)
    expect(cursor).not_to_have_attribute("d", here)
    # The table has equal content for readers who see no graph, and stays open meanwhile.
    table = page.locator("#evaluations details")
    table.locator("summary").press("Enter")
    row = table.locator("tr").filter(has=page.locator(f'a[data-step="{number}"]'))
    row.locator("a").press("Enter")
    expect_shown(page, number)
    expect(cursor).to_have_attribute("d", here)
    expect(page.locator(".opinions")).to_contain_text(row.locator("td").nth(1).inner_text())
    expect(table).to_have_attribute("open", "")


def test_an_opened_review_takes_the_places_of_the_chat_and_of_the_bots_scale(page: Page) -> None:
    page.goto(f"/game/{_game_with_evaluations(page)}/")
    chat, review = page.locator("#chat"), page.locator("#review")
    expect(page.locator(".opinions")).to_be_visible()
    place = chat.bounding_box()
    review.get_by_role("button", name="Go through the game").click()
    expect(page.locator(".opinions")).to_be_hidden()
    box = review.bounding_box()
    assert place is not None
    assert box is not None
    assert (box["x"], box["y"]) == (place["x"], place["y"])
    expect(chat).to_be_visible()


def test_the_graph_of_evaluations_fits_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/game/{_game_with_evaluations(page)}/")
    page.locator("#evaluations summary").click()
    expect(page.locator("#evaluations table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
