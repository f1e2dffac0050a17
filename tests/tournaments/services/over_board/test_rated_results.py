"""Results that are corrected for the rating report alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.urls import reverse

from tests.tournaments import over_board, shared_rows
from tests.tournaments.over_board import close, enter_listed, event_of, next_round
from tests.tournaments.pages import member, text_of
from tournaments import database_time, trf
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Event, Game, RatedResult, Round, User
from tournaments.queries.arbiter import foreign_reports
from tournaments.queries.archives import event_archive, verification
from tournaments.queries.archives.archive_data import ArchiveError
from tournaments.queries.results import pairing_input, reports, tables
from tournaments.services.arbiter import (
    corrections,
    rated_results,
    report_import,
    results,
    undo,
)
from tournaments.services.arbiter.report_import import ImportChoice
from tournaments.standings import Edition, ranking


def _played(ana: User) -> Event:
    """A Swiss with two closed rounds, in which the first players won, and a published one."""
    event = over_board.event_of(ana, format="dutch", tie_breaks="BH,SB")
    over_board.enter_listed(event, "Alba", "Bruno", "Celia", "Dario", "Elena", "Felix")
    over_board.play(event, rounds=2)
    over_board.next_round(event)
    event.refresh_from_db()
    return event


rows_of_file = over_board.rows(_played)
ana = shared_rows.part("ana")
event = shared_rows.part("event")


@pytest.fixture
def game(event: Event) -> Game:
    return Game.objects.get(pairing__event=event, pairing__round__number=1, pairing__board=1)


def rate_as(game: Game, actor: User, result: str) -> None:
    rated_results.rate_as(game.pk, actor, result=result, reason="both sheets say so")


def table(event: Event) -> list[tuple[object, ...]]:
    return [
        (row.rank, row.entry.tpn, row.points_halves, *row.values)
        for row in tables.event_table(event).rows
    ]


def results_of(text: str) -> dict[int, list[str]]:
    report = trf.read(text)
    return {p.id: [each.code.value for each in p.results if each] for p in report.players}


@pytest.mark.long
@pytest.mark.parametrize(
    ("result", "letters"),
    [
        *(("second", "01"), ("draw", "=="), ("second-forfeit", "-+"), ("double-forfeit", "--")),
        *(("short-first", "WL"), ("short-second", "LW"), ("both-lost", "00")),
    ],
)
def test_the_rating_report_alone_has_the_result(
    event: Event, game: Game, ana: User, result: str, letters: str
) -> None:
    before, rows = reports.full_trf_of(event), table(event)
    public, problem = reports.trf_of(event), pairing_input.build(event, 3).report
    rate_as(game, ana, result)
    assert table(event) == rows
    assert pairing_input.build(event, 3).report == problem
    assert results_of(reports.trf_of(event)) == results_of(public)
    both = {entry.tpn: letter for entry, letter in zip(_entries(game), letters, strict=True)}
    assert results_of(reports.full_trf_of(event)) == {
        tpn: [both.get(tpn, first), *rest] for tpn, (first, *rest) in results_of(before).items()
    }


def _entries(game: Game) -> list:
    assert game.pairing is not None
    return [game.pairing.first, game.pairing.second]


@pytest.mark.parametrize("result", ["second", "short-second"])
def test_the_rating_report_keeps_the_points_and_the_places(
    event: Event, game: Game, ana: User, result: str
) -> None:
    def points(text: str) -> list[tuple[object, ...]]:
        return [(p.id, p.points_halves, p.place) for p in trf.read(text).players]

    before = points(reports.full_trf_of(event))
    rate_as(game, ana, result)
    text = reports.full_trf_of(event)
    assert points(text) == before
    report = trf.read(text)
    field = trf.standings_field(report, system=trf.system_of(report), edition=Edition.MARCH_2026)
    places = {
        each.id: each.rank for each in ranking(field, trf.announced_tie_breaks(report)).places
    }
    assert places == {tpn: place for tpn, _, place in before}


@pytest.mark.long
@pytest.mark.parametrize("report", [reports.full_trf_of, reports.trf_of])
@pytest.mark.parametrize("result", ["second", "draw", "short-second", "both-lost"])
def test_an_imported_report_keeps_both_results(
    event: Event, game: Game, ana: User, report: Callable[[Event], str], result: str
) -> None:
    rate_as(game, ana, result)
    text = report(event)
    assert foreign_reports.read(text).problems == []
    choice = ImportChoice(name=event.name, ruleset="morelli(size=5)", goes_on=True)
    again = report_import.import_report(organiser=ana, text=text, choice=choice)
    (row,) = RatedResult.objects.of_event(again.pk)
    assert (row.result, row.game.result) == (result, game.result)
    for export in (reports.full_trf_of, reports.trf_of):
        assert _lines(export(again)) == _lines(export(event))


def _lines(text: str) -> list[str]:
    """Return the lines about results."""
    codes = ("001", "299", "### rating")
    return [line for line in text.splitlines() if line.startswith(codes)]


def test_a_comment_that_contradicts_the_results_is_not_followed(
    event: Event, game: Game, ana: User
) -> None:
    rate_as(game, ana, "second")
    text = reports.full_trf_of(event).replace("0-1 for ratings", "1/2-1/2 for ratings")
    (problem,) = foreign_reports.read(text).problems[:1]
    assert problem.code == "report-abnormal"


@pytest.mark.parametrize("report", [reports.full_trf_of, reports.trf16_of])
def test_a_comment_of_each_report_names_the_result(
    event: Event, game: Game, ana: User, report: Callable[[Event], str]
) -> None:
    rate_as(game, ana, "second")
    first, second = _entries(game)
    assert (
        f"### rating report, round 1, board 1 ({first.tpn} {first.player.name} - "
        f"{second.tpn} {second.player.name}): 0-1 for ratings, 1-0 in the standings\n"
    ) in report(event)


def test_it_is_in_the_log_and_undone_after_the_event_too(
    event: Event, game: Game, ana: User
) -> None:
    rate_as(game, ana, "second")
    rate_as(game, ana, "draw")
    Event.objects.filter(pk=event.pk).update(
        state=Event.State.FINISHED, finished_at=database_time.now()
    )
    last, first = event.audit.filter(action="rate-as").order_by("-pk")
    page = text_of(member(ana).get(reverse("event-log", args=[event.slug])).content)
    assert "result in the rating report changed from “second player won” to “draw”." in page
    with pytest.raises(StaleError, match="undo-late"):
        undo.undo(event_id=event.pk, actor=ana, entry_id=first.pk, reason="mistake")
    for each in (last, first):
        undo.undo(event_id=event.pk, actor=ana, entry_id=each.pk, reason="mistake")
    assert not RatedResult.objects.exists()


@pytest.mark.long
def test_the_page_of_the_game_offers_and_shows_it(event: Event, game: Game, ana: User) -> None:
    client, address = member(ana), game.get_absolute_url()
    assert "For the rating report alone" in text_of(client.get(address).content)
    data = {"act": "rate-as", "result": "second", "reason": "both sheets"}
    answer = client.post(reverse("game-arbiter", args=[game.pk]), data, follow=True)
    assert "The rating report was changed. The standings stay." in text_of(answer.content)
    assert "In the rating report: second player won" in text_of(client.get(address).content)


@pytest.mark.long
def test_the_archive_has_it_and_refuses_an_unknown_one(event: Event, game: Game, ana: User) -> None:
    rate_as(game, ana, "second")
    archive = event_archive.archive_of(event)
    assert [each.rated_as for each in archive.games if each.id == game.pk] == ["second"]
    assert not any(check.differences for check in verification.verify(archive))
    games = tuple(replace(each, rated_as="won") for each in archive.games)
    with pytest.raises(ArchiveError, match="not all results"):
        verification.verify(replace(archive, games=games))


def test_an_equal_correction_of_the_standings_makes_it_void(
    event: Event, game: Game, ana: User
) -> None:
    rate_as(game, ana, "draw")
    corrections.correct(game_id=game.pk, actor=ana, result="draw", reason="both say so")
    assert "### rating report" not in reports.full_trf_of(event)


def test_wrong_results_games_and_people_are_refused(
    event: Event, game: Game, ana: User, ben: User
) -> None:
    for result in ("first", "void", "won"):
        with pytest.raises(RefusedError, match="result-bad"):
            rate_as(game, ana, result)
    with pytest.raises(NotAllowedError):
        rate_as(game, ben, "draw")
    # One round of an event is open at most.
    Round.objects.filter(event=event, number=3).update(
        state=Round.State.CLOSED, closed_at=database_time.now()
    )
    Round.objects.filter(event=event, number=1).update(state=Round.State.PUBLISHED, closed_at=None)
    with pytest.raises(RefusedError, match="rated-result"):
        rate_as(game, ana, "draw")


@pytest.mark.parametrize("format_", ["knockout", "arena"])
def test_reports_of_teams_and_of_ties_have_no_such_results(
    event: Event, game: Game, ana: User, format_: str
) -> None:
    Event.objects.filter(pk=event.pk).update(format=format_)
    with pytest.raises(RefusedError, match="rated-result"):
        rate_as(game, ana, "draw")


@pytest.mark.long
def test_each_game_of_a_mini_match_has_its_own(ana: User) -> None:
    event = event_of(ana, format="dutch", games_per_pairing=2, rounds_total=3)
    enter_listed(event, "Alba", "Bruno", "Celia", "Dario")
    next_round(event)
    for number in (1, 2):
        for board in (1, 2):
            results.enter_result(
                event_id=event.pk,
                actor=ana,
                round_number=1,
                board=board,
                game=number,
                result="first",
            )
    close(event)
    game = Game.objects.get(pairing__event=event, pairing__board=1, number=2)
    before = results_of(reports.full_trf_of(event))
    rate_as(game, ana, "draw")
    after = results_of(reports.full_trf_of(event))
    changed = {tpn: after[tpn] for tpn in after if after[tpn] != before[tpn]}
    assert sorted(changed.values()) == [["0", "="], ["1", "="]]
