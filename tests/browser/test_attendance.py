"""A player closes the page of a game: the opponent sees it, and claims, or the player comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RunningSite
from tests.browser.visitors import challenge, choices, click_move, sign_up

pytestmark = pytest.mark.long

# Three moves of a few minutes ago: a move is a sign of presence.
_MOVES = """
import django; django.setup()
from datetime import timedelta
from tests.tournaments import pages
from tournaments import database_time
from tournaments.models import Game
from tournaments.services.clocks import outages
outages.notice = lambda _: None
now = database_time.now
database_time.now = lambda: now() - timedelta(minutes=5)
game = Game.objects.get(pk={game})
for _ in range(3):
    pages.move(game)
"""
# An earlier departure, so that the claim is due in some seconds, and news that let the pages ask again.
_HURRY = """
import django; django.setup()
from datetime import timedelta
from django.db import transaction
from django.db.models import F
from tournaments import database_time
from tournaments.models import Attendance, Game, WebProcess
from tournaments.queries.games import attendance
from tournaments.services.notifications import news
WebProcess.objects.update(started_at=F("started_at") - timedelta(hours=1))
game = Game.objects.with_players().get(pk={game})
now = database_time.now()
early = attendance.table(game, now).claim_at - now - timedelta(seconds={due_s})
Attendance.objects.filter(game=game, side="second").update(left_at=F("left_at") - early)
with transaction.atomic():
    news.announce(news.of_game(game.pk), "clock")
"""


def _sit_down(page: Page, other: Page, name: str, running_site: RunningSite) -> str:
    """Begin a game of `page` against `name`, who is to move after three moves. Return its number."""
    challenge(page, other, name=name, ruleset="morelli(size=5)")
    game = page.url.rstrip("/").rsplit("/", 1)[1]
    running_site.run(_MOVES.format(game=game))
    expect(other.locator(".status")).to_contain_text("Your turn")
    for seen in (page, other):
        expect(seen.locator(".seat .attendance.here")).to_have_count(2)
    return game


def _let_leave(
    page: Page, other: Page, game: str, running_site: RunningSite, *, due_s: int
) -> None:
    """Close the other page, see the departure, and make it earlier: the claim is due in `due_s`."""
    board = page.locator("svg.board").bounding_box()
    other.goto("about:blank")
    expect(page.locator(".seat.top .left")).to_have_text("has left")
    assert page.locator("svg.board").bounding_box() == board
    running_site.run(_HURRY.format(game=game, due_s=due_s))


def _hear(page: Page) -> list[str]:
    """Return all announcements of players and claims to screen readers."""
    words: list[str] = page.evaluate("() => window.heard")
    return words


def _listen(page: Page) -> None:
    page.evaluate(
        """() => {
            const region = document.getElementById("attendance-status");
            window.heard = [];
            new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
        }"""
    )


def test_the_opponent_of_a_player_who_left_claims_the_win_by_keyboard(
    page: Page, other: Page, running_site: RunningSite
) -> None:
    sign_up(page, "Gekrepten V.")
    sign_up(other, "Perico")
    game = _sit_down(page, other, "Perico", running_site)
    _listen(page)
    _let_leave(page, other, game, running_site, due_s=4)
    board = page.locator("svg.board").bounding_box()
    # The claim comes at its time, without news and without a reload.
    win = page.get_by_role("button", name="Claim win")
    expect(win).to_be_visible()
    assert page.locator("svg.board").bounding_box() == board
    assert _hear(page) == ["Perico has left.", "You can claim the game."]
    win.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".side .status")).to_have_text("You won by absence.")
    expect(page.locator(".side")).to_contain_text(
        "Perico left the game, and the opponent claimed the win."
    )
    expect(page.locator(".attendance")).to_have_count(0)


def test_a_player_who_comes_back_keeps_the_game(
    page: Page, other: Page, running_site: RunningSite
) -> None:
    sign_up(page, "Pureza R.")
    sign_up(other, "Madame T.")
    game = _sit_down(page, other, "Madame T.", running_site)
    _listen(page)
    _let_leave(page, other, game, running_site, due_s=0)
    expect(page.get_by_role("button", name="Claim win")).to_be_visible()
    other.goto(page.url)
    expect(page.get_by_role("button", name="Claim win")).to_have_count(0)
    expect(page.locator(".seat .attendance.here")).to_have_count(2)
    assert _hear(page)[-1] == "Madame T. is back."
    answer = page.evaluate(
        """async () => {
            const body = new FormData(document.querySelector('form[action$="/resign/"]'));
            body.set("result", "win");
            const url = location.pathname + "claim/";
            const response = await fetch(url, { method: "POST", body, headers: { Accept: "application/json" } });
            return (await response.json()).code;
        }"""
    )
    assert answer == "opponent-here"
    click_move(other, choices(other)[0])
    expect(page.locator(".status")).to_contain_text("Your turn")
