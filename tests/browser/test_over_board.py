"""An evening over the board: a club with one laptop, from the pasted list to the report for the federation."""

from __future__ import annotations

import contextlib
import io
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitors import sign_up
from tournaments import trf
from tournaments.commandline import pairing

NAMES = [
    f"{name} {letter}."
    for letter in "ABCD"
    for name in ("Alba", "Bruno", "Celia", "Dario", "Elsa", "Fito")
]
NIGHT = "noche-de-tablero"
EVENT = f"/events/{NIGHT}/"


def _organise(page: Page) -> None:
    sign_up(page, "Árbitra Nadia")
    page.goto("/events/new/")
    page.get_by_label("Name").fill(NIGHT)
    page.get_by_label("Over the board").check()
    expect(page.get_by_label("Clock", exact=True)).to_be_hidden()
    page.get_by_label("Time at the board").fill("25 minutes each")
    page.get_by_label("Rounds", exact=True).fill("4")
    page.get_by_role("button", name="Open the registration").click()


def _paste(page: Page, text: str) -> None:
    page.goto(f"{EVENT}entries/")
    page.get_by_label("Names, one a line").fill(text)
    page.get_by_role("button", name="Look at the list").click()


def _type_all(page: Page, keys: str) -> None:
    """Type a key for each board, and close the round."""
    page.goto(f"{EVENT}results/")
    boards = page.locator("#results > li")
    # The cursor waits at the first board without a result.
    expect(
        page.locator('#results > li[data-result=""]').first.locator("button").first
    ).to_be_focused()
    boards.first.locator("button").first.focus()
    assert boards.count() == len(keys)
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("#missing")).to_have_text("0")
    # A complete round is opened to repair a result: then it waits at the first board.
    page.goto(f"{EVENT}results/")
    expect(boards.first.locator("button").first).to_be_focused()
    page.get_by_role("button", name=re.compile(r"Close round \d+$")).last.click()
    expect(
        page.get_by_role("heading", name=re.compile("Standings|standings"), level=2)
    ).to_be_visible()


def _type_slips(page: Page) -> None:
    """Type results by their boards in any order, by keys alone."""
    page.locator("#board-2 button").first.focus()
    page.keyboard.press("b")
    field = page.get_by_label("Board and result")
    expect(field).to_be_focused()
    page.keyboard.type("12 0\n")
    page.keyboard.type("7 +\n")
    expect(page.locator("#board-12 .score")).to_have_text("0–1")
    expect(page.locator("#board-7 .score")).to_have_text("+ −")
    expect(field).to_have_value("")
    page.keyboard.type("7 q\n")
    expect(page.locator("#messages")).to_contain_text("7 q: Write a board and its result")
    expect(field).to_have_value("7 q")
    page.keyboard.press("Escape")
    expect(page.locator("#board-3 button").first).to_be_focused()


def _next_round(page: Page) -> None:
    page.goto(EVENT)
    page.get_by_role("button", name="Draft the next round").click()
    page.goto(EVENT)
    page.get_by_role("button", name="Publish", exact=True).click()
    page.goto(EVENT)
    expect(page.get_by_role("link", name="Enter the results")).to_be_visible()


def _entry(page: Page, name: str) -> None:
    """Open the actions on an entry, with a reason."""
    page.goto(f"{EVENT}entries/")
    row = page.get_by_role("row", name=re.compile(re.escape(name)))
    row.locator("summary", has_text="More").click()
    row.get_by_label("Reason").fill("told at the door")


def _sheets(page: Page, path: str) -> int:
    """Return how many sheets of paper a page takes."""
    page.goto(path)
    return len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(prefer_css_page_size=True)))


