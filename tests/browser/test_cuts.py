"""Two people play a whole game from two browsers. One of them loses the connection on the way."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.visitors import (
    ENDED,
    await_board,
    await_turn,
    choices,
    click_move,
    inwards,
    name_oneself,
    ply,
    resign,
    sign_up,
)
from tests.browser.wires import Wire, wire_to
from tests.extent import is_whole


def _plays(page: Page) -> None:
    """Make the most inward move of the side to move."""
    expect(page.locator(".status")).to_contain_text("Your turn")
    click_move(page, max(choices(page), key=inwards))


def _has_seen(page: Page, count: int) -> None:
    expect(page.locator(".game")).to_have_attribute("data-ply", str(count))
    # The start, and every ply once.
    expect(page.locator(".plies a")).to_have_count(count + 1)


def _says(page: Page, line: str) -> None:
    page.get_by_label("Message").fill(line)
    page.get_by_role("button", name="Send", exact=True).click()


@pytest.fixture
def wire(site: str) -> Iterator[Wire]:
    """Yield a wire to the site for one visitor alone."""
    with wire_to(site) as wire:
        yield wire


@pytest.mark.engines
@pytest.mark.long
def test_two_browsers_play_a_game_and_one_is_cut_off(
    page: Page, chromium: Browser, wire: Wire
) -> None:
    sign_up(page, "Fernando")
    page.goto("/play/")
    page.get_by_label("Morelli 7×7", exact=True).check()
    page.get_by_label("First move").select_option("first")
    page.get_by_role("button", name="Make a link").click()
    link = urlsplit(page.locator("#address").input_value()).path
    assert link.startswith("/play/with/")

    context = chromium.new_context(base_url=wire.address, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    guest = context.new_page()
    guest.goto(link)
    guest.locator("main").get_by_role("link", name="Sign up").click()
    name_oneself(guest, "Traveler Viejo")
    guest.get_by_role("button", name="Join and start").click()
    for seen in (page, guest):
        await_board(seen)
    _plays(page)
    _plays(guest)
    _says(page, "¿Encontraría a la Maga?")
    expect(guest.get_by_role("log")).to_contain_text("¿Encontraría a la Maga?")

    # Cut off while the other one moves and speaks.
    connection = guest.locator(".connection")
    expect(connection).to_be_hidden()
    wire.cut()
    expect(connection).to_be_in_viewport()
    bar, clock = connection.bounding_box(), guest.locator(".seat.top").bounding_box()
    assert bar is not None
    assert clock is not None
    assert bar["y"] + bar["height"] <= clock["y"]
    _plays(page)
    _says(page, "Allô?")
    assert ply(guest) == 2
    wire.reconcile()
    expect(connection).to_be_hidden()
    _has_seen(guest, 3)
    expect(guest.get_by_role("log").get_by_text("Allô?")).to_have_count(1)

    # The server has the move, and its answer is lost: said again, it is the same move.
    lost: list[Route] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route)
        route.fetch()
        route.abort()

    guest.route("**/game/*/move/", lose)
    _plays(guest)
    expect(page.locator(".status")).to_contain_text("Your turn")
    assert lost
    for seen in (page, guest):
        _has_seen(seen, 4)
        expect(seen.locator("#refusal")).to_be_empty()
    guest.unroute("**/game/*/move/")

    players = [page, guest]
    while await_turn(players[0]):
        if ply(players[0]) > 5 and not is_whole():
            resign(players[0])
        else:
            _plays(players[0])
        players.reverse()
    for seen in (page, guest):
        expect(seen.locator(".status")).to_contain_text(ENDED)
        assert ply(seen) == ply(page)
    assert guest.locator(".plies").inner_text() == page.locator(".plies").inner_text()
    context.close()
