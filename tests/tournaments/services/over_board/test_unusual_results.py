"""Results of less than a whole game, and unrated results of games without a move, over the board."""

from __future__ import annotations

import pytest

import games
from tests.tournaments import over_board, shared_rows
from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_results
from tests.tournaments.pages import member
from tournaments import trf
from tournaments.errors import RefusedError
from tournaments.forms.desk import LineForm
from tournaments.models import Event, Game, User
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.records import game_records
from tournaments.queries.results import reports, tables
from tournaments.queries.results.round_seats import SIDES
from tournaments.services.arbiter import board_records, corrections, report_import, results
from tournaments.services.arbiter.report_import import ImportChoice

NAMES = ("Alba", "Bruno", "Celia", "Dario")

# The result, its sign on a slip, the half points and the letters of both sides.
TABLE = [
    ("draw-loss", "=0", (1, 0), ("=", "0")),
    ("loss-draw", "0½", (0, 1), ("0", "=")),
    ("both-lost", "00", (0, 0), ("0", "0")),
    ("short-first", "w1", (2, 0), ("W", "L")),
    ("short-second", "W0", (0, 2), ("L", "W")),
    ("short-draw", "w=", (1, 1), ("D", "D")),
]


def _published(ana: User) -> Event:
    """An event of two rounds whose first is open."""
    event = over_board.event_of(ana, format="dutch", rounds_total=2)
    over_board.enter_listed(event, *NAMES)
    over_board.next_round(event)
    event.refresh_from_db()
    return event


rows_of_file = over_board.rows(_published)
ana = shared_rows.part("ana")
open_event = shared_rows.part("event")


def test_every_result_has_its_two_sides() -> None:
    assert SIDES.keys() == set(Game.Result)


@pytest.mark.long
@pytest.mark.parametrize(("result", "sign", "halves", "letters"), TABLE)
def test_an_unusual_result_counts_in_standings_and_files(
    open_event: Event,
    ana: User,
    result: str,
    sign: str,
    halves: tuple[int, int],
    letters: tuple[str, str],
) -> None:
    form = LineForm({"round_number": 1, "line": f"1 {sign}"})
    assert form.is_valid(), form.errors
    assert form.cleaned_data["result"] == result
    type_results(open_event, {1: result}, rest="draw")
    close(open_event)
    board = open_event.pairings.get(board=1)
    both = (board.first.tpn or 0, board.second.tpn or 0)
    points = {row.entry.tpn: row.points_halves for row in tables.event_table(open_event).rows}
    assert (points[both[0]], points[both[1]]) == halves
    assert board.is_met
    report = reports.trf_of(open_event)
    players = {player.id: player for player in trf.read(report).players}
    codes = [players[tpn].results[0] for tpn in both]
    assert tuple(each.code.value for each in codes if each) == letters
    next_round(open_event)
    archive = archive_file.unpacked(event_archive.of_event(open_event))
    assert [each.differences for each in verification.verify(archive) if each.differences] == []
    choice = ImportChoice(name="Again", ruleset="morelli(size=5)", goes_on=True)
    again = report_import.import_report(organiser=ana, text=report, choice=choice)
    assert again.pairings.get(first__tpn=both[0], second__tpn=both[1]).entered_result == result


def test_a_correction_offers_them_over_the_board(open_event: Event, ana: User) -> None:
    type_results(open_event, rest="draw")
    close(open_event)
    game = Game.objects.filter(pairing__event=open_event).earliest("pk")
    page = member(ana).get(f"{game.get_absolute_url()}").content.decode()
    assert 'value="draw-loss"' in page
    corrections.correct(game_id=game.pk, actor=ana, result="draw-loss", reason="two phones rang")
    game.refresh_from_db()
    assert game.result == "draw-loss"
    assert "1/2-1/2 before, 1/2-0 after" in reports.trf_of(open_event)


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("draw-loss", None),
        ("loss-draw", None),
        ("both-lost", None),
        ("double-forfeit", None),
        ("short-second", "second"),
        ("short-draw", "draw"),
    ],
)
def test_the_record_of_a_game_has_only_a_result_that_the_rules_of_games_know(
    open_event: Event, result: str, outcome: str | None
) -> None:
    type_results(open_event, {1: result}, rest="draw")
    close(open_event)
    game = Game.objects.get(pairing__event=open_event, pairing__board=1)
    assert game_records.document_of(game).result == outcome
    assert games.parse_record(game_records.text_of(game)).outcome == outcome


def test_a_record_is_added_to_a_game_with_half_a_point_and_none_without_a_move(
    open_event: Event, ana: User
) -> None:
    type_results(open_event, {1: "draw-loss", 2: "short-draw"})
    close(open_event)
    played, short = Game.objects.filter(pairing__event=open_event).order_by("pairing__board")
    move = games.load(played.ruleset).start(played.setup).legal_moves()[0]
    board_records.add(game_id=played.pk, actor=ana, text=move)
    assert played.plies.count() == 1
    assert not board_records.may_add(short, ana)


def test_a_tie_of_a_knock_out_has_none(ana: User) -> None:
    event = event_of(ana, format="knockout")
    enter_listed(event, *NAMES)
    next_round(event)
    with pytest.raises(RefusedError, match="no-such-result"):
        results.enter_result(
            event_id=event.pk, actor=ana, round_number=1, board=1, result="both-lost"
        )
