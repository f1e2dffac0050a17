"""A Scheveningen match of two teams: line-ups, standings, pages and files."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.over_board import close, event_of, next_round
from tournaments.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import Event, Round, TeamBoard, User
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import reports, tables
from tournaments.services.arbiter import results
from tournaments.services.events import listed_players, teams
from tournaments.services.rounds import lifecycle, line_ups

BOARDS = 3


@pytest.fixture
def match(ana: User) -> Event:
    """Torre and Alfil on three boards, each with a reserve. Players 1 are the strongest."""
    event = event_of(ana, format="scheveningen", boards=BOARDS)
    players = [
        ListedPlayer(f"{team} {place}", 2000 - 100 * n - 10 * place, club=team)
        for n, team in enumerate(("Torre", "Alfil"))
        for place in range(1, BOARDS + 2)
    ]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=players)
    return event


def rows_of(round_: Round) -> list[TeamBoard]:
    rows = TeamBoard.objects.filter(pairing__round=round_).order_by("number")
    return list(rows.select_related("first__player", "second__player", "pairing"))


def play(event: Event, round_: Round, ana: User) -> None:
    """Let the better place of the two win, or Torre of two equal ones."""
    for board in rows_of(round_):
        if board.first is None or board.second is None:
            continue
        one, two = (str(each.player.name).split() for each in (board.first, board.second))
        is_first = one[1] < two[1] if one[1] != two[1] else one[0] == "Torre"
        results.enter_result(
            event_id=event.pk,
            actor=ana,
            round_number=round_.number,
            board=board.pairing.board,
            game=board.number,
            result="first" if is_first else "second",
        )
    close(event)


@pytest.mark.long
def test_all_players_meet_and_the_teams_rank_by_their_points(
    match: Event, client: Client, ana: User
) -> None:
    met = []
    for _ in range(BOARDS):
        round_ = next_round(match)
        met += [
            {str(each.player.name) for each in (board.first, board.second) if each is not None}
            for board in rows_of(round_)
        ]
        play(match, round_, ana)
    assert len(met) == BOARDS**2
    for one in range(1, BOARDS + 1):
        for other in range(1, BOARDS + 1):
            assert {f"Torre {one}", f"Alfil {other}"} in met
    match.refresh_from_db()
    assert match.state == Event.State.FINISHED
    table = tables.event_table(match)
    # Torre wins 1-1, 2-2, 3-3 besides the three games of a better place.
    assert [(row.entry.player.name, row.values[0]) for row in table.rows] == [
        ("Torre", "6"),
        ("Alfil", "3"),
    ]
    archive = archive_file.unpacked(event_archive.of_event(match))
    assert [each.name for each in verification.verify(archive) if each.differences] == []
    assert "Torre 1" in reports.trf_of(match)
    page = client.get(f"{match.get_absolute_url()}teams/").text
    places = [page.rindex(name) for name in ("Torre 1", "Torre 2", "Alfil 2", "Alfil 3")]
    assert places == sorted(places)
    board = client.get(f"{match.get_absolute_url()}pairings/2/").text
    assert "round 2 of the table for 3 boards" in board


@pytest.mark.long
def test_the_place_of_a_player_who_leaves_stays_empty(match: Event, ana: User) -> None:
    play(match, next_round(match), ana)
    leaver = match.entries.get(player__name="Alfil 2")
    teams.remove(event_id=match.pk, actor=ana, entry_id=leaver.pk)
    round_ = next_round(match)
    seated = {
        each.player.name for row in rows_of(round_) for each in (row.first, row.second) if each
    }
    assert seated == {"Torre 1", "Torre 2", "Torre 3", "Alfil 1", "Alfil 3"}


def test_captains_choose_no_players_and_the_organiser_can(
    match: Event, ana: User, ben: User
) -> None:
    torre = match.entries.contestants().get(player__name="Torre")
    torre.captain = ben
    torre.save()
    round_ = next_round(match)
    assert not line_ups.can_change(match, round_, torre, ben)
    assert line_ups.can_change(match, round_, torre, ana)
    with pytest.raises((NotAllowedError, StaleError)):
        line_ups.set_line_up(
            event_id=match.pk, actor=ben, round_number=1, entry_id=torre.pk, member_ids=[]
        )


@pytest.mark.parametrize("changes", [{"boards": 11}, {"more": True}], ids=["boards", "teams"])
def test_a_match_needs_two_teams_and_a_table(ana: User, changes: dict[str, int]) -> None:
    event = event_of(ana, format="scheveningen", boards=changes.get("boards", 2))
    names = ("Torre", "Alfil", "Dama")[: 3 if "more" in changes else 2]
    players = [ListedPlayer(f"{name} 1", 1900, club=name) for name in names]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=players)
    with pytest.raises(RefusedError, match="options-bad"):
        lifecycle.start_event(event_id=event.pk, actor=ana)
