"""A move on its way: drawn immediately, sent until it is answered, put back with the reason when it is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

from tests.browser.visitors import cell, challenge, choices, click_move, ply, sign_up
from tests.browser.wires import Wire, wire_to

_RULESET = "morelli(size=9)"
_WAY_S = 4.0


@pytest.fixture
def wire(site: str) -> Iterator[Wire]:
    """Yield a wire to the site for one visitor alone."""
    with wire_to(site) as wire:
        yield wire


@pytest.fixture
def guest(chromium: Browser, wire: Wire) -> Iterator[Page]:
    """Yield the page of a visitor at the end of the wire."""
    context = chromium.new_context(base_url=wire.address, viewport={"width": 1280, "height": 800})
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def _moves_sent(page: Page) -> list[Request]:
    """Return the requests with a move, as they are made."""
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if "/move/" in request.url else None)
    return sent


def _key(request: Request) -> str:
    match = re.search(r'name="client_key"\r\n\r\n(.+?)\r\n', request.post_data or "")
    assert match is not None
    return match[1]


def _click(page: Page, choice: dict) -> None:
    for name in choice["path"]:
        cell(page, name).click()


def _piece(page: Page, name: str) -> Locator:
    """Return the stone on a cell, of any colour. Outlines do not count."""
    return cell(page, name).locator("use[href$=black]:not(.coming), use[href$=white]:not(.coming)")


@pytest.mark.long
def test_a_slow_move_is_seen_at_once_and_no_second_one_is_sent(
    page: Page, guest: Page, wire: Wire
) -> None:
    sign_up(guest, "Ossip G.")
    sign_up(page, "Valentín R.")
    challenge(guest, page, name="Valentín R.", ruleset=_RULESET)
    sent = _moves_sent(guest)
    choice, other = choices(guest)[0], choices(guest)[-1]
    start, end = choice["path"]
    wire.slow_down(_WAY_S)
    _click(guest, choice)
    # Nothing has come back yet.
    assert ply(guest) == 0
    assert _piece(guest, start).count() == 0
    assert _piece(guest, end).count() == 1
    assert guest.locator("#game").get_attribute("data-sending") == ""
    assert guest.locator(".cell.can").count() == 0
    grey = guest.locator(".seat.bottom .clock").evaluate("one => getComputedStyle(one).color")
    assert grey == guest.locator(".seat .soft").first.evaluate("one => getComputedStyle(one).color")
    _click(guest, other)
    guest.locator("#move").fill(other["move"])
    guest.keyboard.press("Enter")
    expect(guest.locator(".game")).to_have_attribute("data-ply", "1")
    # On a busy machine it may have been repeated.
    assert len({_key(request) for request in sent}) == 1
    wire.slow_down(0)
    expect(guest.locator("#game:not([data-sending])")).to_have_count(1)
    expect(guest.locator("#refusal")).to_be_empty()
    expect(page.locator(".status")).to_contain_text("Your turn")


@pytest.mark.long
def test_a_move_made_without_a_connection_is_sent_once_there_is_one(
    page: Page, guest: Page, wire: Wire
) -> None:
    sign_up(guest, "Babs L.")
    sign_up(page, "Ronald")
    challenge(guest, page, name="Ronald", ruleset=_RULESET)
    sent = _moves_sent(guest)
    choice = choices(guest)[0]
    wire.cut()
    _click(guest, choice)
    expect(guest.locator("#refusal")).to_contain_text("will be sent automatically")
    assert _piece(guest, choice["path"][-1]).count() == 1
    wire.reconcile()
    expect(page.locator(".status")).to_contain_text("Your turn")
    expect(guest.locator(".game")).to_have_attribute("data-ply", "1")
    expect(guest.locator("#refusal")).to_be_empty()
    assert len(sent) > 1
    assert len({_key(request) for request in sent}) == 1


@pytest.mark.long
def test_a_move_survives_that_its_page_is_loaded_again(page: Page, guest: Page, wire: Wire) -> None:
    sign_up(guest, "Wong Li")
    sign_up(page, "Perico R.")
    challenge(guest, page, name="Perico R.", ruleset=_RULESET)
    choice = choices(guest)[0]
    lost = re.compile("/move/$")
    guest.route(lost, lambda route: route.abort())
    _click(guest, choice)
    expect(guest.locator("#refusal")).not_to_be_empty()
    guest.unroute(lost)
    guest.reload()
    expect(page.locator(".status")).to_contain_text("Your turn")
    expect(guest.locator(".plies [aria-current]")).to_contain_text(choice["move"])


def test_a_refused_move_is_put_back_and_the_reason_goes_with_the_next_position(
    page: Page, guest: Page
) -> None:
    sign_up(page, "Gekrepten M.")
    sign_up(guest, "Emmanuèle C.")
    challenge(page, guest, name="Emmanuèle C.", ruleset=_RULESET)
    choice = choices(page)[0]
    start, end = choice["path"]
    refusal = '{"code": "illegal-move", "sentence": "The rules do not allow this move."}'
    answer = {"status": 422, "content_type": "application/json", "body": refusal}
    moves = re.compile("/move/$")
    page.route(moves, lambda route: route.fulfill(**answer))
    _click(page, choice)
    expect(page.locator("#refusal")).to_contain_text("do not allow")
    expect(_piece(page, start)).to_have_count(1)
    expect(_piece(page, end)).to_have_count(0)
    expect(page.locator("#game[data-sending]")).to_have_count(0)
    page.unroute(moves)
    # The board is open again.
    click_move(page, choices(page)[1])
    expect(page.locator("#refusal")).to_be_empty()


@pytest.mark.long
def test_a_premove_is_played_once_it_is_legal_and_dropped_otherwise(
    page: Page, guest: Page
) -> None:
    sign_up(page, "Lucía M.")
    sign_up(guest, "Clara B.")
    challenge(page, guest, name="Clara B.", ruleset=_RULESET)
    first, advance = choices(page)[0], choices(page)[-1]
    click_move(page, first)
    _click(page, advance)
    expect(page.locator(".hint.premove.core")).to_have_count(2)
    expect(page.locator("[data-premove-words]")).to_contain_text(advance["move"])
    click_move(guest, choices(guest)[0])
    expect(page.locator(".plies [aria-current]")).to_contain_text(advance["move"])
    # Nothing can go from an empty cell.
    _click(page, {"path": [first["path"][0], advance["path"][0]]})
    expect(page.locator(".hint.premove.core")).to_have_count(2)
    click_move(guest, choices(guest)[0])
    expect(page.locator(".status")).to_contain_text("Your turn")
    expect(page.locator(".hint.premove")).to_have_count(0)
    assert ply(page) == 4
