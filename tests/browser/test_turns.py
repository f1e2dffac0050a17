"""Special moves of some positions: passes, series, captures that may be refused, tiles, pieces to place, votes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

import games
from tests.browser.visitors import (
    cell,
    challenge,
    challenge_to_a_vote,
    choices,
    click_move,
    line_to,
    ply,
    send_line,
    sign_up,
)

# A page's behaviour for hands and eyes does not depend on the database.


@pytest.fixture
def other(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield the page of a second visitor."""
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def _mover(first: Page, second: Page, position: games.Position) -> tuple[Page, Page]:
    """Return the page of the side to move, and the other one."""
    return (first, second) if position.side_to_move is games.Side.FIRST else (second, first)


@pytest.mark.long
def test_a_player_without_a_move_passes(page: Page, other: Page) -> None:
    sign_up(page, "Wong")
    sign_up(other, "Feuille")
    challenge(page, other, name="Feuille", ruleset="morlox(size=5)")
    start = games.load("morlox(size=5)").initial()
    moves, position = line_to(start, lambda each: list(each.legal_moves()) == ["pass"], seed=540)
    send_line(page, other, start, moves)
    mover, waiting = _mover(page, other, position)
    # No cell of the board can be chosen, and this is the only offer.
    expect(mover.locator(".cell.can")).to_have_count(0)
    buttons = mover.locator(".action-bar").get_by_role("button")
    expect(buttons).to_have_text(["Pass"])
    buttons.focus()
    mover.keyboard.press("Enter")
    expect(waiting.locator(".status")).to_contain_text("Your turn")
    expect(waiting.locator(".plies [aria-current]")).to_contain_text("pass")
    expect(mover.locator("#game-status")).to_contain_text("to move")
    assert ply(waiting) == len(moves) + 1
    # The button is gone. The keyboard continues from the board.
    expect(mover.locator(".cell:focus")).to_have_count(1)


@pytest.mark.long
def test_a_series_of_jumps_is_built_and_taken_back_step_by_step(page: Page, other: Page) -> None:
    sign_up(page, "Calac")
    sign_up(other, "Tell von Bern")
    challenge(page, other, name="Tell von Bern", ruleset="perfect()")
    start = games.load("perfect()").initial()
    longest = "i9-g7-e5xc3-a1"
    moves, position = line_to(start, lambda each: longest in each.legal_moves(), seed=149)
    send_line(page, other, start, moves)
    mover, waiting = _mover(page, other, position)
    cell(mover, "i9").click()
    cell(mover, "g7").click()
    # Here it may end. A continuation is pointed out as well.
    expect(mover.get_by_role("button", name="Play i9-g7", exact=True)).to_be_visible()
    expect(cell(mover, "e5").locator(".hint.target.core")).to_have_count(1)
    cell(mover, "e5").click()
    # Here it may not: a man on a neutral square has to be taken.
    expect(mover.get_by_role("button", name=re.compile("^Play i9"))).to_have_count(0)
    cell(mover, "c3").click()
    expect(mover.get_by_role("button", name="Play i9-g7-e5xc3", exact=True)).to_be_visible()
    expect(cell(mover, "d4").locator(".hint.will.core")).to_have_count(1)
    for left in (3, 2):
        mover.get_by_role("button", name="Deselect").click()
        expect(mover.locator("[aria-selected=true]")).to_have_count(left)
    expect(mover.locator(".hint.will")).to_have_count(0)
    assert ply(mover) == len(moves)
    for name in ("e5", "c3", "a1"):
        cell(mover, name).click()
    expect(waiting.locator(".plies [aria-current]")).to_contain_text(longest)
    after = position.play(longest)
    piece = {each.name: each.piece for each in after.cells()}
    assert piece["d4"] is None
    expect(cell(waiting, "d4")).not_to_have_attribute("aria-label", re.compile("man"))