@pytest.mark.slow
def test_an_evening_over_the_board(page: Page, tmp_path: Path) -> None:
    _organise(page)
    rows = [f"{name};{2000 - 15 * n}" for n, name in enumerate(NAMES)]
    _paste(page, "\n".join([*rows, "Nobody;strong", "alba a."]))
    expect(page.locator("main")).to_contain_text("A rating is a whole number up to 4000.")
    expect(page.locator("main")).to_contain_text("same name as line 1")
    page.get_by_role("button", name="Enter the ticked players").click()
    expect(page.locator("main")).to_contain_text("24 players are entered.")
    _entry(page, "Fito D.")
    row = page.get_by_role("row", name=re.compile("Fito D"))
    row.get_by_label("Round", exact=True).fill("2")
    row.get_by_role("button", name="Grant the bye").click()
    expect(page.locator("main")).to_contain_text("Round 2: half-point bye")
    page.goto(EVENT)
    page.get_by_role("button", name="Start the event").click()
    # Alba A. would meet Alba C. on board 1.
    page.goto(f"{EVENT}desk/")
    page.locator("summary", has_text="Forbidden pairings").click()
    form = page.locator("form", has=page.get_by_label("To round"))
    form.get_by_label("Alba A.").check()
    form.get_by_label("Alba C.").check()
    form.get_by_role("button").last.click()
    _next_round(page)
    expect(page.get_by_role("row", name=re.compile("Alba A"))).not_to_contain_text("Alba C.")

    page.goto(f"{EVENT}results/")
    page.keyboard.press("1")
    page.keyboard.press("0")
    expect(page.locator("#missing")).to_have_text("10")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Backspace")
    expect(page.locator("#missing")).to_have_text("11")
    page.get_by_role("link", name="Show missing results only").click()
    expect(page.locator("#results > li")).to_have_count(11)
    board = page.locator("#board-2")
    # The script, which takes the keys, runs after the list is there.
    expect(board.locator("button").first).to_be_focused()
    board.get_by_role("button", name="draw").click()
    expect(board.locator(".score")).to_have_text("½–½")
    _type_slips(page)
    page.get_by_role("button", name="Close round 1", exact=True).click()
    expect(page.locator("main")).to_contain_text("Boards without a result: 3, 4")
    _type_all(page, "1=01+-011x=1")

    _paste(page, "Zoe Late;1700")
    page.get_by_role("button", name="Enter the ticked players").click()
    expect(page.locator("main")).to_contain_text("1 player was entered.")
    _next_round(page)
    _type_all(page, "10=110=11001")

    _entry(page, "Bruno B.")
    page.get_by_role("row", name=re.compile("Bruno B")).get_by_role(
        "button", name="Withdraw"
    ).click()
    expect(page.get_by_role("row", name=re.compile("Bruno B"))).to_contain_text("withdrawn")
    _next_round(page)
    _type_all(page, "=" * 12)
    page.goto(f"{EVENT}pairings/1/")
    page.get_by_role("link", name="Correct the result: Board 1", exact=True).click()
    expect(page.locator("main")).to_contain_text("over the board")
    form = page.locator("form", has=page.get_by_label("Correct result"))
    form.get_by_label("Correct result").select_option("draw")
    form.get_by_label("Reason").fill("typed wrongly")
    form.get_by_role("button").click()
    expect(page.get_by_role("heading", name="Consequences")).to_be_visible()
    page.get_by_role("button", name="Correct result").click()
    # Two later rounds are published: the correction leaves FIDE's rules.
    page.get_by_label("I have read this and want it.").check()
    page.get_by_role("button", name="Confirm for the second time").click()
    expect(page.locator("main")).to_contain_text("corrected")

    _next_round(page)
    rng = random.Random(4)
    _type_all(page, "".join(rng.choice("10=") for _ in range(12)))
    expect(page.locator(".event-state")).to_contain_text("finished")
    # 25 players with their tie-breaks, one sheet of A4 each.
    for table in ("standings", "crosstable"):
        assert _sheets(page, f"{EVENT}{table}/") == 1
    page.goto(EVENT)
    page.locator("summary", has_text="Downloads").click()
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("TRF")).first.click()
    path = tmp_path / "evening.trf"
    download.value.save_as(path)
    _check(path)


def _check(path: Path) -> None:
    report = trf.read(path.read_text())
    assert len(report.players) == 25
    assert trf.rounds_played(report) == 4
    points = trf.points_halves(report)
    assert {player.id: player.points_halves for player in report.players} == points
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert pairing.main(["--dutch", str(path), "-c"]) == 0
    # Rounds 2 and 3 were paired before the result of round 1 was corrected, and need not be equal.
    complaints = dict(re.findall(r"Round #(\d)\n(.*?)(?=Round #|\Z)", output.getvalue(), re.DOTALL))
    assert sorted(complaints) == ["1", "2", "3", "4"]
    assert complaints["1"].strip() == complaints["4"].strip() == ""
