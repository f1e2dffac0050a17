"""Matches of two: of players, and of teams, from the start to the files."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.over_board import close, enter_listed, event_of, next_round
from tests.tournaments.pages import text_of
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, TeamBoard, User
from tournaments.queries.archives import archive_file, event_archive, verification
from tournaments.queries.events.player_lists import ListedPlayer
from tournaments.queries.results import reports, tables
from tournaments.services.arbiter import results
from tournaments.services.events import listed_players
from tournaments.services.rounds import lifecycle, line_ups


def _type(event: Event, ana: User, games: list[str], round_number: int = 1) -> None:
    for number, result in enumerate(games, start=1):
        results.enter_result(
            event_id=event.pk,
            actor=ana,
            round_number=round_number,
            board=1,
            game=number,
            result=result,
        )


def _differences(event: Event) -> list[str]:
    archive = archive_file.unpacked(event_archive.of_event(event))
    return [each.name for each in verification.verify(archive) if each.differences]


@pytest.mark.long
@pytest.mark.parametrize(
    ("length", "games", "score"),
    [
        # Bruno has the first side of game 1, and wins games 3, 6 and 9.
        (11, ["draw", "draw", "first", "draw", "draw", "second", "draw", "draw", "first"], "3 : 6"),
        # The first extra game that is not drawn decides.
        (12, ["draw"] * 13 + ["second"], "6½ : 7½"),
    ],
    ids=["eleven-games", "extra-games"],
)
def test_a_match_of_two_players_ends_when_one_cannot_be_caught(
    client: Client, ana: User, length: int, games: list[str], score: str
) -> None:
    event = event_of(ana, format="match", tie_games=length)
    enter_listed(event, "Alba", "Bruno")
    round_ = next_round(event)
    _type(event, ana, games)
    with pytest.raises(RefusedError, match="no-such-board"):
        _type(event, ana, [*games, "draw"])
    close(event)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    rows = Game.objects.filter(pairing__event=event).order_by("number")
    assert len(rows) == len(games)
    first, second = round_.pairings.get().first, round_.pairings.get().second
    turns = [first.player_id, second.player_id]
    assert [game.first_id for game in rows] == [turns[n % 2] for n in range(len(games))]
    assert tables.event_table(event).rows[0].entry == first
    page = text_of(client.get(f"{event.get_absolute_url()}draw/").content)
    assert "Score of the match" in page
    board = text_of(client.get(f"{event.get_absolute_url()}pairings/1/boards/1/").content)
    assert "The match of the two players." in board
    loser, winner = score.split(" : ")
    assert f"Score of the match Round 1 1 1 Alba {loser} 2 Bruno won {winner}" in page
    comment = next(line for line in reports.trf_of(event).splitlines() if "tie 2-1: " in line)
    assert comment.count(",") == len(games)  # one after the round
    assert _differences(event) == []


@pytest.mark.long
def test_teams_meet_in_every_round_and_are_named_first_in_turn(client: Client, ana: User) -> None:
    event = event_of(ana, format="team-match", boards=2, rounds_total=2)
    players = [
        ListedPlayer(f"{team} {place}", 2000 - 100 * n - 10 * place, club=team)
        for n, team in enumerate(("Torre", "Alfil"))
        for place in (1, 2, 3)
    ]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=players)
    named_first = []
    for number, games in ((1, ["first", "draw"]), (2, ["draw", "draw"])):
        round_ = next_round(event)
        named_first.append(str(round_.pairings.get().first.player.name))
        if number == 2:
            alfil = event.entries.contestants().get(player__name="Alfil")
            members = [event.entries.get(player__name=f"Alfil {place}").pk for place in (1, 3)]
            line_ups.set_line_up(
                event_id=event.pk,
                actor=ana,
                round_number=2,
                entry_id=alfil.pk,
                member_ids=members,
            )
        _type(event, ana, games, number)
        close(event)
    assert named_first == ["Torre", "Alfil"]
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    boards = TeamBoard.objects.filter(pairing__round__number=2, pairing__event=event)
    assert {str(each.first.player.name) for each in boards if each.first} >= {"Alfil 1"}
    # A match won and one drawn: 3 – 1 match points, 2½ – 1½ game points.
    rows = tables.event_table(event).rows
    assert [(row.entry.player.name, row.points_halves) for row in rows] == [
        ("Torre", 6),
        ("Alfil", 2),
    ]
    page = text_of(client.get(f"{event.get_absolute_url()}pairings/2/").content)
    assert "Torre" in page
    report = reports.trf_of(event)
    assert "BERGER_TEAM_DOUBLEROUNDROBIN" in report
    assert _differences(event) == []


@pytest.mark.parametrize("format_", ["match", "team-match"])
def test_a_match_needs_two(ana: User, format_: str) -> None:
    event = event_of(ana, format=format_)
    players = [ListedPlayer(f"{name} 1", 1900, club=name) for name in ("Torre", "Alfil", "Dama")]
    listed_players.enter_all(event_id=event.pk, actor=ana, players=players)
    with pytest.raises(RefusedError, match="options-bad"):
        lifecycle.start_event(event_id=event.pk, actor=ana)
