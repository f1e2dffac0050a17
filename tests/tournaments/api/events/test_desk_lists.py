"""Lists of the desk by the API: fees, penalties, reports of players, and numbers that would change."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.api.conftest import PASSWORD, Program, program_of
from tests.tournaments.api.event_world import EventWorld, board_event, draft
from tournaments.models import Entry, Player, User
from tournaments.services.arbiter import entry_acts, player_reports
from tournaments.services.rounds import publication


@pytest.fixture
def staff(ana: User) -> Program:
    return program_of(ana)


def test_fees_are_listed_with_their_sums_and_set(staff: Program, event_world: EventWorld) -> None:
    event = event_world.registering
    path = f"/events/{event.slug}"
    before = staff("GET", f"{path}/fees").json()
    count = len(before["rows"])
    assert (before["fee"], before["paid"]) == ("12.50 EUR", "0.00 EUR")
    assert before["owed"] == f"{12.5 * count:.2f} EUR"
    entry = before["rows"][0]["entry"]["entry"]
    after = staff("PUT", f"{path}/entries/{entry}/fee", {"state": "paid"}).json()
    assert (after["rows"][0]["state"], after["paid"]) == ("paid", "12.50 EUR")
    after = staff("PUT", f"{path}/entries/{entry}/fee", {"state": "waived"}).json()
    assert (after["rows"][0]["amount"], after["paid"]) == ("0.00", "0.00 EUR")
    assert Entry.objects.get(pk=entry).fee_state == "waived"


def test_an_event_without_a_fee_has_no_fees(staff: Program, event_world: EventWorld) -> None:
    path = f"/events/{event_world.empty.slug}"
    assert staff("GET", f"{path}/fees").json() == {
        "fee": None,
        "paid": None,
        "owed": None,
        "rows": [],
    }
    entry = event_world.empty.entries.all()[0]
    answer = staff("PUT", f"{path}/entries/{entry.pk}/fee", {"state": "paid"})
    assert answer.json()["code"] == "fee-none"


@pytest.mark.long
def test_a_penalty_is_noted_listed_and_lifted_once(staff: Program, event_world: EventWorld) -> None:
    event = event_world.open
    path = f"/events/{event.slug}"
    entry = event.entries.all()[0]
    body = {"act": "sanction", "round": 1, "sanction": "time", "reason": "Late twice."}
    assert staff("POST", f"{path}/entries/{entry.pk}/acts", body).status_code == 200
    rows = staff("GET", f"{path}/sanctions").json()
    assert [(row["kind"], row["reason"]) for row in rows] == [
        ("warning", "The phone rang."),
        ("time", "Late twice."),
    ]
    lift, reason = f"{path}/sanctions/{rows[1]['id']}/lift", {"reason": "The bus was late."}
    assert staff("POST", f"{lift}?dry_run=true", reason).status_code == 201
    assert len(staff("GET", f"{path}/sanctions").json()) == 2
    assert staff("POST", lift, reason).json()["action"] == "undo"
    assert [row["kind"] for row in staff("GET", f"{path}/sanctions").json()] == ["warning"]
    assert staff("POST", lift, reason).status_code == 409
    assert staff("POST", f"{path}/sanctions/{rows[1]['id'] + 99}/lift", reason).status_code == 404


def test_reports_of_players_are_listed_with_the_address_of_their_board(
    staff: Program, ana: User
) -> None:
    event = board_event(ana, "Reports", has_player_reports=True)
    draft(event, ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    pairing = event.pairings.get(board=1)
    path = f"/events/{event.slug}/rounds/1/reports"
    for entry, result, browser in (
        (pairing.first_id, "first", "one"),
        (pairing.second_id, "draw", "other"),
    ):
        player_reports.report(
            pairing_id=pairing.pk, game=1, entry_id=entry, result=result, browser=browser
        )
    row = staff("GET", path).json()[0]
    assert (row["first_report"], row["second_report"], row["result"]) == ("first", "draw", None)
    assert row["is_disputed"]
    assert Client().get(row["address"]).status_code == 200
    player_reports.report(
        pairing_id=pairing.pk, game=1, entry_id=pairing.second_id, result="first", browser="other"
    )
    row = staff("GET", path).json()[0]
    assert (row["result"], row["is_disputed"], row["is_agreed"]) == (None, False, True)


def test_accounts_report_their_own_games_and_enter_what_both_report(
    staff: Program, event_world: EventWorld, ben: User
) -> None:
    event = event_world.reported
    path = f"/events/{event.slug}/rounds/1/boards/1/report"
    other = program_of(ben, "events:enter")
    answer = other("POST", path, {"result": "first"}).json()
    assert (answer["is_entered"], event.pairings.get().entered_result) == (False, "")
    assert staff("POST", path, {"result": "draw"}).json()["is_entered"] is False
    assert staff("POST", path, {"result": "first"}).json()["is_entered"] is True
    assert event.pairings.get().entered_result == "first"
    refused = staff("POST", path.replace("boards/1", "boards/2"), {"result": "first"})
    assert refused.json()["code"] == "no-such-board"
    listed_only = f"/events/{event_world.open.slug}/rounds/1/boards/1/report"
    assert staff("POST", listed_only, {"result": "first"}).json()["code"] == "board-report-side"


def test_an_event_without_reports_of_players_lists_none(
    staff: Program, event_world: EventWorld
) -> None:
    assert staff("GET", f"/events/{event_world.open.slug}/rounds/1/reports").json() == []


def test_the_numbers_that_would_change_are_those_that_the_step_changes(
    staff: Program, event_world: EventWorld, ana: User
) -> None:
    event = event_world.open
    path = f"/events/{event.slug}/number-changes"
    assert staff("GET", path).json() == {"may_change": True, "changes": []}
    last = event.entries.order_by("-tpn")[0]
    entry_acts.set_rating(
        event_id=event.pk, actor=ana, entry_id=last.pk, centielo=2900_00, reason="the list"
    )
    changes = staff("GET", path).json()["changes"]
    assert (changes[0]["entry"]["entry"], changes[0]["after"]) == (last.pk, 1)
    new_numbers = {each["entry"]["entry"]: each["after"] for each in changes}
    body = {"step": "renumber", "reason": "the list"}
    assert staff("POST", f"/events/{event.slug}/steps", body).status_code == 200
    assert new_numbers.items() <= dict(event.entries.values_list("pk", "tpn")).items()
    assert staff("GET", path).json()["changes"] == []
    assert staff("GET", f"/events/{event_world.draw.slug}/number-changes").json() == {
        "may_change": False,
        "changes": [],
    }


def test_the_report_with_birth_dates_is_for_the_staff(
    staff: Program, event_world: EventWorld, ben: User
) -> None:
    event = event_world.open
    event.entries.filter(player__name="Alma Berg").update(birth="1990/04/02")
    path = f"/events/{event.slug}/rating-report"
    answer = staff("GET", path)
    assert answer["Content-Type"].startswith("text/plain")
    assert "1990/04/02" in answer.content.decode()
    assert program_of(ben)("GET", path).status_code == 403
    assert "1990/04/02" not in staff("GET", f"/events/{event.slug}/export/trf").content.decode()


def test_a_player_adds_the_record_by_the_scope_of_players_and_the_staff_by_its_own(
    event_world: EventWorld, ana: User
) -> None:
    number = event_world.of("game-record-add")["GAME"]
    dario = User.objects.create_user("Dario", password=PASSWORD)
    first = Player.objects.filter(games_as_first=int(number))
    first.update(user=dario, kind=Player.Kind.PERSON)
    path, record = f"/games/{number}/board-record", {"text": "a1\nb2"}
    refused = program_of(dario, "read")("PUT", path, record).json()
    assert (refused["code"], refused["detail"]) == ("scope-needed", "events:enter events:write")
    as_player = program_of(ana, "events:enter")("PUT", path, record)
    assert as_player.json()["code"] == "record-not-yours", "Ana is the arbiter"
    player = program_of(dario, "events:enter")
    assert player("PUT", path, record).json()["ply"] == 2
    again = {"text": "a1\nb2\nc3", "reason": "A move was missing."}
    assert player("PUT", path, again).json()["code"] == "record-there"
    assert program_of(ana, "events:write")("PUT", path, again).json()["ply"] == 3


def test_the_staff_adds_a_record_and_replaces_it_with_a_reason(
    staff: Program, event_world: EventWorld
) -> None:
    path = f"/games/{event_world.of('game-record-add')['GAME']}"
    assert staff("PUT", f"{path}/board-record", {"text": "a1\nb2"}).json()["ply"] == 2
    again = {"text": "a1\nb2\nc3"}
    refused = staff("PUT", f"{path}/board-record", again)
    assert (refused.status_code, refused.json()["code"]) == (422, "reason-bad")
    staff("PUT", f"{path}/board-record", {**again, "reason": "A move was missing."})
    moves = staff("GET", f"{path}/moves").json()["items"]
    assert [row["move"] for row in moves] == ["a1", "b2", "c3"]
