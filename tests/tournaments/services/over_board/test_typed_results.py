"""Typed results outlive the publication of their round: they return with unchanged boards."""

from __future__ import annotations

from collections.abc import Mapping

from tests.tournaments import over_board, shared_rows
from tests.tournaments.over_board import enter_listed, event_of, next_round
from tournaments.models import Event, Pairing, Round, User
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.services.arbiter import results, undo
from tournaments.services.events import listed_players
from tournaments.services.rounds import edits, lifecycle, publication, rounds, typed_results
from tournaments.text import audit_log


def _typed(ana: User) -> Event:
    """Three boards of round 1 with a result each."""
    event = over_board.event_of(ana)
    over_board.enter_listed(event, "Alba", "Bruno", "Celia", "Dario", "Elsa", "Fina")
    over_board.next_round(event)
    over_board.type_results(event, {1: "first", 2: "draw", 3: "second-forfeit"})
    return event


rows_of_file = over_board.rows(_typed)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


def _take_back(event: Event, ana: User) -> Round:
    return publication.take_back(event_id=event.pk, actor=ana, reason="a wrong list")


def _results(event: Event) -> Mapping[int, str]:
    return dict(event.pairings.order_by("board").values_list("board", "entered_result"))


def test_a_round_published_again_unchanged_has_all_its_results(event: Event, ana: User) -> None:
    draft = _take_back(event, ana)
    assert _results(event) == {1: "", 2: "", 3: ""}
    assert [each.result for each in typed_results.of_draft(event, draft)] == [
        "first",
        "draw",
        "second-forfeit",
    ]
    publication.publish_round(event_id=event.pk, actor=ana)
    assert _results(event) == {1: "first", 2: "draw", 3: "second-forfeit"}
    assert results.missing_count(event.rounds.get()) == 0


def test_boards_that_change_lose_their_results_and_are_named_before(
    event: Event, ana: User
) -> None:
    draft = _take_back(event, ana)
    edits.flip(event_id=event.pk, actor=ana, board=2)
    lost = [each for each in typed_results.of_draft(event, draft) if each.pairing is None]
    assert [each.result for each in lost] == ["draw"]
    publication.publish_round(event_id=event.pk, actor=ana)
    assert _results(event) == {1: "first", 2: "", 3: "second-forfeit"}


def test_results_return_to_a_round_that_was_drafted_again(event: Event, ana: User) -> None:
    before = _by_players(event)
    _take_back(event, ana)
    rounds.discard_draft(event_id=event.pk, actor=ana)
    listed_players.enter_all(
        event_id=event.pk,
        actor=ana,
        players=[ListedPlayer("Gala", 1000), ListedPlayer("Hugo", 990)],
    )
    lifecycle.draft_next(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    after = _by_players(event)
    same = before.keys() & after.keys()
    assert {pair: after[pair] for pair in same} == {pair: before[pair] for pair in same}
    assert all(after[pair] == "" for pair in after.keys() - same)


def test_undoing_the_publication_keeps_the_results_too(event: Event, ana: User) -> None:
    entry = event.audit.get(action="publish")
    undo.undo(event_id=event.pk, actor=ana, entry_id=entry.pk, reason="too early")
    publication.publish_round(event_id=event.pk, actor=ana)
    assert _results(event) == {1: "first", 2: "draw", 3: "second-forfeit"}


def test_a_result_that_was_taken_back_before_does_not_return(event: Event, ana: User) -> None:
    _take_back(event, ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    results.enter_result(event_id=event.pk, actor=ana, round_number=1, board=1, result="")
    _take_back(event, ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    assert _results(event) == {1: "", 2: "draw", 3: "second-forfeit"}


def test_the_log_counts_the_results_that_are_kept_and_returned(event: Event, ana: User) -> None:
    _take_back(event, ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    latest = list(event.audit.filter(action__in=["take-back", "publish"])[:2])
    words = audit_log.Words.of(event, latest)
    assert [words.sentence(each) for each in latest] == [
        "Round 1 was published. Boards with their old results: 3.",
        "The publication of round 1 was undone. Boards whose results are kept: 3.",
    ]


def test_both_results_of_a_mini_match_return(ana: User) -> None:
    event = event_of(ana, games_per_pairing=2)
    enter_listed(event, "Alba", "Bruno")
    next_round(event)
    for game, result in ((1, "first"), (2, "draw")):
        results.enter_result(
            event_id=event.pk, actor=ana, round_number=1, board=1, game=game, result=result
        )
    _take_back(event, ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    pairing = Pairing.objects.get(event=event)
    assert [line.entered_result for line in pairing.lines(event)] == ["first", "draw"]


def _by_players(event: Event) -> dict[tuple[str, str], str]:
    rows = event.pairings.values_list(
        "first__player__name", "second__player__name", "entered_result"
    )
    return {(first, second): result for first, second, result in rows}
