"""Results typed quickly, while the page reads the results of others."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser.visitors import Hand, sign_up

_NEW = {
    "name": "Club of four", "ruleset": "morlox(size=5)", "format": "round-robin", "rounds_total": "3",
    "clock": "600+10", "admits": "people", "max_entries": "8", "pause_s": "60",
    "is_over_the_board": "on", "start_mode": "publication",
}  # fmt: skip


def test_an_older_list_does_not_replace_a_typed_result(page: Page) -> None:
    sign_up(page, "Árbitra Vera")
    hand = Hand(page.context)
    event = hand.post("/events/new/", **_NEW)
    for player in ("Alba", "Bruno", "Celia", "Dario"):
        hand.post(f"{event}entries/add/", name=player, club="Torre")
    for action in ("start", "draft", "publish"):
        hand.post(f"{event}organise/", action=action)
    page.goto(f"{event}results/")
    lists: list[Route] = []
    posts: list[str] = []
    page.route("**/results/", lambda route: lists.append(route))
    page.on("request", lambda request: posts.append(request.method))
    expect(page.locator("#board-1 button").first).to_be_focused()
    with page.expect_request("**/results/"):
        page.keyboard.press("1")
    posts.clear()
    page.keyboard.press("b")
    page.keyboard.type("2 0\n")
    page.evaluate("() => fetch('/about/')")
    assert "POST" not in posts
    lists[0].continue_()
    page.unroute("**/results/")
    expect(page.locator("#board-2 .score")).to_have_text("0–1")
