"""Actions of visitors, by hand."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence

from playwright.sync_api import BrowserContext, Locator, Page, expect

import games

PASSWORD = "pedrecita-y-cielo-9"
_TOKENS = {"rayuela_csrf", "__Host-csrf"}  # by http and by https
_ACCEPT = re.compile(r'action="(/play/challenge/\d+/accept/)"')
# The line of a game that is over, for its players and for others.
ENDED = re.compile(r"\bwon\b|You lost|Draw")
_GAME = re.compile(r"/game/\d+/")
# The column and the row a cell is drawn in.
_PLACE = """cell => {
    const row = cell.closest("[role=row]");
    const rows = [...document.querySelectorAll("svg.board [role=row]")];
    return [[...row.querySelectorAll("[data-cell]")].indexOf(cell), rows.indexOf(row)];
}"""


def sign_up(page: Page, name: str) -> None:
    """Make an account as the form sends it. The page shows its earlier content.

    To draw the form, and the page after it, takes Chromium half a second. `name_oneself` does it.
    """
    Hand(page.context).post("/sign-up/", name=name, password=PASSWORD)


def name_oneself(page: Page, name: str) -> None:
    """Fill in the form of a new account."""
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator(".account .menu")).to_be_visible()


def resign(page: Page) -> None:
    """Resign the game on the page, which asks once."""
    page.locator("summary", has_text="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()


class Hand:
    """A visitor's forms, sent without the pages that show them and those that they lead to."""

    def __init__(self, visitor: BrowserContext) -> None:
        self._visitor = visitor

    def post(self, path: str, **fields: str) -> str:
        """Return the target of a form, as a path. Fails if it is refused."""
        if not self._token():
            self._visitor.request.get("/sign-up/")
        form: dict[str, str | float | bool] = {"csrfmiddlewaretoken": self._token(), **fields}
        answer = self._visitor.request.post(path, form=form, max_redirects=0)
        assert answer.status == 302, f"{path}: {answer.status} {answer.text()[:300]}"
        return answer.headers["location"]

    def _token(self) -> str:
        """Return the token that a form must have, which is in a cookie.

        It changes after signing in.
        """
        cookies = self._visitor.cookies()
        return next((cookie["value"] for cookie in cookies if cookie["name"] in _TOKENS), "")


def await_board(page: Page) -> None:
    """Wait until the page shows the game that was asked for.

    A form leads there, and so does the news that the game has begun: whichever comes second ends the
    other's way, which is no fault, as `wait_for_url` would have it.
    """
    expect(page).to_have_url(_GAME, timeout=60_000)
    page.wait_for_load_state()


def challenge_bot(page: Page, bot: str, ruleset: str, *, begin: bool = True) -> None:
    """Start a game against a bot as the lobby sends it. The page then shows the game."""
    _leave(page)
    game = _challenge(page, opponent=bot, ruleset=ruleset, side="first" if begin else "second")
    assert _GAME.search(game), game
    page.goto(game)


def _challenge(page: Page, **fields: str) -> str:
    """Return the target of a challenge to a rated game of ten minutes with ten seconds a move."""
    return Hand(page.context).post("/play/challenge/", clock="600+10", is_rated="on", **fields)


def _leave(*pages: Page) -> None:
    """Stop pages of the site from opening a new game automatically, which would end the test's own way there."""
    for page in pages:
        page.goto("about:blank")


def choices(page: Page) -> list[dict]:
    """Return the legal moves the page is given once it is this visitor's turn, or an empty list after the game.

    It waits: a move that one page shows may still be on its way to the other.
    """
    await_turn(page)
    return shown_choices(page)


def shown_choices(page: Page) -> list[dict]:
    """Return the legal moves of the board that is shown, as the page was given them."""
    data = page.locator("script#choices")
    return json.loads(data.text_content() or "[]") if data.count() else []


def ply(page: Page) -> int:
    """Return the number of plies the page shows as played."""
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
    """Return whether the page says how the game ended."""
    text = page.locator(".status").text_content() or ""
    return ENDED.search(text) is not None


def cell(page: Page, name: str) -> Locator:
    """Return a cell of the board."""
    return page.locator(f'.cell[data-cell="{name}"]')


def await_turn(page: Page) -> bool:
    """Wait until this visitor may move or the game is over, and return whether it continues."""
    page.wait_for_function(
        "() => document.querySelector('[data-may-move]')"
        f" || /{ENDED.pattern}/.test(document.querySelector('.status').textContent)"
    )
    return not is_over(page)


