"""Events of teams over the board: entries, line-ups, results by board, tables and files."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.tournaments.over_board import TEAMS, close, event_of, next_round, team_event_of
from tournaments import trf
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Entry, Event, Game, Round, TeamBoard, User
from tournaments.pairing import system
from tournaments.queries.arbiter import round_verification
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import histories, reports, standings, tables
from tournaments.queries.results.round_seats import TeamSeat
from tournaments.round_kinds import Kind
from tournaments.services.arbiter import correction_preview, corrections, entry_acts, results
from tournaments.services.events import listed_players, teams
from tournaments.services.results import event_document
from tournaments.services.rounds import line_ups
from tournaments.standings import System, ranking
from tournaments.standings.field import Edition


def boards(round_: Round) -> list[TeamBoard]:
    rows = TeamBoard.objects.filter(pairing__round=round_).order_by("pairing__board", "number")
    return list(rows.select_related("pairing", "first__player", "second__player"))


def type_all(event: Event, actor: User, draw: random.Random) -> None:
    round_ = results.open_round(event)
    assert round_ is not None
    for board in boards(round_):
        if not board.entered_result:
            results.enter_result(
                event_id=event.pk,
                actor=actor,
                round_number=round_.number,
                board=board.pairing.board,
                game=board.number,
                result=draw.choice(results.ENTERED),
            )


def test_a_list_enters_players_for_the_teams_of_its_column(ana: User) -> None:
    event = team_event_of(ana)
    entered = event.entries.contestants()
    assert [team.player.name for team in entered] == list(TEAMS)
    assert [m.player.name for m in entered[0].members.order_by("board_order")] == [
        "Rayo 1",
        "Rayo 2",
        "Rayo 3",
    ]


def test_a_player_without_a_team_is_refused_with_the_name_of_the_column(ana: User) -> None:
    rows = [ListedPlayer("Alba", 1800)]
    with pytest.raises(RefusedError, match="team-column"):
        listed_players.enter_all(event_id=team_event_of(ana).pk, actor=ana, players=rows)


@pytest.mark.long
def test_teams_are_numbered_by_the_average_of_their_boards(ana: User) -> None:
    event = team_event_of(ana)
    next_round(event)
    teams_of = event.entries.exclude(tpn=None).select_related("player").order_by("tpn")
    assert [(t.player.name, t.seed_elo) for t in teams_of] == [
        ("Rayo", 1850),
        ("Luna", 1840),
        ("Mar", 1830),
        ("Nube", 1820),
        ("Piedra", 1810),
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    ("ratings", "number"),
    [((1970, 1700), 3), ((2400, 2300), 1), ((1970,), 6)],
    ids=["in the middle", "first", "with an empty board"],
)
def test_a_late_team_gets_the_number_that_its_boards_ask_for(
    ana: User, ratings: tuple[int, ...], number: int
) -> None:
    event, draw = team_event_of(ana), random.Random(3)
    next_round(event)
    type_all(event, ana, draw)
    close(event)
    members = [ListedPlayer(f"Sol {elo}", elo, club="Sol") for elo in ratings]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=members)
    names = list(TEAMS)
    names.insert(number - 1, "Sol")
    teams_of = event.entries.exclude(tpn=None).order_by("tpn")
    assert list(teams_of.values_list("player__name", flat=True)) == names
    next_round(event)
    for round_ in event.rounds.all():
        assert round_verification.verify(round_).is_confirmed, round_


@pytest.mark.long
def test_a_team_that_is_paired_keeps_its_number(ana: User) -> None:
    event, draw = team_event_of(ana, rounds_total=5, last_late_round=3), random.Random(3)
    next_round(event)
    type_all(event, ana, draw)
    close(event)
    late = [ListedPlayer("Sol 1", 1400, club="Sol")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=late)
    next_round(event)
    before = dict(event.entries.exclude(tpn=None).values_list("pk", "tpn"))
    strong = [ListedPlayer("Sol 2", 2900, club="Sol")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=strong)
    assert dict(event.entries.exclude(tpn=None).values_list("pk", "tpn")) == before


def test_the_first_team_has_the_first_ply_at_odd_boards(ana: User) -> None:
    rows = boards(next_round(team_event_of(ana)))
    assert len(rows) == 4
    for row in rows:
        first_team = row.pairing.first_id if row.number == 1 else row.pairing.second_id
        assert row.first is not None
        assert row.first.team_id == first_team


@pytest.mark.parametrize("code", ["team", "team-round-robin"])
@pytest.mark.long
def test_pages_and_report_file_have_one_table(ana: User, code: str) -> None:
    event = team_event_of(ana, format=code)
    draw = random.Random(7)
    for number in (1, 2, 3):
        round_ = next_round(event)
        pairing = round_.pairings.order_by("board")[number % 2]
        members = list(pairing.first.members.order_by("board_order"))
        # A reserve plays at the last board, or a board stays empty.
        second = members[2].pk if number != 2 else None
        line_ups.set_line_up(
            event_id=event.pk,
            actor=ana,
            round_number=number,
            entry_id=pairing.first_id,
            member_ids=[members[0].pk, second],
        )
        type_all(event, ana, draw)
        close(event)
        event.refresh_from_db()
        report = trf.read(text := reports.trf_of(event))
        assert trf.write(report) == text
        # A match of teams is one round of the file, with one date.
        assert "mini-match" not in text
        dates = next(line for line in text.splitlines() if line.startswith("132"))
        assert len(dates.split()) == 1 + number
        kind = System.ROUND_ROBIN if code == "team-round-robin" else System.SWISS
        of_file = trf.team_field(report, system=kind, edition=Edition.MARCH_2026)
        ours = standings.event_field(event)
        assert of_file.points == ours.points
        assert of_file.by_score("GP").points == ours.by_score("GP").points
        names = standings.tie_break_names(event)
        assert [(p.id, p.rank, p.values) for p in ranking(of_file, names).places] == [
            (p.id, p.rank, p.values) for p in ranking(ours, names).places
        ]
        assert [row.entry.tpn for row in tables.event_table(event).rows] == [
            p.id for p in ranking(ours, names).places
        ]


@pytest.mark.long
def test_another_program_pairs_the_next_round_from_the_file(ana: User) -> None:
    event = team_event_of(ana)
    draw = random.Random(3)
    for _ in range(2):
        next_round(event)
        type_all(event, ana, draw)
        close(event)
    event.refresh_from_db()
    report = trf.read(reports.trf_of(event))
    problem = trf.pairing_problem(report, systems=["FIDE_TEAM"])
    solution = system("team").pair(problem)
    round_ = next_round(event)
    pairs = [(p.first.tpn, p.second.tpn) for p in round_.pairings.order_by("board")]
    assert pairs == [(board.first, board.second) for board in solution.boards]


@pytest.mark.long
def test_a_match_is_won_by_game_points(ana: User) -> None:
    event = team_event_of(ana)
    round_ = next_round(event)
    first, second = boards(round_)[:2]
    for board, result in ((first, "first"), (second, "draw")):
        results.enter_result(
            event_id=event.pk,
            actor=ana,
            round_number=1,
            board=board.pairing.board,
            game=board.number,
            result=result,
        )
    seat, other = (
        histories.of_event(event)[pk][1] for pk in (first.pairing.first_id, first.pairing.second_id)
    )
    assert isinstance(seat, TeamSeat)
    assert isinstance(other, TeamSeat)
    assert (seat.score_halves, seat.game_halves) == (4, 3)
    assert (other.score_halves, other.game_halves) == (0, 1)


@pytest.mark.long
def test_an_empty_board_is_lost_by_forfeit_and_needs_no_result(ana: User) -> None:
    event = team_event_of(ana)
    round_ = next_round(event)
    pairing = round_.pairings.order_by("board")[0]
    best = pairing.second.members.order_by("board_order")[0]
    line_ups.set_line_up(
        event_id=event.pk,
        actor=ana,
        round_number=1,
        entry_id=pairing.second_id,
        member_ids=[best.pk, None],
    )
    assert results.missing_count(round_) == 3
    type_all(event, ana, random.Random(1))
    close(event)
    assert Game.objects.filter(pairing=pairing).count() == 1
    row = TeamBoard.objects.get(pairing=pairing, number=2)
    assert (row.first, row.entered_result) == (None, "second-forfeit")


@pytest.mark.long
@pytest.mark.parametrize(
    ("places", "code"),
    [((1, 0), "line-up-order"), ((0, 0), "line-up-bad"), ((0,), "line-up-bad")],
)
def test_a_line_up_follows_the_rules(ana: User, places: tuple[int, ...], code: str) -> None:
    event = team_event_of(ana)
    pairing = next_round(event).pairings.order_by("board")[0]
    members = list(pairing.first.members.order_by("board_order"))
    with pytest.raises(RefusedError) as refusal:
        line_ups.set_line_up(
            event_id=event.pk,
            actor=ana,
            round_number=1,
            entry_id=pairing.first_id,
            member_ids=[members[place].pk for place in places],
        )
    assert refusal.value.code == code


@pytest.mark.long
def test_a_player_of_another_team_cannot_sit_at_a_board(ana: User) -> None:
    event = team_event_of(ana)
    pairing = next_round(event).pairings.order_by("board")[0]
    stranger = Entry.objects.filter(team=pairing.second).first()
    assert stranger is not None
    with pytest.raises(RefusedError, match="line-up-bad"):
        line_ups.set_line_up(
            event_id=event.pk,
            actor=ana,
            round_number=1,
            entry_id=pairing.first_id,
            member_ids=[stranger.pk, None],
        )


def test_only_the_captain_and_the_staff_lead_a_team(ana: User, ben: User) -> None:
    event = team_event_of(ana)
    team = event.entries.contestants()[0]
    members = list(team.members.order_by("board_order"))
    turned = [m.pk for m in reversed(members)]
    with pytest.raises(NotAllowedError, match="not-captain"):
        teams.order(event_id=event.pk, actor=ben, entry_id=team.pk, member_ids=turned)
    teams.set_captain(event_id=event.pk, actor=ana, entry_id=team.pk, username="Ben")
    teams.order(event_id=event.pk, actor=ben, entry_id=team.pk, member_ids=turned)
    assert list(team.members.order_by("board_order").values_list("pk", flat=True)) == turned


def test_a_captain_is_late_with_a_line_up_once_the_round_has_begun(ana: User, ben: User) -> None:
    event = team_event_of(ana)
    pairing = next_round(event).pairings.order_by("board")[0]
    teams.set_captain(event_id=event.pk, actor=ana, entry_id=pairing.first_id, username="Ben")
    with pytest.raises(StaleError, match="line-up-late"):
        line_ups.set_line_up(
            event_id=event.pk,
            actor=ben,
            round_number=1,
            entry_id=pairing.first_id,
            member_ids=[None, None],
        )


@pytest.mark.long
def test_a_level_match_of_a_swiss_lets_no_team_advance(ana: User) -> None:
    """The first sides win at both boards: each match is level, and a team is ahead at board 1."""
    event = team_event_of(ana)
    for _ in range(2):
        round_ = next_round(event)
        for board in boards(round_):
            if not board.entered_result:
                results.enter_result(
                    event_id=event.pk,
                    actor=ana,
                    round_number=round_.number,
                    board=board.pairing.board,
                    game=board.number,
                    result="first",
                )
        close(event)
    checks = verification.verify(event_archive.archive_of(event))
    assert [each for check in checks for each in check.differences] == []


@pytest.mark.parametrize("code", ["team", "team-round-robin"])
@pytest.mark.long
def test_the_archive_computes_the_event_again(ana: User, code: str) -> None:
    event = team_event_of(ana, format=code)
    draw = random.Random(5)
    for _ in range(3):
        pairing = next_round(event).pairings.order_by("board")[0]
        line_ups.set_line_up(
            event_id=event.pk,
            actor=ana,
            round_number=pairing.round.number,
            entry_id=pairing.second_id,
            member_ids=[None, draw.choice([*pairing.second.members.all()]).pk],
        )
        type_all(event, ana, draw)
        close(event)
    event.refresh_from_db()
    archive = archive_file.unpacked(event_archive.of_event(event))
    assert len(archive.members) == 15
    checks = verification.verify(archive)
    assert [(check.name, list(check.differences)) for check in checks if check.differences] == []
    # A game that another member played is found.
    wrong = replace(archive.games[0], first=archive.games[0].second)
    broken = replace(archive, games=(wrong, *archive.games[1:]))
    assert [check.name for check in verification.verify(broken) if check.differences] == ["games"]


@pytest.mark.long
def test_a_correction_at_a_board_moves_the_match(ana: User) -> None:
    event = team_event_of(ana)
    round_ = next_round(event)
    for board in boards(round_):
        results.enter_result(
            event_id=event.pk,
            actor=ana,
            round_number=1,
            board=board.pairing.board,
            game=board.number,
            result="first",
        )
    close(event)
    pairing = round_.pairings.order_by("board")[0]
    # Each team has won the board at which it had the first ply.
    assert histories.of_event(event)[pairing.first_id][1].outcome is Kind.DRAW
    game = pairing.games.get(number=2)
    preview = correction_preview.preview(
        game_id=game.pk, actor=ana, result=Game.Result.SECOND, reason="Typed wrongly"
    )
    assert {row.entry.pk for row in preview.rows} >= {pairing.first_id, pairing.second_id}
    corrections.correct_result(
        game_id=game.pk, actor=ana, result=Game.Result.SECOND, reason="Typed wrongly"
    )
    assert histories.of_event(event)[pairing.first_id][1].outcome is Kind.WIN
    assert histories.of_event(event)[pairing.second_id][1].score_halves == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("first_board", "second_board", "winner"),
    [
        # Half points of the first team: its board 1, and board 2, at which it moves second.
        pytest.param("first", "draw", "first", id="more game points"),
        pytest.param("first", "first", "first", id="level: the lower board count"),
        pytest.param("second", "second", "second", id="level, the other way round"),
        pytest.param("draw", "draw", "", id="level at every board"),
        pytest.param("double-forfeit", "double-forfeit", "", id="forfeited by both"),
    ],
)
def test_a_level_match_of_a_knock_out_is_decided_by_its_boards(
    ana: User, first_board: str, second_board: str, winner: str
) -> None:
    event = event_of(ana, format="team-knockout", boards=2)
    players = [
        ListedPlayer(f"{name} {n}", 2000 - 100 * place, club=name)
        for place, name in enumerate(TEAMS[:2])
        for n in (1, 2)
    ]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=players)
    pairing = next_round(event).pairings.get()
    for game, result in ((1, first_board), (2, second_board)):
        results.enter_result(
            event_id=event.pk, actor=ana, round_number=1, board=1, game=game, result=result
        )
    if not winner:
        with pytest.raises(RefusedError, match="ties-open"):
            close(event)
        results.let_through(
            event_id=event.pk,
            actor=ana,
            round_number=1,
            board=1,
            tpn=pairing.second.tpn or 0,
            reason="Drawn at random",
        )
        winner = "second"
    close(event)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    best = tables.event_table(event).rows[0].entry
    assert best.pk == (pairing.first_id if winner == "first" else pairing.second_id)
    answers = verification.verify(event_archive.archive_of(event))
    assert [check.name for check in answers if check.differences] == []


@pytest.mark.long
def test_the_document_of_the_event_names_the_players_of_each_board(ana: User) -> None:
    event = team_event_of(ana)
    round_ = next_round(event)
    type_all(event, ana, random.Random(2))
    close(event)
    document: Any = event_document.document_of(event)
    teams_of = {each["name"]: each["team"] for each in document["players"] if each["team"]}
    assert len(teams_of) == 15
    games = [game for pairing in document["rounds"][0]["pairings"] for game in pairing["games"]]
    assert len(games) == len(boards(round_))
    for game in games:
        assert teams_of[game["players"][0]] == game["first"]


def test_members_have_no_byes_and_no_numbers(ana: User) -> None:
    event = team_event_of(ana)
    member = event.entries.filter(team__isnull=False)[0]
    with pytest.raises(RefusedError, match="team-member"):
        entry_acts.grant_bye(
            event_id=event.pk, actor=ana, entry_id=member.pk, round_number=2, kind="zero"
        )
    with pytest.raises(RefusedError, match="team-member"):
        entry_acts.set_seed(
            event_id=event.pk, actor=ana, entry_id=member.pk, seed=1, reason="First"
        )
    team = event.entries.contestants()[4]
    entry_acts.set_seed(event_id=event.pk, actor=ana, entry_id=team.pk, seed=1, reason="First")
    entry_acts.grant_bye(
        event_id=event.pk, actor=ana, entry_id=team.pk, round_number=2, kind="zero"
    )


@pytest.mark.long
def test_a_team_wins_by_forfeit_against_one_that_loses_every_board(ana: User) -> None:
    event = team_event_of(ana)
    round_ = next_round(event)
    first, second = boards(round_)[:2]
    for board, result in ((first, "double-forfeit"), (second, "first-forfeit")):
        results.enter_result(
            event_id=event.pk,
            actor=ana,
            round_number=1,
            board=board.pairing.board,
            game=board.number,
            result=result,
        )
    type_all(event, ana, random.Random(1))
    close(event)
    event.refresh_from_db()
    history = histories.of_event(event)
    pairing = first.pairing
    kinds = [history[pk][1].outcome for pk in (pairing.first_id, pairing.second_id)]
    assert kinds == [Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN]
    assert f"330 -+   1 {pairing.first.tpn:>3}" in reports.trf_of(event)
