"""Work of the desk that an arbiter repeats all day takes few clicks."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.pages import member, text_of
from tournaments import database_time
from tournaments.models import Entry, Event, Game, Round, StaffMember, User
from tournaments.services.arbiter import results
from tournaments.services.events import staff_members

JSON = {"Accept": "application/json"}


def _url(name: str, event: Event, *more: object) -> str:
    return reverse(name, args=[event.slug, *more])


def _enter_all(event: Event, actor: User, result: str = "first") -> None:
    for board in (1, 2):
        results.enter_result(
            event_id=event.pk, actor=actor, round_number=1, board=board, result=result
        )


@pytest.fixture
def complete(started: Event, ana: User) -> Event:
    """Round 1 has all its results."""
    _enter_all(started, ana)
    return started


@pytest.fixture
def closed(complete: Event, ana: User) -> Event:
    results.close_round(event_id=complete.pk, actor=ana, round_number=1)
    return complete


@pytest.mark.long
def test_the_next_round_takes_two_clicks(complete: Event, ana: User) -> None:
    client = member(ana)
    page = client.get(_url("event-results", complete)).content.decode()
    assert "Close round 1 and draft the next" in page
    answer = client.post(_url("round-close", complete, 1), {"then": "draft"}, follow=True)
    assert answer.redirect_chain[-1][0] == _url("event-draft", complete)
    assert "Publish round 2" in text_of(answer.content)
    client.post(_url("event-act", complete), {"action": "publish"})
    states = list(complete.rounds.order_by("number").values_list("state", flat=True))
    assert states == [Round.State.CLOSED, Round.State.PUBLISHED]


@pytest.mark.long
def test_a_refused_draft_leaves_the_round_closed(complete: Event, ana: User) -> None:
    complete.entries.exclude(tpn=1).update(
        state=Entry.State.WITHDRAWN, left_round=2, withdrawn_at=database_time.now()
    )
    answer = member(ana).post(_url("round-close", complete, 1), {"then": "draft"}, follow=True)
    assert answer.redirect_chain[-1][0] == _url("event-desk", complete)
    assert [each.state for each in complete.rounds.all()] == [Round.State.CLOSED]
    assert 'class="message error"' in answer.content.decode()


def test_the_draft_is_offered_only_to_staff_who_pair(complete: Event, ana: User, ben: User) -> None:
    staff_members.add(
        event_id=complete.pk, actor=ana, player=ben.player, role=StaffMember.Role.RESULTS
    )
    page = text_of(member(ben).get(_url("event-results", complete)).content)
    assert "Close round 1" in page
    assert "and draft the next" not in page


def test_no_draft_is_offered_after_the_last_round(complete: Event, ana: User) -> None:
    Event.objects.update(rounds_total=1)
    page = text_of(member(ana).get(_url("event-results", complete)).content)
    assert "Close round 1" in page
    assert "and draft the next" not in page


def test_the_header_of_the_results_closes_a_complete_round(started: Event, ana: User) -> None:
    client, action = member(ana), f'action="{_url("round-close", started, 1)}"'
    url = _url("event-live", started) + "?tab=results"
    assert action not in client.get(url).content.decode()
    _enter_all(started, ana)
    assert action in client.get(url).content.decode()


@pytest.mark.long
def test_an_old_result_is_corrected_in_three_clicks(closed: Event, ana: User) -> None:
    client, game = member(ana), Game.objects.filter(pairing__event=closed).earliest("pk")
    link = f'href="{game.get_absolute_url()}#correct"'
    assert link in client.get(_url("event-round", closed, 1)).content.decode()
    assert link in client.get(_url("event-crosstable", closed)).content.decode()
    page = client.get(game.get_absolute_url()).content.decode()
    assert 'data-part="correct" open>' in page
    assert 'id="correct"' in page
    form = {"result": "draw", "reason": "the score sheet"}
    preview = client.post(reverse("game-correct", args=[game.pk]), form)
    assert "Consequences" in text_of(preview.content)
    client.post(reverse("game-correct", args=[game.pk]), {**form, "confirm": 1})
    game.refresh_from_db()
    assert game.result == "draw"


@pytest.mark.parametrize("name", ["event-pairings", "event-crosstable"])
def test_visitors_have_no_link_to_corrections(closed: Event, client: Client, name: str) -> None:
    assert "#correct" not in client.get(_url(name, closed)).content.decode()


@pytest.mark.long
def test_pairs_are_forbidden_on_the_desk(started: Event, ana: User, client: Client) -> None:
    staff, desk = member(ana), _url("event-desk", started)
    one, two = started.entries.order_by("tpn")[:2]
    form = {"entries": [one.pk, two.pk], "first_round": "2", "note": "brothers"}
    # A pair of later rounds leaves FIDE's rules: two questions.
    form |= {"confirm": "1", "is_understood": "1"}
    answer = staff.post(_url("event-forbid", started), form, follow=True)
    assert answer.redirect_chain[-1][0] == desk
    assert "Alba, Bruno · from round 2 · brothers" in text_of(answer.content)
    overview = text_of(client.get(started.get_absolute_url()).content)
    assert "Alba, Bruno · from round 2 · brothers" in overview
    staff.post(_url("event-allow", started, started.prohibitions.get().pk))
    assert "brothers" not in text_of(staff.get(desk).content)


def test_the_overview_of_the_staff_has_no_form_of_forbidden_pairs(
    started: Event, ana: User
) -> None:
    page = member(ana).get(started.get_absolute_url()).content.decode()
    assert _url("event-forbid", started) not in page


def _line(event: Event, client: Client, line: str) -> dict[str, object]:
    form = {"round_number": 1, "line": line}
    answer = client.post(_url("event-result-enter", event), form, headers=JSON)
    result: dict[str, object] = answer.json()
    return result


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("2 1", "first"),
        (" 2  0 ", "second"),
        ("2 2", "second"),
        ("2=", "draw"),
        ("2 ½", "draw"),
        ("2 +", "first-forfeit"),
        ("2-", "second-forfeit"),
        ("2 X", "double-forfeit"),
    ],
)
def test_a_result_is_typed_with_its_board(
    started: Event, ana: User, line: str, result: str
) -> None:
    answer = _line(started, member(ana), line)
    assert (answer["board"], answer["result"], answer["missing"]) == (2, result, 1)
    assert started.pairings.get(board=2).entered_result == result


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("21", "line-bad"),
        ("2", "line-bad"),
        ("Alba 1", "line-bad"),
        ("2 5", "line-bad"),
        ("9 1", "no-such-board"),
        ("2.2 1", "no-such-board"),
    ],
)
def test_a_line_without_a_board_and_a_result_is_refused(
    started: Event, ana: User, line: str, code: str
) -> None:
    assert _line(started, member(ana), line)["code"] == code
    assert not started.pairings.exclude(entered_result="").exists()


def test_a_second_slip_with_another_result_is_pointed_out(started: Event, ana: User) -> None:
    client = member(ana)
    assert _line(started, client, "1 1")["notice"] == ""
    assert _line(started, client, "1 1")["notice"] == ""
    notice = _line(started, client, "1 =")["notice"]
    assert notice == "Board 1 had another result: 1–0. It is now ½–½."


def test_lines_are_typed_without_a_script(started: Event, ana: User) -> None:
    client, url = member(ana), _url("event-result-enter", started)
    answer = client.post(url, {"round_number": 1, "line": "2 ="}, follow=True)
    assert answer.redirect_chain[-1][0] == _url("event-results", started) + "?by=board"
    assert "required autofocus>" in answer.content.decode()
    answer = client.post(url, {"round_number": 1, "line": "2 q"}, follow=True)
    assert "2 q: Write a board and its result" in text_of(answer.content)
    assert started.pairings.get(board=2).entered_result == "draw"


def test_the_line_of_a_mini_match_names_its_game(started: Event, ana: User) -> None:
    Event.objects.update(games_per_pairing=2)
    client = member(ana)
    assert _line(started, client, "1 =")["code"] == "line-game"
    assert _line(started, client, "1.2 =")["game"] == 2
    pairing = started.pairings.get(board=1)
    assert (pairing.entered_result, pairing.entered_second_result) == ("", "draw")