def inwards(choice: dict) -> int:
    """Return the distance of a move of Morelli 7×7 towards the middle.

    Games of such moves alone are soon over.
    """
    start, end = (
        min(ord(name[0]) - ord("A"), ord("G") - ord(name[0]), int(name[1]) - 1, 7 - int(name[1]))
        for name in choice["path"]
    )
    return end - start


def drag_by_finger(page: Page, start: str, end: str) -> None:
    """Carry the piece on a cell to another one, with a finger."""
    hand = page.context.new_cdp_session(page)
    boxes = [cell(page, name).bounding_box() for name in (start, end)]
    points = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    for kind, (x, y) in (
        ("touchStart", points[0]),
        ("touchMove", (points[0][0], points[0][1] - 9)),
        ("touchMove", points[1]),
    ):
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    hand.detach()


def challenge(maker: Page, other: Page, *, name: str, ruleset: str) -> None:
    """Send a challenge from `maker` to the player of this name, and accept it as `other`.

    `maker` begins.
    """
    _leave(maker, other)
    lobby = _challenge(maker, opponent=name, ruleset=ruleset, side="first")
    maker.request.get(lobby)  # which says that it is sent, or the page of the game would
    game = accept_challenge(other)
    for page in (maker, other):
        page.goto(game)  # each at its own address of the site


def accept_challenge(page: Page) -> str:
    """Accept the first challenge that the lobby lists, without drawing a page, and return the address of the game."""
    accept = _ACCEPT.search(page.request.get("/play/").text())
    assert accept is not None, "nobody has challenged"
    game = Hand(page.context).post(accept.group(1))
    assert _GAME.search(game), game
    return game


def challenge_to_a_vote(
    maker: Page, other: Page, *, name: str, ruleset: str, votes: Sequence[str]
) -> None:
    """A challenge by the pages' own forms, in which each of both gives one of `votes` on the set-up."""
    maker.goto(f"/play/?opponent={name}&ruleset={ruleset}")
    form = maker.locator("form.lobby")
    form.get_by_label("First move").select_option("first")
    form.locator("summary", has_text="Secret vote").click()
    form.get_by_role("combobox", name="Secret vote").select_option(votes[0])
    form.get_by_role("button", name="Challenge").click()
    other.goto("/play/")
    # The first vote is sealed: no choice is preset, and no word tells the vote.
    vote = other.get_by_label("Your secret vote")
    expect(vote).to_have_value("")
    row = other.locator(".challenge-row").filter(has=vote)
    expect(row.locator(".who")).not_to_contain_text(votes[0])
    vote.select_option(votes[1])
    other.get_by_role("button", name="Accept").click()
    for page in (maker, other):
        await_board(page)


def line_to(
    position: games.Position, condition: Callable[[games.Position], bool], *, seed: int
) -> tuple[list[str], games.Position]:
    """Moves at random that lead to such a position, and that position. The seed is of a game that comes there."""
    rng = random.Random(seed)
    moves = []
    while not condition(position):
        assert position.outcome() is None, f"the game of the seed {seed} is over"
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves, position


def send_line(first: Page, second: Page, start: games.Position, moves: Sequence[str]) -> None:
    """Play moves as the scripts of two players' pages send them, and draw only the result of all."""
    address = first.url
    seats = {games.Side.FIRST: first, games.Side.SECOND: second}
    tokens = {
        side: page.locator("[name=csrfmiddlewaretoken]").first.input_value()
        for side, page in seats.items()
    }
    for page in seats.values():
        page.goto("about:blank")
    position = start
    for ply, move in enumerate(moves):
        side = position.side_to_move
        sent: dict[str, str | float | bool] = {
            "move": move,
            "ply": ply,
            "attempt": 1,
            "csrfmiddlewaretoken": tokens[side],
        }
        answer = seats[side].request.post(
            f"{address}move/", form=sent, headers={"Accept": "application/json"}
        )
        assert answer.status == 204, f"{ply} {move}: {answer.status} {answer.text()}"
        position = position.play(move)
    for page in seats.values():
        page.goto(address)


def walk(page: Page, start: str, end: str) -> None:
    """Go from one cell to another by arrows, however the board is turned."""
    (x, y), (to_x, to_y) = (cell(page, name).evaluate(_PLACE) for name in (start, end))
    keys = ["ArrowRight" if to_x > x else "ArrowLeft"] * abs(to_x - x)
    keys += ["ArrowDown" if to_y > y else "ArrowUp"] * abs(to_y - y)
    for key in keys:
        page.keyboard.press(key)
    expect(cell(page, end)).to_be_focused()
