"""Mini-matches over the board: two games a pairing, the second with the sides exchanged (C.04.5)."""

from __future__ import annotations

import pytest

from tests.tournaments.over_board import close, enter_listed, event_of, next_round, type_games
from tournaments import trf
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, User
from tournaments.pairing import RoundKind
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.results import histories, pairing_input, reports, tables
from tournaments.services.arbiter import corrections, entry_acts, results
from tournaments.services.results import event_document, sheets
from tournaments.standings import System, decimal_text, edition_at, ranking

NAMES = ("Alba", "Bruno", "Celia", "Dario", "Elena", "Fermín")


@pytest.fixture
def match_event(ana: User) -> Event:
    """Six players, mini-matches, round 1 published: 1-4, 5-2, 3-6 or with the sides exchanged."""
    event = event_of(ana, games_per_pairing=2, rounds_total=3)
    enter_listed(event, *NAMES)
    next_round(event)
    return event


def _points(event: Event) -> dict[str, int]:
    return {row.entry.player.name: row.points_halves for row in tables.event_table(event).rows}


@pytest.mark.parametrize(
    ("both", "halves"),
    [
        (("first", "second"), (4, 0)),
        (("first", "draw"), (3, 1)),
        (("first", "first"), (2, 2)),
        (("second", "draw"), (1, 3)),
        (("first-forfeit", "second-forfeit"), (4, 0)),
        (("first-forfeit", "second"), (4, 0)),
        (("draw", "double-forfeit"), (1, 1)),
    ],
)
def test_both_games_count_for_who_won_them_though_the_sides_change(
    match_event: Event, both: tuple[str, str], halves: tuple[int, int]
) -> None:
    pairing = match_event.pairings.get(board=1)
    type_games(match_event, {1: both})
    names = pairing.first.player.name, pairing.second.player.name
    points = _points(match_event)
    assert (points[names[0]], points[names[1]]) == halves
    close(match_event)
    assert _points(match_event) == points
    games = list(Game.objects.filter(pairing=pairing).order_by("number"))
    assert [(game.number, game.first_id) for game in games] == [
        (1, pairing.first.player_id),
        (2, pairing.second.player_id),
    ]
    pairing.refresh_from_db()
    assert pairing.is_met is (both != ("first-forfeit", "second-forfeit"))


def test_a_board_with_one_result_is_not_complete(match_event: Event, ana: User) -> None:
    def enter(board: int, game: int) -> results.EnteredResult:
        return results.enter_result(
            event_id=match_event.pk,
            actor=ana,
            round_number=1,
            board=board,
            game=game,
            result="first",
        )

    assert enter(1, 1).missing == 5
    assert enter(1, 2).missing == 4
    assert enter(2, 2).missing == 3
    with pytest.raises(RefusedError) as refused:
        results.close_round(event_id=match_event.pk, actor=ana, round_number=1)
    assert (refused.value.code, refused.value.parts) == (
        "results-missing",
        {"boards": "2, 3"},
    )
    with pytest.raises(RefusedError, match="no-such-board"):
        enter(1, 3)


@pytest.mark.long
def test_the_next_round_is_paired_by_points_of_games_with_a_match_as_a_round(
    match_event: Event,
) -> None:
    type_games(match_event, {1: ("first", "draw"), 2: ("second", "first"), 3: ("draw", "draw")})
    close(match_event)
    round_ = next_round(match_event)
    problem = pairing_input.read_back(round_)
    assert (problem.round_number, problem.rounds_total) == (2, 3)
    first_round = match_event.rounds.get(number=1)
    records = {each.tpn: each.records for each in problem.contestants}
    for board, halves in ((1, (3, 1)), (2, (0, 4)), (3, (2, 2))):
        pairing = first_round.pairings.get(board=board)
        (mine,), (theirs,) = records[pairing.first.tpn or 0], records[pairing.second.tpn or 0]
        assert (mine.score_halves, theirs.score_halves) == halves
        assert (mine.kind, theirs.kind) == (RoundKind.FIRST, RoundKind.SECOND)
        assert mine.opponent == pairing.second.tpn
    scores = _points(match_event)
    top = round_.pairings.get(board=1)
    assert {scores[top.first.player.name], scores[top.second.player.name]} == {3, 4}


