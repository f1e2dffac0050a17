"""A series of three events over the board: its table, a correction, its archive and its paper."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitors import Hand, sign_up
from tournaments.queries.archives import archive_file, series_archive

_EVENTS = ("Cup in May", "Cup in June", "Cup in July")
_NEW = {
    "ruleset": "morlox(size=5)", "format": "round-robin", "rounds_total": "1", "clock": "600+10",
    "admits": "people", "max_entries": "8", "pause_s": "60", "is_over_the_board": "on",
    "start_mode": "publication",
}  # fmt: skip


def _play(hand: Hand, name: str) -> str:
    """Return the address of an event of two players that is over: the first of the pairing has won."""
    event = hand.post("/events/new/", name=name, **_NEW)
    for player in ("Alba", "Bruno"):
        hand.post(f"{event}entries/add/", name=player, club="Torre")
    for action in ("start", "draft", "publish"):
        hand.post(f"{event}organise/", action=action)
    hand.post(f"{event}results/enter/", round_number="1", board="1", result="first")
    hand.post(f"{event}results/1/close/")
    return event


def _row(page: Page, name: str) -> str:
    return " ".join(page.get_by_role("row", name=re.compile(name)).first.inner_text().split())


@pytest.mark.long
def test_a_series_of_three_events(page: Page) -> None:
    sign_up(page, "Olga")
    hand = Hand(page.context)
    events = [_play(hand, name) for name in _EVENTS]
    page.goto("/series/new/")
    page.get_by_label("Name").fill("Winter Cup")
    page.get_by_label("Points by place").fill("5 2")
    page.get_by_label("Number of results that count").fill("2")
    page.get_by_role("button", name="Create the series").click()
    for name in _EVENTS:
        page.get_by_label("One of your events").select_option(label=name)
        page.get_by_role("button", name="Add event").click()
        expect(page.get_by_role("row", name=re.compile(name))).to_be_visible()
    page.get_by_role("link", name="Table of the series").click()
    winner, loser = (
        page.locator("table.series tbody th .player").nth(n).inner_text() for n in (0, 1)
    )
    assert _row(page, winner) == f"1 {winner} Torre 10 5 (1) 5 (1) 5 (1)"

    # A correction changes the total without another step.
    page.goto(f"{events[2]}crosstable/")
    game = page.locator('a[href^="/game/"]').first.get_attribute("href")
    hand.post(f"{game}correct/", result="second", reason="mixed up", confirm="1")
    page.goto("/series/winter-cup/")
    assert _row(page, loser) == f"2 {loser} Torre 7 2 (2) 2 (2) 5 (1)"
    page.get_by_role("row", name=re.compile(loser)).get_by_role("link", name="7").click()
    expect(page.locator("#opened")).to_contain_text("2 + 5 = 7")
    expect(page.locator("#opened")).to_contain_text("dropped: The best 2 results")

    text = page.request.get("/series/winter-cup/series.json").body()
    archives = [page.request.get(f"{event}archive.zip").body() for event in events]
    checks = series_archive.verify(
        series_archive.read(text), [archive_file.unpacked(each) for each in archives]
    )
    assert [(each.name, list(each.differences)) for each in checks] == [
        ("people", []),
        ("totals", []),
        *((f"standings of {event.split('/')[2]}", []) for event in events),
    ]
    page.goto("/series/winter-cup/")
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(prefer_css_page_size=True))) == 1
