"""An evening on line: 24 players with accounts, an organiser and a deputy in two browsers, down to the report file."""

from __future__ import annotations

import contextlib
import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import clubs
from tests.browser.clubs import Board, Club
from tests.browser.visitors import resign, sign_up
from tournaments import trf
from tournaments.commandline import pairing, standings

NAMES = [
    f"{name} {letter}."
    for letter in "WXYZ"
    for name in ("Alba", "Bruno", "Celia", "Dario", "Elsa", "Fito")
]
LATE = NAMES[-1]
NIGHT = "noche-en-linea"
EVENT = f"/events/{NIGHT}/"
DESK = f"{EVENT}desk/"
_GRACE_MINUTES = 1
_BOARD = re.compile(
    r'<td class="number board">(\d+) .*?<a class="player"[^>]*>(.*?)</a>'
    r'.*?<a href="(/game/\d+/)">.*?<a class="player"[^>]*>(.*?)</a>',
    re.DOTALL,
)


@pytest.fixture
def club(chromium: Browser, site: str) -> Iterator[Club]:
    with clubs.members(chromium, site, NAMES) as club:
        yield club


@pytest.fixture
def deputy(other: Page) -> Page:
    """Return the page of a helper, in a separate browser."""
    sign_up(other, "Suplente Iris")
    return other


def _organise(page: Page) -> None:
    sign_up(page, "Árbitra Olga")
    page.goto("/events/new/")
    page.get_by_label("Name", exact=True).fill(NIGHT)
    page.get_by_label("Game", exact=True).select_option(label="Morelli 7×7")
    page.get_by_label("Rounds", exact=True).fill("4")
    page.get_by_label("Automatic pairing").uncheck()
    page.locator("summary", has_text="Dates, entries and byes").click()
    page.get_by_label("Clocks start").select_option(label="when the organiser starts them")
    page.get_by_label("Grace time in minutes").fill(str(_GRACE_MINUTES))
    page.get_by_role("button", name="Open the registration").click()
    expect(page.locator(".event-state")).to_contain_text("0 players so far")


def _press(page: Page, name: str, *, at: str = DESK) -> None:
    page.goto(at)
    page.get_by_role("button", name=name, exact=True).first.click()


def _message(page: Page) -> Locator:
    return page.locator("#messages .message")


def _press_together(page: Page, deputy: Page, button: str) -> list[str]:
    """Press the button of that name on both pages at one moment, and return the answers, sorted."""
    # Else the news of the other one's press would take the button away.
    deputy.route("**/stream/**", lambda route: route.abort())
    both = (page, deputy)
    for one in both:
        one.goto(DESK)
    buttons = [one.get_by_role("button", name=button, exact=True).element_handle() for one in both]
    for each in buttons:
        each.evaluate("button => button.click()")
    for one in both:
        expect(_message(one)).not_to_have_count(0)
    deputy.unroute("**/stream/**")
    # Without the link to the help, which follows a refusal.
    return sorted(_message(one).first.inner_text().removesuffix("Help").strip() for one in both)


def _row(page: Page, name: str) -> Locator:
    return page.locator(".desk-entries tbody tr").filter(has_text=name)


def _entry_act(page: Page, name: str, act: str, **fields: str) -> None:
    """An act on an entry, in the form that opens in its row."""
    page.goto(DESK)
    row = _row(page, name)
    row.get_by_text("More").click()
    for label, value in fields.items():
        field = row.get_by_label(re.compile(f"^\\s*{label.replace('_', ' ')}"))
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(label=value)
        else:
            field.fill(value)
    row.get_by_role("button", name=act, exact=True).click()
    expect(_message(page)).to_contain_text("Done. The log contains the change.")


def _enter(page: Page, name: str) -> None:
    page.goto(DESK)
    page.get_by_label("Enter a player with an account").fill(name)
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(_message(page)).to_contain_text(f"{name} was entered.")


def _forbid(page: Page, *names: str) -> None:
    page.goto(DESK)
    page.locator("summary", has_text="Forbidden pairings").click()
    form = page.locator("form", has=page.get_by_label("To round"))
    for name in names:
        form.get_by_label(name).check()
    form.get_by_role("button").last.click()
    expect(_message(page)).to_contain_text("They will not be paired with each other.")


