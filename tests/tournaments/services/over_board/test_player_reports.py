"""Results that players report from their phones: both reports, disputes, limits, and the arbiter's word."""

from __future__ import annotations

from functools import partial

import pytest

from tests.tournaments import over_board
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.over_board import close, enter_listed, next_round, type_results
from tournaments.errors import RefusedError, StaleError
from tournaments.models import (
    AuditEntry,
    Entry,
    Event,
    Pairing,
    Player,
    ResultReport,
    User,
)
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import report_links
from tournaments.queries.results.player_reports import reported_lines
from tournaments.services.arbiter import exchanged_sides, player_reports, results
from tournaments.services.events.listed_players import enter_all
from tournaments.services.rounds import publication
from tournaments.text import audit_log

NAMES = ("Alba", "Bruno", "Celia", "Dario")


@pytest.fixture
def event(ana: User, people: list[Player]) -> Event:
    """Four players with accounts who report their results, round 1 published."""
    event = over_board.event_of(ana, has_player_reports=True)
    enter(event, *people)
    next_round(event)
    return event


@pytest.fixture
def listed_event(ana: User) -> Event:
    """Four players without accounts who report their results, round 1 published."""
    event = over_board.event_of(ana, has_player_reports=True)
    enter_listed(event, *NAMES)
    next_round(event)
    return event


def _board(event: Event, board: int = 1) -> Pairing:
    return event.pairings.select_related("first", "second").get(board=board)


def _report(pairing: Pairing, entry: Entry, result: str, **changes: object) -> bool:
    """Report as the entry, from its account if it has one and a phone of its own."""
    phone = f"phone of {entry.pk}"
    values: dict[str, object] = {
        "game": 1,
        "browser": phone,
        "account": entry.player.user,
        **changes,
    }
    return player_reports.report(
        pairing_id=pairing.pk,
        entry_id=entry.pk,
        result=result,
        **values,  # type: ignore[arg-type]  # the two arguments that tests change
    )


def _entered(event: Event, board: int = 1) -> str:
    return event.pairings.get(board=board).entered_result


@pytest.mark.parametrize("result", ["first", "draw", "second"])
def test_a_result_that_both_players_report_is_entered(event: Event, result: str) -> None:
    pairing = _board(event)
    assert not _report(pairing, pairing.second, result)
    assert _entered(event) == ""
    assert _report(pairing, pairing.first, result)
    assert _entered(event) == result
    entry = AuditEntry.objects.get(event=event, action="result-reported")
    assert entry.actor is None
    sentence = audit_log.Words.of(event, [entry]).sentence(entry)
    assert sentence.startswith("Round 1, board 1: ")
    assert sentence.endswith("reported by both players.")


def test_reports_that_differ_enter_nothing_until_they_agree(event: Event) -> None:
    pairing = _board(event)
    _report(pairing, pairing.first, "first")
    assert not _report(pairing, pairing.second, "second")
    line = next(reported_lines(event, event.pairings.filter(board=1)))
    assert (line.first, line.second, line.is_disputed) == ("first", "second", True)
    assert _entered(event) == ""
    assert _report(pairing, pairing.second, "first")
    assert _entered(event) == "first"


def test_one_player_confirms_nothing_by_reporting_twice(event: Event) -> None:
    pairing = _board(event)
    assert not _report(pairing, pairing.first, "first")
    assert not _report(pairing, pairing.first, "first")
    assert not _report(pairing, pairing.first, "draw")
    assert ResultReport.objects.get().result == "draw"
    assert _entered(event) == ""


def test_one_phone_does_not_report_for_both_players(listed_event: Event) -> None:
    pairing = _board(listed_event)
    _report(pairing, pairing.first, "first", browser="one")
    with pytest.raises(RefusedError, match="board-report-phone"):
        _report(pairing, pairing.second, "first", browser="one")
    assert _entered(listed_event) == ""


def test_two_phones_of_one_person_enter_nothing(listed_event: Event) -> None:
    pairing = _board(listed_event)
    for entry in (pairing.first, pairing.second):
        assert not _report(pairing, entry, "first")
    assert _entered(listed_event) == ""
    line = next(reported_lines(listed_event, listed_event.pairings.filter(board=1)))
    assert (line.is_agreed, line.is_disputed) == (True, False)


def test_an_account_confirms_no_report_of_a_player_without_one(
    listed_event: Event, people: list[Player]
) -> None:
    pairing = _board(listed_event)
    Entry.objects.filter(pk=pairing.second_id).update(player=people[0])
    pairing = _board(listed_event)
    _report(pairing, pairing.first, "second")
    assert not _report(pairing, pairing.second, "second")
    assert _entered(listed_event) == ""


@pytest.mark.parametrize("is_signed_in", [False, True])
def test_only_their_account_reports_for_players_who_have_one(
    event: Event, ana: User, *, is_signed_in: bool
) -> None:
    pairing = _board(event)
    with pytest.raises(RefusedError, match="board-report-account"):
        _report(pairing, pairing.first, "first", account=ana if is_signed_in else None)
    with pytest.raises(RefusedError, match="board-report-account"):
        _report(pairing, pairing.first, "first", account=pairing.second.player.user)
    assert not ResultReport.objects.exists()


def test_an_account_reports_its_own_game_alone(event: Event) -> None:
    report = partial(
        player_reports.report_by_account, event_id=event.pk, round_number=1, game=1, result="draw"
    )
    first, second = (each.player.user for each in (_board(event).first, _board(event).second))
    assert first is not None
    assert second is not None
    with pytest.raises(RefusedError, match="board-report-side"):
        report(account=first, board=2)
    assert not report(account=first, board=1)
    assert report(account=second, board=1)
    assert _entered(event) == "draw"


