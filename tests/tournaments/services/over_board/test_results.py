"""Results over the board: typed, typed again, and made games when the round closes."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import pytest

from tests.tournaments import over_board, shared_rows
from tests.tournaments.conftest import event_of
from tests.tournaments.over_board import close, enter_listed, next_round, type_results
from tournaments import trf
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import AuditEntry, Event, Game, LedgerEntry, NewsItem, Round, User
from tournaments.queries.arbiter import round_verification
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.clocks.game_clocks import Clock
from tournaments.queries.events import plans
from tournaments.queries.results import reports, tables, ties
from tournaments.services.arbiter import corrections, entry_acts, exchanged_sides, results, undo
from tournaments.services.events import settings
from tournaments.services.rounds import edits, lifecycle, publication
from tournaments.text import audit_log

NAMES = ("Alba", "Bruno", "Celia", "Dario")


def _published(ana: User) -> Event:
    """Four players, round 1 published."""
    event = over_board.event_of(ana)
    over_board.enter_listed(event, *NAMES)
    over_board.next_round(event)
    return event


rows_of_file = over_board.rows(_published)
ana = shared_rows.part("ana")
open_event = shared_rows.part("event")


def _points(event: Event) -> dict[str, int]:
    return {row.entry.player.name: row.points_halves for row in tables.event_table(event).rows}


def test_a_published_round_has_no_games_and_stays_open(open_event: Event) -> None:
    lifecycle.advance_event(open_event.pk)
    assert not Game.objects.filter(pairing__event=open_event).exists()
    assert open_event.rounds.get().state == Round.State.PUBLISHED


@pytest.mark.parametrize(
    ("result", "halves", "ending"),
    [
        ("first", (2, 0), "over-board"),
        ("second", (0, 2), "over-board"),
        ("draw", (1, 1), "over-board"),
        ("first-forfeit", (2, 0), "forfeit"),
        ("second-forfeit", (0, 2), "forfeit"),
        ("double-forfeit", (0, 0), "forfeit"),
    ],
)
def test_a_typed_result_counts_at_once_and_is_a_game_when_the_round_closes(
    open_event: Event, result: str, halves: tuple[int, int], ending: str
) -> None:
    pairing = open_event.pairings.get(board=1)
    names = (pairing.first.player.name, pairing.second.player.name)
    type_results(open_event, {1: result}, rest="draw")
    before = _points(open_event)
    assert (before[names[0]], before[names[1]]) == halves
    report = trf.read(reports.trf_of(open_event))
    assert trf.rounds_played(report) == 1
    close(open_event)
    assert _points(open_event) == before
    assert trf.read(reports.trf_of(open_event)).players == report.players
    game = Game.objects.get(pairing=pairing)
    assert (game.result, game.ending, game.ply, game.is_rated) == (result, ending, 0, False)
    pairing.refresh_from_db()
    assert pairing.is_met is (ending == "over-board")
    assert not LedgerEntry.objects.exists()


def test_the_last_to_type_decides_and_hears_of_the_other(open_event: Event, ana: User) -> None:
    def enter(result: str, page_result: str) -> results.EnteredResult:
        return results.enter_result(
            event_id=open_event.pk,
            actor=ana,
            round_number=1,
            board=2,
            result=result,
            page_result=page_result,
        )

    assert not enter("first", "").is_overwritten
    second = enter("draw", "")
    assert (second.is_overwritten, second.before, second.missing) == (True, "first", 1)
    assert not enter("", "draw").is_overwritten
    assert open_event.pairings.get(board=2).entered_result == ""
    changes = AuditEntry.objects.filter(event=open_event, action="result").order_by("pk")
    assert [entry.detail["after"] for entry in changes] == ["first", "draw", ""]
    assert NewsItem.objects.filter(kind="result").count() == 3


def test_a_round_with_missing_results_does_not_close_and_names_the_boards(
    open_event: Event,
) -> None:
    type_results(open_event, {1: "first"})
    with pytest.raises(RefusedError) as refused:
        close(open_event)
    assert refused.value.code == "results-missing"
    assert "2" in refused.value.detail
    assert not Game.objects.exists()


def test_a_closed_round_takes_no_results_but_corrections(open_event: Event, ana: User) -> None:
    type_results(open_event, rest="first")
    close(open_event)
    with pytest.raises(StaleError, match="round-closed"):
        results.enter_result(
            event_id=open_event.pk, actor=ana, round_number=1, board=1, result="draw"
        )
    game = Game.objects.get(pairing__board=1)
    corrections.correct(game_id=game.pk, actor=ana, result="draw", reason="typed wrongly")
    assert _points(open_event)[game.first.name] == 1


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"result": "void"}, "no-such-result"),
        ({"board": 3}, "no-such-board"),
    ],
)
def test_what_no_board_can_have_is_refused(
    open_event: Event, ana: User, changes: dict[str, object], code: str
) -> None:
    arguments = {"round_number": 1, "board": 1, "result": "first", **changes}
    with pytest.raises(RefusedError, match=code):
        results.enter_result(event_id=open_event.pk, actor=ana, **arguments)  # type: ignore[arg-type]  # by keyword


def test_only_the_staff_types_results(open_event: Event, ben: User) -> None:
    with pytest.raises(NotAllowedError):
        results.enter_result(
            event_id=open_event.pk, actor=ben, round_number=1, board=1, result="first"
        )
    with pytest.raises(NotAllowedError):
        results.close_round(event_id=open_event.pk, actor=ben, round_number=1)


@pytest.mark.long
def test_the_event_goes_on_to_its_end(ana: User) -> None:
    event = over_board.event_of(ana, rounds_total=2)
    enter_listed(event, *NAMES, "Elsa")
    for _ in range(2):
        next_round(event)
        type_results(event, rest="second")
        close(event)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert sum(_points(event).values()) == 2 * 6


@pytest.mark.parametrize(
    ("typed", "result"),
    [("first", "second"), ("draw", "draw"), ("first-forfeit", "second-forfeit"), ("", "")],
)
def test_a_board_played_with_colours_exchanged_keeps_its_winner(
    open_event: Event, ana: User, typed: str, result: str
) -> None:
    type_results(open_event, {1: typed}, rest="draw")
    before = open_event.pairings.get(board=1)
    exchanged_sides.exchange_sides(event_id=open_event.pk, actor=ana, round_number=1, board=1)
    after = open_event.pairings.get(board=1)
    assert (after.first, after.second, after.entered_result) == (
        before.second,
        before.first,
        result,
    )
    if not typed:
        return
    close(open_event)
    report = trf.read(reports.trf_of(open_event))
    colours = {player.id: player.results[0] for player in report.players}
    own = colours[before.second.tpn or 0]
    assert own is not None
    assert own.is_white
    assert "### round 1: boards played with colours exchanged: 1" in reports.trf_of(open_event)
    assert "MPA" not in reports.trf_of(open_event)


def test_exchanging_the_colours_twice_takes_it_back(open_event: Event, ana: User) -> None:
    before = list(open_event.pairings.values())
    for _ in range(2):
        exchanged_sides.exchange_sides(event_id=open_event.pk, actor=ana, round_number=1, board=1)
    assert list(open_event.pairings.values()) == before
    assert open_event.rounds.get().edits == []


def test_boards_made_by_hand_are_named_in_the_report(ana: User) -> None:
    event = over_board.event_of(ana)
    enter_listed(event, *NAMES)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    edits.flip(event_id=event.pk, actor=ana, board=2)
    publication.publish_round(event_id=event.pk, actor=ana)
    type_results(event, rest="draw")
    close(event)
    assert "### MPA @ Round 1: boards made by hand: 2\n" in reports.trf_of(event)


def test_full_point_byes_of_closed_rounds_are_named_in_the_report(ana: User) -> None:
    event = over_board.event_of(ana)
    enter_listed(event, *NAMES, "Elena", "Felix")
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for number, tpn, kind in ((1, 3, "full"), (1, 2, "full"), (1, 1, "half"), (2, 4, "full")):
        entry_acts.grant_bye(
            event_id=event.pk,
            actor=ana,
            entry_id=event.entries.get(tpn=tpn).pk,
            round_number=number,
            kind=kind,
            reason="plays for the country",
        )
    next_round(event)
    type_results(event, rest="draw")
    close(event)
    report = reports.trf_of(event)
    assert "### FPB @ Round 1: 2 3\n" in report
    assert report.count("FPB") == 1


def test_changed_rounds_and_tie_breaks_are_named_in_the_report(ana: User) -> None:
    event = over_board.event_of(ana, tie_breaks="BH", rounds_total=5)
    enter_listed(event, *NAMES)

    def change(**changes: Any) -> None:
        event.refresh_from_db()
        plan = replace(plans.plan_of(event), **changes)
        settings.change(event_id=event.pk, actor=ana, plan=plan)

    change(tie_breaks="SB")
    next_round(event)
    type_results(event, rest="draw")
    close(event)
    assert "Configuration" not in reports.trf_of(event)
    change(tie_breaks="SB,BH", rounds_total=4, name="Another name")
    report = reports.trf_of(event)
    assert "### Configuration @ Round 1: rounds: 5 before, 4 after\n" in report
    assert "### Configuration @ Round 1: tie-breaks: SB before, SB,BH after\n" in report
    assert report.count("Configuration") == 2


@pytest.mark.long
@pytest.mark.parametrize("level", ["draw", "double-forfeit"])
def test_the_arbiter_says_who_goes_through_a_level_tie(ana: User, level: str) -> None:
    event = over_board.event_of(ana, format=Event.Format.KNOCKOUT)
    enter_listed(event, *NAMES)
    next_round(event)
    type_results(event, {1: level}, rest="first")
    with pytest.raises(RefusedError, match="ties-open"):
        close(event)
    tie = event.pairings.get(board=1)
    lower = max((tie.first, tie.second), key=lambda entry: entry.tpn or 0)
    let_through = functools.partial(
        results.let_through, event_id=event.pk, actor=ana, round_number=1, tpn=lower.tpn or 0
    )
    with pytest.raises(RefusedError, match="reason-bad"):
        let_through(board=1, reason=" ")
    with pytest.raises(RefusedError, match="tie-not-level"):
        let_through(board=2, reason="a better day")
    let_through(board=1, reason="a blitz game")
    close(event)
    assert event.rounds.get().state == Round.State.CLOSED
    assert not Game.objects.ongoing().exists()  # nothing is played again on line
    next_round(event)
    final = event.pairings.get(round__number=2)
    assert lower in {final.first, final.second}
    assert round_verification.verify(event.rounds.get(number=2)).is_confirmed
    (drawn, _other), *_ = (each.ties for each in tables.draw(event))
    assert drawn.is_higher_seed is False
    with pytest.raises(StaleError, match="round-paired"):
        let_through(board=1, reason="a second thought")
    type_results(event, rest="first")
    close(event)
    event.refresh_from_db()
    archive = archive_file.unpacked(event_archive.of_event(event))
    assert not any(check.differences for check in verification.verify(archive))


@pytest.mark.long
def test_the_arbiter_may_let_neither_of_two_absent_players_through(ana: User) -> None:
    event = over_board.event_of(ana, format=Event.Format.KNOCKOUT)
    enter_listed(event, *NAMES)
    next_round(event)
    type_results(event, {1: "double-forfeit"}, rest="draw")
    neither = functools.partial(
        results.let_through, event_id=event.pk, actor=ana, round_number=1, tpn=0
    )
    with pytest.raises(StaleError, match="no-such-entry"):
        neither(board=2, reason="a draw was played")
    neither(board=1, reason="both away")
    with pytest.raises(RefusedError, match="ties-open"):
        close(event)
    entry = AuditEntry.objects.get(event=event, action="tie")
    log = audit_log.Words.of(event, [entry])
    assert "Neither advances" in log.sentence(entry)
    undo.undo(event_id=event.pk, entry_id=entry.pk, actor=ana, reason="one came late")
    assert len(ties.open_ties(event, event.rounds.get())) == 2
    neither(board=1, reason="both away")
    tie = event.pairings.get(board=2)
    results.let_through(
        event_id=event.pk,
        actor=ana,
        round_number=1,
        board=2,
        tpn=tie.first.tpn or 0,
        reason="blitz",
    )
    close(event)
    assert {row.rank for row in tables.event_table(event).rows} == {1, 2}
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    archive = archive_file.unpacked(event_archive.of_event(event))
    assert not any(check.differences for check in verification.verify(archive))


@pytest.mark.long
def test_a_correction_to_a_draw_asks_again_who_goes_through(ana: User) -> None:
    event = over_board.event_of(ana, format=Event.Format.KNOCKOUT)
    enter_listed(event, *NAMES)
    next_round(event)
    type_results(event, rest="first")
    close(event)
    game = Game.objects.get(pairing__event=event, pairing__board=1)
    corrections.correct(game_id=game.pk, actor=ana, result="draw", reason="the score sheet")
    with pytest.raises(RefusedError, match="ties-open"):
        lifecycle.draft_next(event_id=event.pk, actor=ana)
    assert game.pairing is not None
    let_through = functools.partial(
        results.let_through,
        event_id=event.pk,
        actor=ana,
        round_number=1,
        board=1,
        reason="a blitz game",
    )
    let_through(tpn=game.pairing.second.tpn or 0)
    entry = event.audit.get(action="tie")
    undo.undo(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="the other one")
    let_through(tpn=game.pairing.first.tpn or 0)
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    final = event.pairings.get(round__number=2)
    assert game.pairing.first in {final.first, final.second}


@pytest.mark.parametrize(
    "changes",
    [
        {"format": Event.Format.ARENA, "duration_s": 3600},
        {"admits": Event.Admits.BOTH},
        {"is_rated": True},
        {"is_automatic": True},
        {"board_time": "x" * 61},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_cannot_be_over_the_board_is_refused(ana: User, changes: dict[str, object]) -> None:
    with pytest.raises(RefusedError, match="board-event-bad"):
        over_board.event_of(ana, **changes)


def test_an_event_on_line_has_a_clock(ana: User) -> None:
    with pytest.raises(RefusedError, match="clock-bad"):
        event_of(ana, clock=Clock.read("unlimited"))
    with pytest.raises(RefusedError, match="board-event-bad"):
        event_of(ana, board_time="25 minutes")