def _begin_round(page: Page, number: int) -> list[Board]:
    """Draft, publish and start a round, and return its games."""
    if not page.request.get(f"{EVENT}pairings/{number}/").ok:
        _press(page, "Draft the next round")
        _press(page, "Publish")
    _press(page, f"Start round {number}")
    expect(_message(page)).to_contain_text("The games have begun.")
    return _boards(page, number)


def _boards(page: Page, number: int) -> list[Board]:
    text = page.request.get(f"{EVENT}pairings/{number}/").text()
    return [
        Board(int(board), html.unescape(first), html.unescape(second), address)
        for board, first, address, second in _BOARD.findall(text)
    ]


def _await_end(page: Page, number: int) -> None:
    """Wait on the event's page, which follows the news, until the round is over."""
    page.goto(EVENT)
    expect(page.locator(".event-state")).to_contain_text(
        f"Round {number} of 4 is over", timeout=(_GRACE_MINUTES + 1) * 60_000
    )


def _number(points: str) -> float:
    """Return points as the pages write them: `1½` is 1.5."""
    return float(points.replace("½", ".5"))


def _points(page: Page) -> dict[str, str]:
    page.goto(f"{EVENT}standings/")
    rows = page.locator("#event-tables table").last.locator("tbody tr")
    cells = rows.evaluate_all(
        "rows => rows.map(row => [row.querySelector('.player').textContent,"
        " row.querySelector('td strong').textContent])"
    )
    return dict(cells)


def _publish_with_deputy(page: Page, deputy: Page) -> None:
    """Draft and publish the first round by two people simultaneously: each is done once."""
    drafted = _press_together(page, deputy, "Draft the next round")
    assert "The draft is ready, or being made." in drafted
    published = _press_together(page, deputy, "Publish")
    assert published == ["The round was published.", "There is no draft to publish."]
    page.goto(f"{EVENT}log/")
    lines = page.locator(".audit-log li")
    expect(lines.filter(has_text="Round 1 was published")).to_have_count(1)
    expect(lines.filter(has_text="Round 1 was drafted")).to_have_count(1)


def _decide(page: Page, board: Board, result: str) -> None:
    page.goto(f"{board.address}#arbiter")
    panel = page.locator("#arbiter")
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    panel.get_by_label("Decide the game").select_option(result)
    panel.get_by_label("Reason").first.fill("agreed by mouth")
    panel.get_by_role("button", name="Set result").click()
    expect(_message(page)).to_contain_text("Done. The players were notified.")


