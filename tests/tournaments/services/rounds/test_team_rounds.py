"""Rounds of teams online: captains, line-ups, games of people and bots at the boards."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from tests.tournaments import pages
from tests.tournaments.conftest import event_of, play_due
from tournaments import database_time
from tournaments.errors import RefusedError
from tournaments.models import Entry, Event, Game, NewsItem, Player, Round, TeamBoard, User
from tournaments.queries.results import histories, tables
from tournaments.services.events import entries, teams
from tournaments.services.games import game_end, play
from tournaments.services.rounds import lifecycle, line_ups, publication


@pytest.fixture
def event(ana: User, ben: User, bots: list[Player]) -> Event:
    """Return an event of Ana's, automatic: Ben leads Torre with two bots, the staff enters Alfil with three."""
    event = event_of(ana, format="team", boards=2, rounds_total=1, line_up_s=600)
    torre = teams.create(event_id=event.pk, actor=ben, name="Torre")
    assert isinstance(torre, Entry)
    teams.join(event_id=event.pk, actor=ben, entry_id=torre.pk)
    alfil = teams.create(event_id=event.pk, actor=ana, name="Alfil")
    for team, bot in ((torre, 0), (torre, 1), (alfil, 2), (alfil, 3), (alfil, 4)):
        teams.join(event_id=event.pk, actor=ana, entry_id=team.pk, player_id=bots[bot].pk)
    return event


def _publish(event: Event, ana: User) -> Round:
    lifecycle.start_event(event_id=event.pk, actor=ana)
    return event.rounds.get()


def test_players_of_other_accounts_wait_for_the_captain(
    event: Event, people: list[Player], ben: User
) -> None:
    torre = event.entries.contestants().get(player__name="Torre")
    cleo = people[0]
    assert cleo.user is not None
    member = teams.join(event_id=event.pk, actor=cleo.user, entry_id=torre.pk)
    assert member.state == Entry.State.REQUESTED
    assert NewsItem.objects.filter(kind="team-request", topic__name__contains=f"{ben.pk}").exists()
    teams.accept(event_id=event.pk, actor=ben, entry_id=member.pk)
    member.refresh_from_db()
    assert member.state == Entry.State.ACTIVE
    teams.remove(event_id=event.pk, actor=cleo.user, entry_id=member.pk)
    again = teams.join(event_id=event.pk, actor=cleo.user, entry_id=torre.pk)
    assert (again.pk, again.state) == (member.pk, Entry.State.REQUESTED)


def test_a_player_enters_an_event_of_teams_by_a_team_alone(
    event: Event, people: list[Player]
) -> None:
    assert people[0].user is not None
    with pytest.raises(RefusedError, match="team-needed"):
        entries.enter(event_id=event.pk, player=people[0], actor=people[0].user)
    torre, alfil = event.entries.contestants().order_by("-player__name")
    teams.join(event_id=event.pk, actor=people[0].user, entry_id=torre.pk)
    with pytest.raises(RefusedError, match="already-entered"):
        teams.join(event_id=event.pk, actor=people[0].user, entry_id=alfil.pk)


def test_an_event_does_not_start_with_an_empty_team(event: Event, ana: User) -> None:
    teams.create(event_id=event.pk, actor=ana, name="Vacío")
    with pytest.raises(RefusedError, match="team-empty"):
        lifecycle.start_event(event_id=event.pk, actor=ana)


def test_captains_set_line_ups_until_the_games_begin(event: Event, ana: User, ben: User) -> None:
    round_ = _publish(event, ana)
    assert round_.started_at is None
    assert round_.starts_at is not None
    assert not Game.objects.filter(pairing__event=event).exists()
    torre = event.entries.contestants().get(player__name="Torre")
    first, second, third = torre.members.order_by("board_order")
    line_ups.set_line_up(
        event_id=event.pk,
        actor=ben,
        round_number=1,
        entry_id=torre.pk,
        member_ids=[first.pk, third.pk],
    )
    assert publication.start_due(event.pk, database_time.now() + timedelta(seconds=601))
    games = Game.objects.filter(pairing__event=event).order_by("number")
    assert len(games) == 2
    at_boards = {player for game in games for player in (game.first_id, game.second_id)}
    assert {first.player_id, third.player_id} <= at_boards
    assert second.player_id not in at_boards
    assert games[0].first.pk in {
        TeamBoard.objects.get(number=1, pairing__event=event).first.player_id  # type: ignore[union-attr]
    }


@pytest.mark.long
def test_a_match_counts_when_its_last_game_is_over(event: Event, ana: User, ben: User) -> None:
    _publish(event, ana)
    publication.start_due(event.pk, database_time.now() + timedelta(seconds=601))
    play_due(event)
    torre = event.entries.contestants().get(player__name="Torre")
    assert histories.of_event(event)[torre.pk][1].score_halves is None
    own = Game.objects.ongoing().get(pairing__event=event)
    play.resign(game_id=own.pk, player=ben.player)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    table = tables.event_table(event)
    assert sum(row.points_halves for row in table.rows) == 4
    assert [each.name for each in table.tie_breaks] == ["MPVGP", "EMGSB", "EDE"]


@pytest.mark.long
def test_a_round_ends_without_a_match_that_the_desk_postpones(
    event: Event, ana: User, ben: User
) -> None:
    _publish(event, ana)
    publication.start_due(event.pk, database_time.now() + timedelta(seconds=601))
    play_due(event)
    desk = reverse("event-desk", args=[event.slug])
    client = pages.member(ana)
    assert 'value="postpone"' in client.get(desk).content.decode()
    step = {"action": "postpone", "round_number": 1, "board": 1}
    answer = client.post(reverse("event-act", args=[event.slug]), step)
    assert answer["Location"] == desk
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.rounds.get().state == Round.State.CLOSED
    assert event.state == Event.State.RUNNING
    page = client.get(desk)
    assert page.context["games_left"] == 0
    assert 'value="postpone"' not in page.content.decode()
    play.resign(game_id=Game.objects.ongoing().get(pairing__event=event).pk, player=ben.player)
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED


@pytest.mark.long
def test_a_match_that_is_void_gives_no_points(event: Event, ana: User) -> None:
    _publish(event, ana)
    publication.start_due(event.pk, database_time.now() + timedelta(seconds=601))
    for game in Game.objects.ongoing().filter(pairing__event=event):
        game_end.finish_game(game, result=Game.Result.VOID, ending=Game.Ending.ADJUDICATION)
    rounds_by_entry = histories.of_event(event)
    assert [own[1].score_halves for own in rounds_by_entry.values()] == [0, 0]