@pytest.mark.long
def test_the_first_tiles_are_laid_by_clicks(page: Page, other: Page) -> None:
    sign_up(page, "Nicole")
    sign_up(other, "Marrast")
    challenge(page, other, name="Marrast", ruleset="perfect()")
    seats = [page, other]
    for count in range(4):
        mover, waiting = seats[count % 2], seats[(count + 1) % 2]
        expect(mover.locator(".status")).to_contain_text("Your turn")
        stock = mover.locator(".stock").text_content()
        choice = choices(mover)[count]
        assert choice["move"].startswith("+")
        # An empty game has no way through it.
        expect(mover.locator(".slider")).to_be_visible(visible=count > 0)
        click_move(mover, choice)
        expect(waiting.locator(".plies [aria-current]")).to_contain_text(choice["move"])
        # Both see the stock of tiles grow smaller.
        expect(waiting.locator(".stock")).not_to_have_text(stock or "")
        expect(mover.locator(".stock")).to_have_text(waiting.locator(".stock").text_content() or "")


@pytest.mark.long
def test_captures_and_the_centre_may_be_refused_in_the_original_edition(
    page: Page, other: Page
) -> None:
    key = "morelli(edition=original,size=7)"
    sign_up(page, "Hélène")
    sign_up(other, "Celia")
    challenge(page, other, name="Celia", ruleset=key)
    start = games.load(key).initial()
    moves, position = line_to(start, lambda each: "A6-E6 xD5F5*" in each.legal_moves(), seed=147)
    send_line(page, other, start, moves)
    mover, waiting = _mover(page, other, position)
    cell(mover, "A6").click()
    cell(mover, "E6").click()
    boxes = mover.get_by_role("checkbox")
    expect(boxes).to_have_count(3)
    play = mover.locator(".action-bar").get_by_role("button", name=re.compile("^Play"))
    expect(play).to_have_text("Play A6-E6 xD5F5*")
    # The stone that completes the frame is refused on the board. The Centre goes with it.
    cell(mover, "D5").click()
    expect(play).to_have_count(0)
    expect(mover.locator("[data-staged]")).to_contain_text("do not allow")
    mover.get_by_role("checkbox", name=re.compile("Centre")).uncheck()
    expect(play).to_have_text("Play A6-E6 xF5")
    before = cell(waiting, "F5").get_attribute("aria-label") or ""
    label = cell(waiting, "D5").get_attribute("aria-label") or ""
    play.click()
    expect(waiting.locator(".plies [aria-current]")).to_contain_text("A6-E6 xF5")
    expect(cell(waiting, "F5")).not_to_have_attribute("aria-label", before)
    expect(cell(waiting, "D5")).to_have_attribute("aria-label", label)


def test_pieces_are_placed_in_pairs_and_the_same_player_places_twice(
    page: Page, other: Page
) -> None:
    sign_up(page, "Feuille Morte")
    sign_up(other, "Austin")
    challenge(page, other, name="Austin", ruleset="morelli(size=7,setup=placement)")
    click_move(page, {"path": ["A1"], "move": "@A1"})
    # White's stones are opposite immediately, and the second player has two pairs to place.
    for seen in (page, other):
        expect(cell(seen, "A1")).to_have_attribute("aria-label", re.compile("black", re.IGNORECASE))
        expect(cell(seen, "G7")).to_have_attribute("aria-label", re.compile("white", re.IGNORECASE))
    for name in ("G1", "B1"):
        expect(other.locator(".status")).to_contain_text("Your turn")
        click_move(other, {"path": [name], "move": f"@{name}"})
    expect(page.locator(".status")).to_contain_text("Your turn")
    expect(cell(page, "F7")).to_have_attribute("aria-label", re.compile("white", re.IGNORECASE))
    # A cell that is taken is no choice any more.
    expect(page.locator('.cell.can[data-cell="F7"]')).to_have_count(0)
    assert all(choice["path"] != ["F7"] for choice in choices(page))


def test_two_sealed_votes_settle_the_set_up(page: Page, other: Page) -> None:
    key = "morelli(edition=original,size=7)"
    sign_up(page, "Juan Cuevas")
    sign_up(other, "Frau Marta")
    votes = ("facing", "free")
    challenge_to_a_vote(page, other, name="Frau Marta", ruleset=key, votes=votes)
    # Two different votes mean the third mode, and by then both may see them.
    adjacent = games.load(f"{key[:-1]},setup=ballot)").initial(votes="/".join(votes))
    colours = {each.name: each.piece for each in adjacent.cells() if each.piece}
    for seen in (page, other):
        for square in ("A7", "B7", "G1", "F1"):
            expect(cell(seen, square)).to_have_attribute(
                "aria-label", re.compile(colours[square] or "", re.IGNORECASE)
            )
