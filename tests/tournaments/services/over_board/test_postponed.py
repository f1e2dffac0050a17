"""Postponed games over the board: draws until their results, without which the event does not end."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.tournaments import over_board, pages, shared_rows
from tests.tournaments.over_board import close, enter_listed, event_of, next_round
from tournaments import trf
from tournaments.errors import RefusedError, StaleError
from tournaments.models import Event, Game, Round, User
from tournaments.pairing import RoundKind
from tournaments.queries.archives import event_archive, verification
from tournaments.queries.results import pairing_input, reports, tables
from tournaments.services.arbiter import results
from tournaments.services.operations.data_checks import events as checks
from tournaments.services.rounds import publication, rounds

NAMES = ("Alba", "Bruno", "Cleo", "Dino")


def _published(ana: User) -> Event:
    """An event of two rounds whose first round is published."""
    event = over_board.event_of(ana, rounds_total=2)
    over_board.enter_listed(event, *NAMES)
    over_board.next_round(event)
    event.refresh_from_db()
    return event


rows_of_file = over_board.rows(_published)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


def postpone(event: Event, actor: User, board: int = 1, **changes: bool) -> None:
    number = event.rounds.order_by("number").last().number  # type: ignore[union-attr]
    results.postpone(event_id=event.pk, actor=actor, round_number=number, board=board, **changes)


def enter(event: Event, actor: User, number: int, result: str, board: int = 1) -> None:
    results.enter_result(
        event_id=event.pk, actor=actor, round_number=number, board=board, result=result
    )


def test_a_round_closes_without_a_postponed_game_which_counts_as_a_draw(
    event: Event, ana: User
) -> None:
    enter(event, ana, 1, "first", board=2)
    with pytest.raises(RefusedError, match="results-missing"):
        close(event)
    postpone(event, ana)
    close(event)
    pairing = event.pairings.get(round__number=1, board=1)
    points = {row.entry.pk: row.points_halves for row in tables.event_table(event).rows}
    assert points[pairing.first_id] == points[pairing.second_id] == 1
    problem = pairing_input.build(event, 2).problem
    records = {c.tpn: c.records[0] for c in problem.contestants}
    tpn = pairing.first.tpn or 0
    assert (records[tpn].kind, records[tpn].score_halves) == (RoundKind.FIRST, 1)
    assert not list(checks.rounds())
    assert not Game.objects.filter(pairing=pairing).exists()


def test_the_report_file_says_adjourned(event: Event, ana: User) -> None:
    enter(event, ana, 1, "first", board=2)
    postpone(event, ana)
    close(event)
    text = reports.trf_of(event)
    report = trf.read(text)
    codes = [player.results[0].code for player in report.players if player.results[0]]
    assert codes.count(trf.Code.ADJOURNED) == 2
    assert "### round 1: adjourned boards, drawn until their results: 1" in text
    assert "?" not in reports.trf16_of(event)
    assert trf.points_conflict(report) == ""


@pytest.mark.long
def test_the_event_ends_with_the_last_postponed_result(event: Event, ana: User) -> None:
    enter(event, ana, 1, "first", board=2)
    postpone(event, ana)
    close(event)
    next_round(event)
    for board in (1, 2):
        enter(event, ana, 2, "draw", board=board)
    close(event)
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    assert [each.board for each in rounds.postponed(event)] == [1]
    pairing = event.pairings.get(round__number=1, board=1)
    enter(event, ana, 1, "second")
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert Game.objects.get(pairing=pairing).result == "second"
    points = {row.entry.pk: row.points_halves for row in tables.event_table(event).rows}
    assert (points[pairing.first_id], points[pairing.second_id]) == (1, 3)
    with pytest.raises(StaleError, match="round-closed"):
        enter(event, ana, 1, "first")
    answers = verification.verify(event_archive.archive_of(event))
    assert [(check.name, list(check.differences)) for check in answers if check.differences] == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("result", "words"),
    [("second", "0-1"), ("first-forfeit", "+ -"), ("draw", "")],
)
def test_the_report_file_names_an_adjourned_game_that_was_no_draw(
    event: Event, ana: User, result: str, words: str
) -> None:
    enter(event, ana, 1, "first", board=2)
    postpone(event, ana)
    close(event)
    next_round(event)
    assert "Adjournment" not in reports.trf_of(event)
    enter(event, ana, 1, result)
    pairing = event.pairings.get(round__number=1, board=1)
    first, second = (f"{each.tpn} {each.player.name}" for each in (pairing.first, pairing.second))
    line = (
        f"### Adjournment @ Round 2: round 1, board 1 ({first} - {second}): "
        f"1/2-1/2 before, {words} after\n"
    )
    assert (line in reports.trf_of(event)) == bool(words)
    assert reports.trf_of(event).count("Adjournment") == bool(words)


def test_a_result_before_the_end_of_its_round_is_no_adjournment(event: Event, ana: User) -> None:
    postpone(event, ana)
    for board in (1, 2):
        enter(event, ana, 1, "first", board=board)
    close(event)
    assert "Adjournment" not in reports.trf_of(event)


@pytest.mark.long
def test_the_page_asks_before_a_round_closes_with_adjourned_games(event: Event, ana: User) -> None:
    enter(event, ana, 1, "first", board=2)
    postpone(event, ana)
    client = pages.member(ana)
    address = reverse("round-close", args=[event.slug, 1])
    page = pages.text_of(client.post(address).content)
    assert "Round 1, board 1" in page
    assert "Round 1, board 2" not in page
    assert event.rounds.get(number=1).state == Round.State.PUBLISHED
    client.post(address, {"confirm": "1", "then": "draft"})
    assert event.rounds.get(number=1).state == Round.State.CLOSED
    assert event.rounds.get(number=2).state == Round.State.DRAFT
    publication.publish_round(event_id=event.pk, actor=ana)
    for board in (1, 2):
        enter(event, ana, 2, "draw", board=board)
    page = pages.text_of(client.post(reverse("round-close", args=[event.slug, 2])).content)
    assert "Round 1, board 1" in page
    assert "Round 2" not in page.replace("Close round 2", "")
    enter(event, ana, 1, "draw")
    client.post(reverse("round-close", args=[event.slug, 2]))
    assert event.rounds.get(number=2).state == Round.State.CLOSED


def test_a_forfeit_of_a_postponed_game_is_no_meeting(event: Event, ana: User) -> None:
    enter(event, ana, 1, "first", board=2)
    postpone(event, ana)
    close(event)
    assert event.pairings.get(round__number=1, board=1).is_met
    enter(event, ana, 1, "first-forfeit")
    assert not event.pairings.get(round__number=1, board=1).is_met


def test_a_second_act_undoes_the_first(event: Event, ana: User) -> None:
    postpone(event, ana)
    assert results.missing_count(event.rounds.get()) == 1
    postpone(event, ana, is_postponed=True)
    postpone(event, ana)
    assert results.missing_count(event.rounds.get()) == 2
    enter(event, ana, 1, "first")
    with pytest.raises(RefusedError, match="postpone-over"):
        postpone(event, ana)


def test_a_tie_of_a_knock_out_cannot_wait(ana: User) -> None:
    event = event_of(ana, format="knockout")
    enter_listed(event, *NAMES)
    next_round(event)
    with pytest.raises(RefusedError, match="postpone-tie"):
        postpone(event, ana)


@pytest.mark.long
def test_the_page_of_results_has_postponed_games(event: Event, ana: User) -> None:
    client = pages.member(ana)
    address = f"/events/{event.slug}/results/"
    enter(event, ana, 1, "first", board=2)
    client.post(
        f"/events/{event.slug}/organise/",
        {"action": "postpone", "round_number": 1, "board": 1},
    )
    assert event.pairings.get(round__number=1, board=1).is_postponed
    close(event)
    text = pages.text_of(client.get(address).content)
    assert "Postponed games of earlier rounds" in text
    client.post(
        f"{address}enter/", {"round_number": 1, "board": 1, "result": "draw", "page_result": ""}
    )
    assert Game.objects.get(pairing__round__number=1, pairing__board=1).result == "draw"
    crosstable = client.get(f"/events/{event.slug}/crosstable/")
    assert crosstable.status_code == 200
