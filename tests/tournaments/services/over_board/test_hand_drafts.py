"""Drafts without boards: paired by hand to the end of the event, and in round robins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.urls import reverse

from tests.tournaments import over_board
from tests.tournaments.conftest import event_of
from tests.tournaments.over_board import close, enter_listed, type_results
from tests.tournaments.pages import member, text_of
from tournaments.errors import RefusedError
from tournaments.models import Event, Seat, User
from tournaments.queries.arbiter import round_verification, table_checks
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.results import reports, tables
from tournaments.queries.results.fide_rules import Departure, departures
from tournaments.services.arbiter import entry_acts, undo
from tournaments.services.rounds import edits, hand_drafts, lifecycle, publication, rounds

Play = Callable[..., None]

FOUR = ("Alba", "Bruno", "Celia", "Dario")


@pytest.fixture
def play(ana: User) -> Play:
    """Return a function that plays a round with these boards, paired by hand. All games are drawn."""

    def do(event: Event, boards: Sequence[tuple[int, int]], *, bye: int = 0) -> None:
        hand_drafts.draft_by_hand(event_id=event.pk, actor=ana)
        for first, second in boards:
            edits.pair(event_id=event.pk, actor=ana, tpn=first, other=second)
        if bye:
            edits.give_bye(event_id=event.pk, actor=ana, tpn=bye)
        publication.publish_round(event_id=event.pk, actor=ana)
        type_results(event, rest="draw")
        close(event)
        event.refresh_from_db()

    return do


def _start(event: Event, ana: User, names: Sequence[str] = FOUR) -> None:
    enter_listed(event, *names)
    lifecycle.start_event(event_id=event.pk, actor=ana)


def _points(event: Event) -> dict[int | None, int]:
    return {row.entry.tpn: row.points_halves for row in tables.event_table(event).rows}


@pytest.mark.long
def test_a_swiss_is_paired_by_hand_to_its_end_when_no_legal_pairing_is_left(
    play: Play, ana: User
) -> None:
    event = over_board.event_of(ana, format="dutch", rounds_total=4)
    _start(event, ana)
    for boards in ([(1, 2), (3, 4)], [(3, 1), (4, 2)], [(1, 4), (2, 3)]):
        play(event, boards)
    with pytest.raises(RefusedError, match="no-pairing"):
        rounds.draft_round(event_id=event.pk, actor=ana)
    play(event, [(2, 1), (4, 3)])
    assert event.state == Event.State.FINISHED
    assert _points(event) == dict.fromkeys((1, 2, 3, 4), 4)
    assert departures(event) == [Departure.BY_HAND]
    report = reports.trf_of(event)
    assert "### MPA @ Round 4: boards made by hand: 1, 2\n" in report
    assert "cannot all be paired" in round_verification.verify(event.rounds.get(number=4)).failure
    archive = archive_file.unpacked(event_archive.of_event(event))
    assert [each.differences for each in verification.verify(archive) if each.differences] == []


def test_two_who_have_met_cannot_be_paired_while_a_legal_pairing_exists(
    play: Play, ana: User
) -> None:
    event = over_board.event_of(ana, format="dutch", rounds_total=3)
    _start(event, ana)
    play(event, [(1, 2), (3, 4)])
    hand_drafts.draft_by_hand(event_id=event.pk, actor=ana)
    with pytest.raises(RefusedError, match="edit-met"):
        edits.pair(event_id=event.pk, actor=ana, tpn=2, other=1)


def test_the_bye_is_given_by_hand_once(play: Play, ana: User) -> None:
    event = over_board.event_of(ana, format="dutch", rounds_total=3)
    _start(event, ana, FOUR[:3])
    play(event, [(1, 2)], bye=3)
    assert _points(event) == {1: 1, 2: 1, 3: 2}
    hand_drafts.draft_by_hand(event_id=event.pk, actor=ana)
    edits.give_bye(event_id=event.pk, actor=ana, tpn=1)
    edits.give_bye(event_id=event.pk, actor=ana, tpn=2)
    seats = event.rounds.get(number=2).seats
    assert seats.get(kind=Seat.Kind.PAIRING_BYE).entry.tpn == 2
    with pytest.raises(RefusedError, match="edit-bye"):
        edits.give_bye(event_id=event.pk, actor=ana, tpn=3)


def test_requested_byes_stay_and_the_pairing_of_the_system_is_compared(ana: User) -> None:
    event = over_board.event_of(ana, format="dutch", rounds_total=3)
    _start(event, ana, [*FOUR, "Elena"])
    entry_acts.grant_bye(
        event_id=event.pk,
        actor=ana,
        entry_id=event.entries.get(tpn=5).pk,
        round_number=1,
        kind="half",
    )
    draft = hand_drafts.draft_by_hand(event_id=event.pk, actor=ana)
    kinds = dict(draft.seats.values_list("entry__tpn", "kind"))
    assert kinds == {**dict.fromkeys((1, 2, 3, 4), "zero-bye"), 5: "half-bye"}
    assert len(draft.evidence["boards"]) == 2
    row = event.audit.get(action="draft-by-hand")
    undo.undo(event_id=event.pk, actor=ana, entry_id=row.pk, reason="by the system after all")
    assert not event.rounds.exists()


@pytest.mark.long
def test_a_round_robin_paired_by_hand_checks_every_meeting_and_colour(
    play: Play, ana: User
) -> None:
    event = over_board.event_of(ana, format="round-robin")
    _start(event, ana)
    play(event, [(1, 2), (3, 4)])
    play(event, [(1, 3), (2, 4)])
    hand_drafts.draft_by_hand(event_id=event.pk, actor=ana)
    with pytest.raises(RefusedError, match="edit-met"):
        edits.pair(event_id=event.pk, actor=ana, tpn=2, other=1)
    edits.pair(event_id=event.pk, actor=ana, tpn=1, other=4)
    faults = table_checks.faults(event.rounds.get(number=3))
    assert [each.player.name for each in faults.third_colours] == ["Alba", "Dario"]
    assert [(one.tpn, two.tpn) for one, two in faults.missing] == [(2, 3)]
    page = text_of(member(ana).get(reverse("event-draft", args=[event.slug])).content)
    assert "Alba has one side three times in a row." in page
    assert "A game of Bruno and Celia is missing." in page
    edits.flip(event_id=event.pk, actor=ana, board=1)
    edits.pair(event_id=event.pk, actor=ana, tpn=2, other=3)
    faults = table_checks.faults(event.rounds.get(number=3))
    assert (list(faults.third_colours), list(faults.missing)) == ([], [])


@pytest.mark.long
def test_a_table_that_lets_two_meet_again_is_continued_by_hand(play: Play, ana: User) -> None:
    event = over_board.event_of(ana, format="round-robin")
    _start(event, ana)
    # The boards of round 2 of the table.
    play(event, [(1, 2), (4, 3)])
    with pytest.raises(RefusedError, match="no-pairing"):
        lifecycle.draft_next(event_id=event.pk, actor=ana)
    play(event, [(1, 4), (2, 3)])
    # Round 3 of the table is possible again.
    assert lifecycle.draft_next(event_id=event.pk, actor=ana)


def test_an_automatic_event_and_a_knock_out_are_not_paired_by_hand(ana: User) -> None:
    knockout = over_board.event_of(ana, format="knockout")
    _start(knockout, ana)
    with pytest.raises(RefusedError, match="edit-format"):
        hand_drafts.draft_by_hand(event_id=knockout.pk, actor=ana)
    event = event_of(ana)
    with pytest.raises(RefusedError, match="hand-automatic"):
        hand_drafts.draft_by_hand(event_id=event.pk, actor=ana)
