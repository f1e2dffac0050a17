"""Warnings and penalties (FIDE Laws 12.9): deducted points in standings, pairings, files and archives."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.tournaments import over_board, shared_rows
from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_results
from tests.tournaments.services.over_board.test_teams import type_all
from tournaments import trf
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import AuditEntry, Entry, Event, Sanction, User
from tournaments.queries.arbiter import round_verification
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import histories, reports, standings, tables
from tournaments.services.arbiter import corrections, merging, sanctions, undo
from tournaments.services.events import listed_players
from tournaments.services.rounds import publication
from tournaments.standings import System, ranking
from tournaments.text import audit_log

NAMES = ("Alba", "Bruno", "Celia", "Dario", "Elena", "Fermín")


def _played(ana: User) -> Event:
    """Six players after round 1, in which the first player of each board won."""
    event = over_board.event_of(ana, rounds_total=3)
    over_board.enter_listed(event, *NAMES)
    over_board.play(event)
    return event


rows_of_file = over_board.rows(_played)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


def _winner(event: Event) -> Entry:
    return event.pairings.select_related("first__player").get(board=1, round__number=1).first


def _give(event: Event, actor: User, entry: Entry, kind: str = "points", halves: int = 1) -> None:
    sanctions.sanction(
        event.pk,
        actor,
        entry_id=entry.pk,
        round_number=1,
        sanction_kind=kind,
        reason="Phone rang",
        halves=halves,
    )


def _points(event: Event, entry: Entry) -> int:
    rows = tables.event_table(event).rows
    return next(row.points_halves for row in rows if row.entry == entry)


def _differences(event: Event) -> list[str]:
    archive = archive_file.unpacked(event_archive.of_event(event))
    return [d.place for check in verification.verify(archive) for d in check.differences]


@pytest.mark.parametrize("kind", ["warning", "time", "loss", "exclusion"])
def test_a_warning_changes_no_points_and_is_in_the_log_and_the_report(
    event: Event, ana: User, kind: str
) -> None:
    entry = _winner(event)
    _give(event, ana, entry, kind)
    assert _points(event, entry) == 2
    note = AuditEntry.objects.get(event=event, action="sanction")
    words = audit_log.Words.of(event, [note])
    label = Sanction.Kind(kind).label
    assert words.sentence(note) == f"Round 1: {label}, {entry.player.name}."
    assert note.reason == "Phone rang"
    comment = f"### penalty @ Round 1: {entry.tpn} {entry.player.name}: {kind}: Phone rang"
    assert comment in reports.trf_of(event)


def test_deducted_points_are_missing_in_standings_tie_breaks_and_the_report(
    event: Event, ana: User
) -> None:
    entry = _winner(event)
    _give(event, ana, entry)
    assert _points(event, entry) == 1
    text = reports.trf_of(event)
    assert "\n299          -0.5  001" in text
    report = trf.read(text)
    field = trf.standings_field(
        report, system=System.SWISS, edition=standings.event_field(event).edition
    )
    names = ["PTS", "BH", "SB", "DE"]
    ours = ranking(standings.event_field(event), names).places
    assert [(p.id, p.values) for p in ranking(field, names).places] == [
        (p.id, p.values) for p in ours
    ]


def test_a_win_that_lost_all_its_points_is_not_read_as_annulled(event: Event, ana: User) -> None:
    _give(event, ana, _winner(event), halves=2)
    field = trf.standings_field(
        trf.read(reports.trf_of(event)),
        system=System.SWISS,
        edition=standings.event_field(event).edition,
    )
    assert [p.values for p in ranking(field, ["PTS", "BH", "WIN"]).places] == [
        p.values for p in ranking(standings.event_field(event), ["PTS", "BH", "WIN"]).places
    ]


def test_later_rounds_are_paired_with_the_deduction_and_verify(event: Event, ana: User) -> None:
    entry = _winner(event)
    _give(event, ana, entry, halves=2)
    round_ = next_round(event)
    assert "299" in round_.report
    assert round_verification.verify(round_).is_confirmed
    opponents = {
        seat.opponent_tpn for n, seat in histories.of_event(event)[entry.pk].items() if n == 2
    }
    losers = set(event.pairings.filter(round__number=1).values_list("second__tpn", flat=True))
    assert opponents <= losers


@pytest.mark.long
def test_the_archive_verifies_with_a_deduction_that_was_lifted_later(
    event: Event, ana: User
) -> None:
    _give(event, ana, _winner(event), halves=2)
    next_round(event)
    type_results(event, rest="draw")
    close(event)
    assert _differences(event) == []
    note = AuditEntry.objects.get(event=event, action="sanction")
    undo.undo(event_id=event.pk, actor=ana, entry_id=note.pk, reason="Wrong player")
    assert _points(event, _winner(event)) == 3
    assert _differences(event) == []


def test_an_archive_without_its_deduction_differs(event: Event, ana: User) -> None:
    _give(event, ana, _winner(event))
    archive = archive_file.unpacked(event_archive.of_event(event))
    checks = verification.verify(replace(archive, deductions=()))
    assert any(check.differences for check in checks if check.name == "standings")


def test_undo_gives_the_points_back_once(event: Event, ana: User) -> None:
    entry = _winner(event)
    _give(event, ana, entry)
    note = AuditEntry.objects.get(event=event, action="sanction")
    undo.undo(event_id=event.pk, actor=ana, entry_id=note.pk, reason="Wrong player")
    assert _points(event, entry) == 2
    assert not Sanction.objects.of_event(event.pk).exists()
    with pytest.raises(StaleError, match="undone"):
        undo.undo(event_id=event.pk, actor=ana, entry_id=note.pk, reason="Again")


def test_a_correction_leaves_no_round_below_zero(event: Event, ana: User) -> None:
    entry = _winner(event)
    _give(event, ana, entry, halves=2)
    game = event.pairings.get(board=1, round__number=1).games.get()
    corrections.correct(game_id=game.pk, actor=ana, result="draw", reason="Slip")
    assert _points(event, entry) == 0
    assert trf.read(reports.trf_of(event)).players[(entry.tpn or 0) - 1].points_halves == 0


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"halves": 0}, "sanction-points"),
        ({"halves": 3}, "sanction-points"),
        ({"sanction_kind": "flogging"}, "sanction-kind"),
        ({"reason": " "}, "reason-bad"),
    ],
)
def test_a_penalty_beside_the_rules_is_refused_by_name(
    event: Event, ana: User, changes: dict[str, object], code: str
) -> None:
    values = {
        "entry_id": _winner(event).pk, "round_number": 1, "sanction_kind": "points",
        "reason": "Noise", "halves": 1,
    }  # fmt: skip
    with pytest.raises(RefusedError, match=code):
        sanctions.sanction(event.pk, ana, **{**values, **changes})  # type: ignore[arg-type]
    assert not Sanction.objects.exists()


def test_a_round_without_a_seat_of_the_player_has_no_penalty(event: Event, ana: User) -> None:
    with pytest.raises(StaleError, match="sanction-round"):
        sanctions.sanction(
            event.pk,
            ana,
            entry_id=_winner(event).pk,
            round_number=2,
            sanction_kind="warning",
            reason="Noise",
        )


def test_only_the_staff_for_results_gives_penalties(event: Event, ben: User) -> None:
    with pytest.raises(NotAllowedError):
        _give(event, ben, _winner(event))


@pytest.mark.parametrize("format_", ["knockout", "keizer", "mcmahon"])
def test_points_are_deducted_only_where_they_rank(ana: User, format_: str) -> None:
    event = event_of(ana, format=format_)
    enter_listed(event, *NAMES[:4])
    next_round(event)
    entry = _winner(event)
    with pytest.raises(RefusedError, match="sanction-format"):
        _give(event, ana, entry)
    _give(event, ana, entry, "warning")


@pytest.mark.long
def test_teams_lose_match_points_and_the_next_round_counts_it(ana: User) -> None:
    event = event_of(ana, format="team", boards=2, rounds_total=3)
    teams = ("Rayo", "Luna", "Mar", "Nube")
    rows = [ListedPlayer(f"{team} {n}", club=team) for team in teams for n in (1, 2)]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=rows)
    next_round(event)
    type_all(event, ana, random.Random(8))
    close(event)
    best = tables.event_table(event).rows[0]
    assert best.points_halves > 0
    _give(event, ana, best.entry, halves=best.points_halves)
    assert _points(event, best.entry) == 0
    round_ = next_round(event)
    assert round_verification.verify(round_).is_confirmed
    deducted = f"299    -{best.points_halves / 2:.1f}   0.0  001 {best.entry.tpn:4}"
    assert deducted in round_.report
    type_all(event, ana, random.Random(4))
    close(event)
    assert _differences(event) == []
    member = best.entry.members.order_by("board_order")[0]
    _give(event, ana, member, "warning")
    with pytest.raises(RefusedError, match="sanction-format"):
        _give(event, ana, member)


@pytest.mark.long
def test_a_player_with_a_penalty_is_not_deleted_after_the_round_was_unpublished(ana: User) -> None:
    event = event_of(ana)
    enter_listed(event, *NAMES[:4])
    next_round(event)
    entry = _winner(event)
    _give(event, ana, entry, "warning")
    publication.take_back(event.pk, ana, reason="Wrong room")
    other = event.entries.exclude(pk=entry.pk)[0]
    with pytest.raises(RefusedError, match="merge-other-way"):
        merging.merge(event.pk, ana, entry_id=other.pk, other_id=entry.pk)
