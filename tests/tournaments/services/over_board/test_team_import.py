"""Events of teams from their FIDE reports: exported again they are as they were."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.over_board import close, event_of, next_round
from tests.tournaments.services.over_board.test_teams import boards, type_all
from tournaments import trf
from tournaments.errors import RefusedError
from tournaments.models import Event, Round, Seat, TeamBoard, User
from tournaments.queries.arbiter import foreign_reports
from tournaments.queries.arbiter.foreign_teams import MatchSettings
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.archives.archive_data import ArchiveError
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import reports, tables
from tournaments.queries.results.standings import EventRow
from tournaments.services.arbiter import entry_acts, later_ratings, report_import, results
from tournaments.services.arbiter.report_import import ImportChoice
from tournaments.services.events import listed_players
from tournaments.services.rounds import line_ups
from tournaments.standings import System, edition_at, ranking

PUBLIC = Path(__file__).parents[3] / "data" / "public-team-reports" / "grandmommyscup.trf"
NAMES = ("Rayo", "Luna", "Mar", "Nube", "Piedra")


@pytest.fixture
def played_event(ana: User) -> Callable[..., Event]:
    """Return a function that makes an event of five teams for three boards, and plays some of its rounds.

    In round 1 a reserve plays, in round 2 a board is empty and a match is forfeited. A Swiss has a half-point bye in
    round 2. In a round robin a team leaves after round 4.
    """

    def make(code: str, rounds: int, **changes: object) -> Event:
        event = event_of(ana, **{"format": code, "boards": 3, "rounds_total": 4, **changes})
        players = [
            ListedPlayer(f"{name} {n}", 2000 - 100 * n - 10 * place, club=name, title="FM")
            for place, name in enumerate(NAMES)
            for n in (1, 2, 3, 4)
        ]
        listed_players.enter_all(event_id=event.pk, actor=ana, players=players)
        draw = random.Random(rounds)
        last = event.entries.contestants().get(player__name=NAMES[-1])
        if code == "team":
            entry_acts.grant_bye(
                event_id=event.pk, actor=ana, entry_id=last.pk, round_number=2, kind="half"
            )
        for number in range(1, rounds + 1):
            if number == 5:
                entry_acts.withdraw(
                    event_id=event.pk, actor=ana, entry_id=last.pk, reason="They went home."
                )
            round_ = next_round(event)
            pairing = round_.pairings.order_by("board")[0]
            ids = [each.pk for each in pairing.first.members.order_by("board_order")]
            with_empty: Sequence[int | None] = [ids[0], None, ids[1]]
            line_ups.set_line_up(
                event_id=event.pk,
                actor=ana,
                round_number=number,
                entry_id=pairing.first_id,
                member_ids=with_empty if number % 2 == 0 else ids[1:],
            )
            if number == 2:
                _forfeit(event, ana, round_)
            type_all(event, ana, draw)
            close(event)
        event.refresh_from_db()
        return event

    return make


def _forfeit(event: Event, actor: User, round_: Round) -> None:
    """Let the first team of the second match lose every board by forfeit."""
    for board in boards(round_):
        if board.pairing.board == 2:
            is_first = event.is_first_at(board.number)
            result = "second-forfeit" if is_first else "first-forfeit"
            results.enter_result(
                event_id=event.pk,
                actor=actor,
                round_number=round_.number,
                board=2,
                game=board.number,
                result=result,
            )


W, D, L, U = trf.Code.WIN, trf.Code.DRAW, trf.Code.LOSS, trf.Code.PAIRING_BYE
Z = trf.Code.ZERO_BYE


def _player(number: int, *results: tuple[Any, ...]) -> trf.Player:
    return trf.Player(
        number, f"Player {number}", tuple(trf.Result(*each) for each in results), rating=2000
    )


def _import(organiser: User, text: str, *, goes_on: bool) -> Event:
    choice = ImportChoice(name="Liga", ruleset="morelli(size=5)", goes_on=goes_on)
    return report_import.import_report(organiser=organiser, text=text, choice=choice)


def _text(event: Event) -> str:
    return reports.full_trf_of(event).replace(f"012 {event.name}\n", "012 Liga\n")


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "rounds", "goes_on", "alternates"),
    [("team", 3, True, True), ("team-round-robin", 5, False, True), ("team", 3, True, False)],
)
def test_an_event_of_teams_is_exported_line_by_line_as_it_was(
    played_event: Callable[..., Event],
    ana: User,
    code: str,
    rounds: int,
    goes_on: bool,
    alternates: bool,
) -> None:
    event = played_event(code, rounds, alternates_boards=alternates)
    text = _text(event)
    assert " H" in text if code == "team" else "330 +-   5 " in text
    again = _import(ana, text, goes_on=goes_on)
    assert (again.format, again.alternates_boards) == (code, alternates)
    assert ("\n352 WBW\n" if alternates else "\n352 WWW\n") in text
    assert _lines(_text(again)) == _lines(text)
    rows, ours = tables.event_table(event).rows, tables.event_table(again).rows
    assert [_row(row) for row in ours] == [_row(row) for row in rows]


@pytest.mark.long
def test_a_member_of_a_team_has_ratings_from_later_rounds(
    played_event: Callable[..., Event], ana: User
) -> None:
    event = played_event("team", 2)
    team, other = event.entries.contestants().order_by("tpn")[:2]
    member = other.members.order_by("board_order")[1]
    rate = partial(
        later_ratings.set_rating_from,
        event_id=event.pk,
        actor=ana,
        from_round=2,
        centielo=210_000,
        reason="list of December",
    )
    with pytest.raises(RefusedError, match="team-rating"):
        rate(entry_id=team.pk)
    rate(entry_id=member.pk)
    text = _text(event)
    assert f"### rating from round 2: {team.members.count() + 2} 2100\n" in text
    again = _import(ana, text, goes_on=True)
    assert _lines(_text(again)) == _lines(text)
    archive = event_archive.archive_of(event)
    assert [len(each.later_ratings) for each in archive.members].count(1) == 1
    checks = verification.verify(archive_file.unpacked(archive_file.packed(archive)))
    assert [each for check in checks for each in check.differences] == []


def _lines(text: str) -> list[str]:
    """Return the lines of an export, without those that an import cannot have.

    It has the days from rounds alone, and no log of withdrawals.
    """
    lacking = ("042", "052", "### Withdrawal")
    return [line for line in text.splitlines() if not line.startswith(lacking)]


def _row(row: EventRow) -> tuple[object, ...]:
    return row.entry.player.name, row.rank, row.points_halves, row.wins, tuple(row.values)


@pytest.mark.long
def test_the_team_named_first_can_have_the_first_ply_at_all_boards(
    played_event: Callable[..., Event],
) -> None:
    event = played_event("team", 2, alternates_boards=False)
    for board in TeamBoard.objects.filter(pairing__event=event).select_related(
        "pairing", "first", "second"
    ):
        teams = (board.pairing.first_id, board.pairing.second_id)
        for member, team in zip((board.first, board.second), teams, strict=True):
            assert member is None or member.team_id == team
    archive = archive_file.unpacked(archive_file.packed(event_archive.archive_of(event)))
    assert [each for check in verification.verify(archive) for each in check.differences] == []
    changed = replace(archive, event=replace(archive.event, alternates_boards=True))
    with pytest.raises(ArchiveError, match="is not of team"):
        verification.verify(changed)


@pytest.mark.long
def test_the_next_round_of_an_imported_event_of_teams_is_the_one_of_its_source(
    played_event: Callable[..., Event], ana: User
) -> None:
    event = played_event("team", 2)
    first = event.entries.contestants().order_by("tpn")[0]
    entry_acts.grant_bye(
        event_id=event.pk, actor=ana, entry_id=first.pk, round_number=4, kind="zero"
    )
    again = _import(ana, _text(event), goes_on=True)
    assert trf.read(_text(again)).absences == trf.read(_text(event)).absences
    pairs = []
    for each in (event, again):
        pairings = next_round(each).pairings.select_related("first", "second").order_by("board")
        pairs.append([(p.first.tpn, p.second.tpn) for p in pairings])
    assert pairs[0] == pairs[1]


LEAGUE = trf.Report(
    headers=(trf.Header("012", "Liga"),),
    rounds_total=3,
    odd_is_white=True,
    system="FIDE_TEAM_TYPEA_MP_GP",
    players=(
        _player(1, (W, 5, True), (D, 3, False)),
        _player(2, (D, 6, False), (W, 4, True)),
        _player(3, (U,), (D, 1, True)),
        _player(4, (U,), (L, 2, False)),
        _player(5, (L, 1, False), (U,)),
        _player(6, (D, 2, True), (U,)),
    ),
    team_records=trf.TeamRecords(
        teams=(
            trf.Team(1, "Torre", match_halves=8, game_halves=6, members=(1, 2)),
            trf.Team(2, "Alfil", match_halves=2, game_halves=3, members=(3, 4)),
            trf.Team(3, "Peón", match_halves=2, game_halves=3, members=(5, 6)),
        ),
        byes=trf.TeamByes(2, 2, (2, 3)),
    ),
)


@pytest.mark.long
def test_a_file_without_colours_of_boards_has_the_usual_ones(ana: User) -> None:
    text = trf.write(LEAGUE)
    foreign = foreign_reports.read(text)
    assert (foreign.problems, foreign.obstacle) == ([], "")
    event = _import(ana, text, goes_on=True)
    report = trf.read(reports.trf_of(event))
    assert report.team_records.colours == "WB"
    assert [team.strength for team in report.team_records.teams] == ["2000", "2000", "2000"]
    assert [(t.match_halves, t.game_halves) for t in report.team_records.teams] == [
        (t.match_halves, t.game_halves) for t in LEAGUE.team_records.teams
    ]


def _with_records(**changes: Any) -> trf.Report:
    return LEAGUE._replace(team_records=LEAGUE.team_records._replace(**changes))


def _with_players(results: Mapping[int, Sequence[tuple[Any, ...]]]) -> trf.Report:
    players = [_player(p.id, *results[p.id]) if p.id in results else p for p in LEAGUE.players]
    return LEAGUE._replace(players=tuple(players))


ADJOURNED_2 = ((D, 6, False), (trf.Code.ADJOURNED, 4, True))
ADJOURNED_4 = ((U,), (trf.Code.ADJOURNED, 2, False))


def test_a_match_without_a_game_is_one_of_both_teams(ana: User) -> None:
    """A team with an empty board wins the others by forfeit, and loses that one."""
    won, lost = trf.Code.FORFEIT_WIN, trf.Code.FORFEIT_LOSS
    report = _with_players(
        {
            1: ((W, 5, True), (lost, 3, False)),
            2: ((D, 6, False), (won,)),
            3: ((U,), (won, 1, True)),
            4: ((U,), (Z,)),
        }
    )
    teams = [each._replace(match_halves=None, game_halves=None) for each in TEAMS]
    report = report._replace(team_records=report.team_records._replace(teams=tuple(teams)))
    foreign = foreign_reports.read(trf.write(report))
    assert foreign.problems == []
    assert [(each.first, each.second) for each in foreign.rounds[1].boards] == [(2, 1)]


def test_members_who_lose_to_no_one_were_absent(ana: User) -> None:
    idle = trf.Result(trf.Code.FORFEIT_LOSS)
    players = [p._replace(results=(*p.results, idle)) for p in LEAGUE.players]
    team_4 = (_player(7, (Z,), (Z,), (D, 8, True)), _player(8, (Z,), (Z,), (D, 7, False)))
    teams = (*TEAMS, trf.Team(4, "Reina", members=(7,)), trf.Team(5, "Rey", members=(8,)))
    report = _with_records(teams=teams)._replace(players=(*players, *team_4), rounds_total=4)
    foreign = foreign_reports.read(trf.write(report))
    assert foreign.problems == []
    assert foreign.rounds[2].byes == dict.fromkeys((1, 2, 3), Seat.Kind.ZERO_BYE)


@pytest.mark.long
def test_members_share_the_bye_of_their_team(ana: User) -> None:
    """Record `240` alone tells the game points of a half-point bye."""
    players = [p._replace(results=(*p.results, trf.Result(Z))) for p in LEAGUE.players[2:]]
    first = (
        _player(1, (W, 5, True), (D, 3, False), (Z,)),
        _player(2, (D, 6, False), (W, 4, True), (Z,)),
    )
    teams = (TEAMS[0]._replace(match_halves=10, game_halves=8), *TEAMS[1:])
    report = _with_records(teams=teams, byes=trf.TeamByes(2, 2, (2, 3, None)))._replace(
        players=(*first, *players),
        absences=(trf.Absence(trf.Code.HALF_BYE, 3, (1,)),),
    )
    event = _import(ana, trf.write(report), goes_on=False)
    best = trf.read(reports.trf_of(event)).team_records.teams[0]
    assert (best.match_halves, best.game_halves) == (10, 8)


TEAMS = LEAGUE.team_records.teams


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (LEAGUE._replace(system="FIDE_TEAM_TYPEA_GP_MP"), "report-team-system"),
        (LEAGUE._replace(system="FIDE_DUTCH_2026"), "report-team-system"),
        (_with_records(win=5), "report-match-points"),
        (_with_records(colours="WW"), "report-board-colours"),
        (_with_records(colours="WB" * 11), "report-boards"),
        (_with_records(byes=trf.TeamByes(2, 3, (2, 3))), "report-team-bye"),
        (_with_records(teams=(*TEAMS[:2], TEAMS[2]._replace(name="torre"))), "report-team-name"),
        (_with_records(teams=(*TEAMS[:2], TEAMS[2]._replace(members=(5,)))), "report-no-team"),
        (_with_records(teams=(TEAMS[0]._replace(game_halves=5), *TEAMS[1:])), "report-points"),
        (
            _with_records(line_ups=(trf.LineUp(2, 1, 2, (2, 1)),)),
            "report-match",
        ),
        (_with_players({2: ADJOURNED_2, 4: ADJOURNED_4}), "report-result"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_of_teams_that_cannot_be_kept_is_refused_with_the_reason(
    report: trf.Report, code: str, ana: User
) -> None:
    text = trf.write(report)
    assert code in {each.code for each in foreign_reports.read(text).problems}
    with pytest.raises(RefusedError, match="report-problems"):
        _import(ana, text, goes_on=False)


@pytest.mark.parametrize("system", ["FIDE_TEAM_TYPEB_MP_GP", "FIDE_TEAM_BAKU"])
def test_teams_with_other_colours_or_acceleration_are_kept_as_finished(
    system: str, ana: User
) -> None:
    text = trf.write(LEAGUE._replace(system=system))
    with pytest.raises(RefusedError, match="report-obstacle"):
        _import(ana, text, goes_on=True)
    assert _import(ana, text, goes_on=False).state == Event.State.FINISHED


def test_a_public_file_of_teams_is_read_without_a_problem() -> None:
    foreign = foreign_reports.read(PUBLIC.read_text())
    assert (foreign.problems, foreign.obstacle) == ([], "accelerated teams")
    assert (len(foreign.teams), len(foreign.players), len(foreign.rounds)) == (50, 249, 14)
    assert foreign.match_settings == MatchSettings(
        boards=4, match_points="2-1-0", match_bye="draw", has_fixed_order=False, cycles=1
    )


@pytest.mark.slow
def test_a_public_file_of_teams_is_kept_with_its_standings(ana: User) -> None:
    text = PUBLIC.read_text()
    event = _import(ana, text, goes_on=False)
    exported = reports.full_trf_of(event)
    ours, theirs = (trf.read(each).team_records for each in (exported, text))
    for one, other in zip(ours.teams, theirs.teams, strict=True):
        plain = other._replace(members=(), rank=None, nickname="")
        assert one._replace(members=(), rank=None) == plain
    assert ours.byes == theirs.byes
    assert set(ours.forfeits) == set(theirs.forfeits)
    field = trf.team_field(
        foreign_reports.read(text).report,
        system=System.SWISS,
        edition=edition_at(date(2024, 12, 1)),
    )
    places = ranking(field, event.tie_breaks.split(",")).places
    rows = tables.event_table(event).rows
    assert [(row.entry.tpn, row.rank) for row in rows] == [(p.id, p.rank) for p in places]
    # The second file does not name the acceleration, so its rounds can be compared with the rules.
    again = reports.full_trf_of(_import(ana, exported, goes_on=False))
    assert _without_comparison(again) == _without_comparison(exported)


def _without_comparison(report: str) -> list[str]:
    return [line for line in report.splitlines() if not line.startswith("### Import @")]