@pytest.mark.long
def test_the_report_has_each_game_as_a_round_and_the_tie_breaks_of_the_page(
    match_event: Event,
) -> None:
    type_games(match_event, {1: ("first", "draw"), 2: ("first-forfeit", "draw")})
    close(match_event)
    next_round(match_event)
    type_games(match_event, {1: ("second", "first"), 3: ("first-forfeit", "second-forfeit")})
    close(match_event)
    report = trf.read(reports.trf_of(match_event))
    assert (report.rounds_total, trf.rounds_played(report)) == (6, 4)
    for player in report.players:
        for one, two in zip(player.results[::2], player.results[1::2], strict=True):
            assert one is not None
            assert two is not None
            assert one.opponent == two.opponent
            assert one.is_white is (not two.is_white)
    codes = {code for player in report.players for code in (r.code for r in player.results if r)}
    # A single forfeited game of a match counts as played, a forfeited match does not.
    assert {"W", "L", "+", "-"} < {code.value for code in codes}
    table = tables.event_table(match_event)
    names = [each.name for each in table.tie_breaks]
    begin = match_event.started_at
    assert begin is not None
    field = trf.standings_field(report, system=System.SWISS, edition=edition_at(begin.date()))
    places = {place.id: place for place in ranking(field, names).places}
    for row in table.rows:
        place = places[row.entry.tpn or 0]
        values = [place.values[name] for name in names]
        texts = ["" if value is None else decimal_text(value) for value in values]
        assert (place.rank, place.points_halves) == (row.rank, row.points_halves)
        assert texts == list(row.values)
    assert trf.points_halves(report) == {row.entry.tpn: row.points_halves for row in table.rows}


@pytest.mark.long
def test_a_bye_counts_for_both_games(ana: User) -> None:
    event = event_of(ana, games_per_pairing=2, rounds_total=3)
    enter_listed(event, *NAMES)
    entry = event.entries.get(player__name="Alba")
    entry_acts.grant_bye(
        event_id=event.pk, actor=ana, entry_id=entry.pk, round_number=1, kind="half", reason="late"
    )
    round_ = next_round(event)
    type_games(event, {})
    close(event)
    bye = round_.seats.get(kind="pairing-bye").entry.player.name
    points = _points(event)
    assert (points["Alba"], points[bye]) == (2, 4)
    report = trf.read(reports.trf_of(event))
    letters = {p.name: [r.code.value for r in p.results if r] for p in report.players}
    assert (letters["Alba"], letters[bye]) == (["H", "H"], ["U", "U"])
    paired_from = trf.read(next_round(event).report)
    halves = {player.name: player.points_halves for player in paired_from.players}
    assert (halves["Alba"], halves[bye]) == (2, 4)
    assert halves == points


def test_a_correction_of_one_game_changes_its_points_alone(match_event: Event, ana: User) -> None:
    type_games(match_event, {1: ("first", "first")})
    close(match_event)
    pairing = match_event.pairings.get(board=1)
    second_game = pairing.games.get(number=2)
    corrections.correct(
        game_id=second_game.pk, actor=ana, result="second", reason="the slip was misread"
    )
    points = _points(match_event)
    assert (points[pairing.first.player.name], points[pairing.second.player.name]) == (4, 0)


@pytest.mark.long
def test_the_archive_is_verified_and_the_sheets_have_both_games(match_event: Event) -> None:
    type_games(match_event, {1: ("first", "draw"), 2: ("first", "second")})
    close(match_event)
    next_round(match_event)
    type_games(match_event, {1: ("draw", "first")})
    close(match_event)
    archive = archive_file.unpacked(archive_file.packed(event_archive.archive_of(match_event)))
    assert [each for check in verification.verify(archive) for each in check.differences] == []
    pairing = match_event.rounds.get(number=1).pairings.get(board=1)
    assert f"{pairing.second.tpn}w1=" in sheets.crosstable(match_event)
    assert "1.5,0.5" in sheets.pairings(match_event)
    document = event_document.document_of(match_event)
    rounds = document["rounds"]
    assert isinstance(rounds, list)
    board = rounds[0]["pairings"][0]
    assert (board["first_points_halves"], len(board["games"])) == (3, 2)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"format": "round-robin"}, "mini-matches-swiss"),
        ({"format": "knockout"}, "mini-matches-swiss"),
        ({"format": "dutch", "is_accelerated": True}, "mini-matches-plain"),
        ({"games_per_pairing": 3}, "options-bad"),
    ],
)
def test_what_mini_matches_do_not_go_with_is_refused(
    ana: User, changes: dict[str, object], code: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        event_of(ana, **{"games_per_pairing": 2, **changes})
    assert refused.value.code == code


def test_a_match_won_by_half_a_point_is_won(match_event: Event) -> None:
    type_games(match_event, {1: ("first", "draw"), 2: ("first", "first")})
    close(match_event)
    history = histories.of_event(match_event)
    outcomes = {
        board: history[match_event.pairings.get(board=board).first_id][1].outcome
        for board in (1, 2)
    }
    assert outcomes == {1: "win", 2: "draw"}
