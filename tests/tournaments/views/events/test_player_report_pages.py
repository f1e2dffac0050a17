"""The page behind the QR code of a board, and codes on sheets, on the screen and on the page of results."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import over_board
from tests.tournaments.pages import member, text_of
from tournaments import database_time, limits
from tournaments.models import Entry, Event, Pairing, Player, Round, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import report_links
from tournaments.services.events import listed_players
from tournaments.services.notifications import news
from tournaments.services.rounds import lifecycle, publication
from tournaments.views.limits import LIMITS


@pytest.fixture
def event(ana: User) -> Event:
    """Four players, round 1 published, private: the code of a board opens its page."""
    event = over_board.event_of(
        ana, rounds_total=3, has_player_reports=True, is_private=True, access_code="open-sesame"
    )
    rows = [ListedPlayer(name) for name in ("Alba", "Bruno", "Celia", "Dario")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    return event


@pytest.fixture
def board(event: Event) -> Pairing:
    return event.pairings.select_related("first__player", "second__player").get(board=1)


def _url(row: object) -> str:
    return reverse("result-report", args=[report_links.token_of(row)])  # type: ignore[arg-type]


def _post(client: Client, board: Pairing, entry: object, result: str = "first") -> str:
    form = {"game": 1, "entry": entry, "result": result}
    return text_of(client.post(_url(board), form, follow=True).content)


@pytest.mark.long
def test_the_staff_confirms_the_reports_of_two_phones_without_accounts(
    event: Event, board: Pairing, ana: User
) -> None:
    one, other = Client(), Client()
    code = one.get(_url(event.rounds.get())).content.decode()
    assert _url(board) in code  # the code of the round leads to the boards
    assert f"?as={board.first.pk}" in one.get(_url(board)).content.decode()
    assert "You have reported: " in _post(one, board, board.first.pk)
    page = text_of(other.get(f"{_url(board)}?as={board.second.pk}").content)
    assert f"Confirm: {board.first.player.name} won" in page
    page = _post(other, board, board.second.pk)
    assert f"You both report: {board.first.player.name} won . The arbiter confirms it." in page
    board.refresh_from_db()
    assert board.entered_result == ""
    desk = member(ana)
    page = desk.get(reverse("event-results", args=[event.slug])).content.decode()
    assert "Confirm board 1: 1–0" in page
    form = {"round_number": 1, "board": 1, "game": 1, "page_result": "", "result": "first"}
    desk.post(reverse("event-result-enter", args=[event.slug]), form)
    board.refresh_from_db()
    assert board.entered_result == "first"
    assert "The result is entered: 1–0" in text_of(one.get(_url(board)).content)


def test_players_with_accounts_report_from_these_alone(
    event: Event, board: Pairing, ben: User, people: list[Player]
) -> None:
    accounts = (ben, people[0].user)
    for entry, user in zip((board.first, board.second), accounts, strict=True):
        assert user is not None
        Entry.objects.filter(pk=entry.pk).update(player=user.player)
    page = text_of(Client().get(f"{_url(board)}?as={board.first_id}").content)
    assert "Only this account reports the player's results. Sign in" in page
    assert "only this account reports" in _post(member(ben), board, board.second_id).lower()
    one, other = (member(user) for user in accounts if user)
    assert "report-choices" in one.get(_url(board)).content.decode()
    _post(one, board, board.first_id)
    page = _post(other, board, board.second_id)
    assert "Both players have reported it. The result is entered." in page


@pytest.mark.long
def test_the_page_of_the_event_leads_a_player_to_the_report(
    event: Event, board: Pairing, ben: User
) -> None:
    player = member(ben)
    address = f"{event.get_absolute_url()}?code=open-sesame"
    assert "Report your result" not in player.get(address).content.decode()
    Entry.objects.filter(pk=board.first_id).update(player=ben.player)
    page = player.get(address).content.decode()
    assert "Report your result" in page
    assert _url(board) in page
    assert "report-choices" in player.get(_url(board)).content.decode()
    Round.objects.filter(pk=board.round_id).update(
        state=Round.State.CLOSED, closed_at=database_time.now(), started_at=database_time.now()
    )
    news.announce(news.of_event(event.pk), "closed", {"round": 1})
    assert "Report your result" not in player.get(address).content.decode()


def test_one_phone_is_told_to_leave_the_report_to_the_opponent(board: Pairing) -> None:
    phone = Client()
    _post(phone, board, board.first.pk)
    assert "This phone has reported for the opponent." in _post(phone, board, board.second.pk)


@pytest.mark.parametrize(
    ("entry", "result", "words"),
    [
        ("'; DROP TABLE", "first", "Something is missing in this form"),
        ("99999999999999999999", "first", "This player does not play at this board"),
        ("0", "first", "Something is missing in this form"),
        ("1", "<script>", "There is no such result."),
    ],
)
def test_a_bad_form_is_refused_in_words(
    board: Pairing, entry: str, result: str, words: str
) -> None:
    assert words in _post(Client(), board, entry, result)


@pytest.mark.long
def test_the_organiser_sees_reports_that_wait_and_that_disagree(
    event: Event, board: Pairing, ana: User
) -> None:
    desk = member(ana)
    url = reverse("event-results", args=[event.slug])
    assert "No report waits for an opponent." in text_of(desk.get(url).content)
    _post(Client(), board, board.first.pk)
    first, second = board.first.player.name, board.second.player.name
    assert f"{first} reports 1–0. The opponent has not answered." in text_of(desk.get(url).content)
    _post(Client(), board, board.second.pk, "draw")
    words = f"{first} reports 1–0. {second} reports ½–½. They disagree."
    assert words in text_of(desk.get(url).content)


@pytest.mark.parametrize(
    "path", ["print/pairings/1/", "print/slips/1/", "screen/", "results/"], ids=str
)
def test_codes_are_on_pages_of_the_staff_only(
    event: Event, ana: User, ben: User, path: str
) -> None:
    label = "The address for reports as a QR code"
    address = f"/events/{event.slug}/{path}"
    player = member(ben)
    player.get(f"/events/{event.slug}/?code=open-sesame")
    content = member(ana).get(address).content.decode()
    assert content.count(label) == (2 if "slips" in path else 1)
    answer = player.get(address)
    assert answer.status_code == (404 if "results" in path else 200)
    assert label not in answer.content.decode()


@pytest.mark.long
def test_an_event_without_reports_has_no_codes(event: Event, ana: User, board: Pairing) -> None:
    Event.objects.filter(pk=event.pk).update(has_player_reports=False)
    for path in ("print/pairings/1/", "print/slips/1/", "screen/", "results/"):
        content = member(ana).get(f"/events/{event.slug}/{path}").content.decode()
        assert "The address for reports" not in content
    page = Client().get(f"{_url(board)}?as={board.first.pk}").content.decode()
    assert "Give yours to the arbiter" in page
    assert "report-choices" not in page


def test_a_guessed_address_is_not_found(board: Pairing) -> None:
    assert Client().get(re.sub(r"[0-9a-f]{4}/$", "zzzz/", _url(board))).status_code == 404
    assert Client().post("/report/b1-00000000000000000000/", {}).status_code == 404


def test_reports_are_limited_by_the_network() -> None:
    assert limits.RESULT_REPORTS in LIMITS["result-report"]