def _correct_and_undo(page: Page, board: Board) -> None:
    """Correct a result of the first round in the third, after its preview, and undo it in the log."""
    before = _points(page)
    page.goto(board.address)
    page.locator("summary", has_text="Correct the result").click()
    form = page.locator("form", has=page.get_by_label("Correct result"))
    form.get_by_label("Correct result").select_option("second")
    form.get_by_label("Reason").fill("sides mixed up")
    form.get_by_role("button").click()
    expect(page.get_by_role("heading", name="Consequences")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Rounds paired with the old result")
    expect(page.get_by_role("row", name=re.compile(re.escape(board.first)))).to_contain_text("→")
    page.get_by_role("button", name="Correct result").click()
    # Two later rounds are published: the correction leaves FIDE's rules.
    page.get_by_label("I have read this and want it.").check()
    page.get_by_role("button", name="Confirm for the second time").click()
    expect(_message(page)).to_contain_text("The result was corrected")
    after = _points(page)
    assert _number(after[board.first]) == _number(before[board.first]) - 1
    assert _number(after[board.second]) == _number(before[board.second]) + 1
    page.goto(f"{EVENT}log/")
    line = page.locator(".audit-log li").filter(has_text="sides mixed up")
    line.locator("summary").click()
    line.get_by_label("Reason").fill("they were right")
    line.get_by_role("button", name="Undo").click()
    expect(page.locator(".audit-log li").filter(has_text="sides mixed up")).to_contain_text(
        "undone"
    )
    assert _points(page) == before


def _announce(page: Page, club: Club, text: str) -> None:
    """Send an announcement to all players. A player who looks at another page sees it there."""
    with club.page_of(NAMES[5]) as players_page:
        players_page.goto("/settings/")
        page.goto(DESK)
        page.get_by_label("Announcement").fill(text)
        page.get_by_role("button", name="Send a message to all participants").click()
        news = players_page.locator("#toast").get_by_role("link").filter(has_text=text)
        expect(news).to_have_attribute("href", EVENT)


@pytest.mark.slow
def test_an_evening_on_line(page: Page, deputy: Page, club: Club, tmp_path: Path) -> None:
    _organise(page)
    for name in NAMES[:-1]:
        club.post(name, f"{EVENT}enter/")
    page.goto(DESK)
    staff = page.locator("form", has=page.get_by_role("button", name="Add a helper"))
    staff.get_by_label("Player").fill("Suplente Iris")
    staff.get_by_role("button", name="Add a helper").click()
    expect(page.locator("section", has=staff)).to_contain_text("Suplente Iris")
    for place, name in enumerate(NAMES[:4]):
        _entry_act(
            page, name, "Set the rating", Reason="list of the club", Rating=str(1900 - place)
        )
    _press(page, "Start the event")
    _forbid(page, NAMES[0], NAMES[12])

    _publish_with_deputy(page, deputy)
    first_round = _begin_round(page, 1)
    assert len(first_round) == 11
    assert {NAMES[0], NAMES[12]} not in [{board.first, board.second} for board in first_round]
    _enter(page, LATE)
    for board in first_round[1:]:
        club.play(board)
    board = first_round[0]
    club.look(board.first, board.address)
    with club.page_of(board.second) as players_page:
        players_page.goto(board.address)
        resign(players_page)
        expect(players_page.locator(".status")).to_contain_text("You lost by resignation")
    _await_end(page, 1)
    _announce(page, club, "Soup at seven")

    _entry_act(page, NAMES[9], "Grant the bye", Reason="train", Round="2", Bye="half-point bye")
    second_round = _begin_round(page, 2)
    absent = second_round[4].second
    for board in second_round:
        if absent not in (board.first, board.second):
            club.play(board)
    club.look(second_round[4].first, second_round[4].address)
    _await_end(page, 2)
    page.goto(DESK)
    expect(_row(page, absent)).to_contain_text("withdrawn")

    tired = second_round[0].second
    _entry_act(page, tired, "Withdraw", Reason="tired")
    third_round = _begin_round(page, 3)
    assert not {absent, tired} & {name for one in third_round for name in (one.first, one.second)}
    _decide(page, third_round[0], "draw")
    _correct_and_undo(page, first_round[0])
    for board in third_round[1:]:
        club.play(board)
    _await_end(page, 3)

    for board in _begin_round(page, 4):
        club.play(board)
    page.goto(EVENT)
    expect(page.locator(".event-state")).to_contain_text("finished")
    points_on_page = _points(page)
    page.goto(EVENT)
    page.locator("summary", has_text="Downloads").click()
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("TRF")).first.click()
    path = tmp_path / "evening.trf"
    download.value.save_as(path)
    _check(path, points_on_page)


def _check(path: Path, points_on_page: dict[str, str]) -> None:
    """The pairings, points and results of the file, by the tools of arbiters, and the page's points."""
    report = trf.read(path.read_text())
    assert len(report.players) == 24
    assert trf.rounds_played(report) == 4
    codes = {result.code.value for row in report.players for result in row.results if result}
    assert {"1", "0", "=", "+", "-", "H"} <= codes
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert pairing.main(["--dutch", str(path), "-c"]) == 0
    rounds = re.findall(r"Round #(\d)\n(.*?)(?=Round #|\Z)", output.getvalue(), re.DOTALL)
    assert {number: objection.strip() for number, objection in rounds} == dict.fromkeys("1234", "")
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert standings.main([str(path)]) == 0
    names = {player.id: player.name for player in report.players}
    rows = json.loads(output.getvalue())["players"]
    assert {names[row["id"]]: float(row["points"]) for row in rows} == {
        name: _number(points) for name, points in points_on_page.items()
    }
