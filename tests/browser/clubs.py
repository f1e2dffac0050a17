"""People of a club, each in a separate browser, and the boards at which they play."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.visitors import PASSWORD, Hand


@dataclass(frozen=True, slots=True)
class Board:
    """A game of a round as the page of pairings shows it."""

    number: int
    first: str
    second: str
    address: str


class Club:
    """The players, each in a separate browser. Their actions go through the forms of their pages."""

    def __init__(self, contexts: dict[str, BrowserContext]) -> None:
        self._contexts = contexts
        self._hands = {name: Hand(context) for name, context in contexts.items()}
        for name, hand in self._hands.items():
            hand.post("/sign-up/", name=name, password=PASSWORD)

    def post(self, who: str, path: str, **fields: str) -> None:
        """Send a form as that player."""
        self._hands[who].post(path, **fields)

    def look(self, who: str, path: str) -> str:
        """Return the page as that player sees it."""
        answer = self._contexts[who].request.get(path)
        assert answer.ok, f"{path}: {answer.status}"
        return answer.text()

    def play(self, board: Board) -> None:
        """Open the board for both, make the first move, and resign for the second."""
        self.look(board.second, board.address)
        choices = re.search(
            r'<script id="choices"[^>]*>(.*?)</script>',
            self.look(board.first, board.address),
            re.DOTALL,
        )
        assert choices is not None, f"{board.first} may not move"
        move = json.loads(choices.group(1))[0]["move"]
        self.post(board.first, f"{board.address}move/", move=move, ply="0", attempt="1")
        self.post(board.second, f"{board.address}resign/")

    @contextlib.contextmanager
    def page_of(self, name: str) -> Iterator[Page]:
        """Yield a page of that player's browser."""
        page = self._contexts[name].new_page()
        yield page
        page.close()


@contextlib.contextmanager
def members(chromium: Browser, site: str, names: Iterable[str]) -> Iterator[Club]:
    """Yield a club of new accounts with these names."""
    contexts = {name: chromium.new_context(base_url=site) for name in names}
    yield Club(contexts)
    for context in contexts.values():
        context.close()