def test_the_entry_of_the_arbiter_comes_before_all_reports(event: Event, ana: User) -> None:
    pairing = _board(event)

    def enter(result: str) -> None:
        results.enter_result(event_id=event.pk, actor=ana, round_number=1, board=1, result=result)

    _report(pairing, pairing.first, "first")
    enter("draw")
    with pytest.raises(StaleError, match="board-report-entered"):
        _report(pairing, pairing.second, "first")
    assert _report(pairing, pairing.second, "draw")
    assert _entered(event) == "draw"
    enter("")  # and the players may report again, from the beginning
    assert not ResultReport.objects.exists()
    _report(pairing, pairing.first, "second")
    _report(pairing, pairing.second, "second")
    assert _entered(event) == "second"
    enter("first")
    assert _entered(event) == "first"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"result": "first-forfeit"}, "no-such-result"),
        ({"result": "x" * 500}, "no-such-result"),
        ({"result": ""}, "no-such-result"),
        ({"game": 2}, "no-such-board"),
        ({"entry": "other"}, "board-report-side"),
    ],
)
def test_a_report_beside_the_rules_is_refused_by_name(
    event: Event, changes: dict[str, str], code: str
) -> None:
    pairing, other = _board(event), _board(event, 2).first
    rest: dict[str, object] = dict(changes)
    entry = other if rest.pop("entry", None) else pairing.first
    result = str(rest.pop("result", "first"))
    with pytest.raises(RefusedError, match=code):
        _report(pairing, entry, result, **rest)
    assert not ResultReport.objects.exists()


def test_a_closed_round_takes_no_report(event: Event) -> None:
    pairing = _board(event)
    _report(pairing, pairing.first, "first")
    type_results(event, rest="draw")
    close(event)
    with pytest.raises(StaleError, match="round-closed"):
        _report(pairing, pairing.first, "first")
    assert not ResultReport.objects.exists()


def test_reports_need_the_setting(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(has_player_reports=False)
    pairing = _board(event)
    with pytest.raises(RefusedError, match="board-report-off"):
        _report(pairing, pairing.first, "first")


def test_only_events_over_the_board_have_reports(ana: User) -> None:
    with pytest.raises(RefusedError, match="board-event-bad"):
        event_of(ana, has_player_reports=True)


def test_a_report_follows_exchanged_colours(event: Event, ana: User) -> None:
    pairing = _board(event)
    winner, loser = pairing.first, pairing.second
    _report(pairing, winner, "first")
    exchanged_sides.exchange_sides(event.pk, ana, round_number=1, board=1)
    assert ResultReport.objects.get().result == "second"
    assert _report(_board(event), loser, "second")
    assert _board(event).second == winner


def test_reports_of_an_unpublished_round_are_gone(event: Event, ana: User) -> None:
    pairing = _board(event)
    token = report_links.token_of(pairing)
    _report(pairing, pairing.first, "first")
    publication.take_back(event.pk, ana, reason="Wrong room")
    assert not ResultReport.objects.exists()
    assert report_links.find(token) is None


def test_a_code_leads_to_its_board_only(event: Event) -> None:
    boards = [_board(event, 1), _board(event, 2)]
    tokens = [report_links.token_of(board) for board in boards]
    assert [report_links.find(token) for token in tokens] == boards
    assert report_links.find(report_links.token_of(event.rounds.get())) == event.rounds.get()
    name, code = tokens[0].split("-")
    other = tokens[1].split("-")[1]
    for bad in ("", name, f"{name}-{other}", f"{name}-{code[:-1]}", f"b0-{code}", "b" * 200):
        assert report_links.find(bad) is None


def test_a_code_ends_with_the_players_of_its_board(event: Event) -> None:
    pairing = _board(event)
    token = report_links.token_of(pairing)
    other = _board(event, 2)
    pairing.low, pairing.high = sorted((pairing.first, other.first), key=lambda each: each.pk)
    assert report_links.token_of(pairing) != token


def test_each_game_of_a_mini_match_is_reported(ana: User, people: list[Player]) -> None:
    event = over_board.event_of(ana, has_player_reports=True, games_per_pairing=2)
    enter(event, *people)
    next_round(event)
    pairing = _board(event)
    for entry in (pairing.first, pairing.second):
        _report(pairing, entry, "first", game=1)
        _report(pairing, entry, "draw", game=2)
    pairing.refresh_from_db()
    assert (pairing.entered_result, pairing.entered_second_result) == ("first", "draw")


def test_members_report_the_boards_of_a_match_of_teams(ana: User) -> None:
    event = over_board.event_of(
        ana, format="team", boards=2, rounds_total=1, has_player_reports=True
    )
    rows = [ListedPlayer(f"{team} {n}", club=team) for team in ("Rayo", "Luna") for n in (1, 2)]
    enter_all(event_id=event.pk, actor=ana, players=rows)
    next_round(event)
    pairing = _board(event)
    board = pairing.boards.select_related("first", "second").get(number=2)
    assert board.first is not None
    assert board.second is not None
    with pytest.raises(RefusedError, match="board-report-side"):
        _report(pairing, pairing.first, "first", game=2)
    _report(pairing, board.first, "second", game=2)
    assert not _report(pairing, board.second, "second", game=2)
    assert pairing.player_reports.filter(game=2).count() == 2
