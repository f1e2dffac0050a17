"""Mini-matches on line: the second game begins when the first is over, with the sides exchanged."""

from __future__ import annotations

import pytest

from tests.tournaments import pages
from tests.tournaments.conftest import enter, event_of
from tournaments.errors import StaleError
from tournaments.models import Event, Game, LedgerEntry, Player, Round, User
from tournaments.queries.results import tables
from tournaments.services.arbiter import game_acts
from tournaments.services.games import play
from tournaments.services.matches import matches
from tournaments.services.rounds import interruptions, lifecycle, publication, rounds

pytestmark = [pytest.mark.long, pytest.mark.engines]


@pytest.fixture
def running(people: list[Player], ana: User) -> Event:
    """A Swiss of mini-matches of four people, its first round being played."""
    event = event_of(ana, is_automatic=False, admits=Event.Admits.PEOPLE, games_per_pairing=2)
    enter(event, *people)
    lifecycle.start_event(event_id=event.pk, actor=ana)
    rounds.draft_round(event_id=event.pk, actor=ana)
    publication.publish_round(event_id=event.pk, actor=ana)
    event.refresh_from_db()
    return event


def _games(event: Event, board: int) -> list[Game]:
    games = Game.objects.filter(pairing__event=event, pairing__board=board)
    return list(games.with_players().order_by("number"))


def _win(game: Game) -> None:
    """Make the second side resign after a move each."""
    pages.move(game)
    play.resign(game_id=game.pk, player=game.second)


def _advance(event: Event) -> None:
    lifecycle.advance_event(event.pk)
    event.refresh_from_db()


def test_the_second_game_begins_when_the_first_is_over_and_the_round_waits_for_it(
    running: Event,
) -> None:
    (first,) = _games(running, 1)
    (other,) = _games(running, 2)
    _win(first)
    _advance(running)
    _advance(running)
    first, second = _games(running, 1)
    assert (second.first, second.second) == (first.second, first.first)
    assert (second.number, second.setup, second.result) == (2, first.setup, None)
    assert second.deadline_at is not None
    assert len(_games(running, 2)) == 1
    _win(second)
    _win(other)
    _advance(running)
    assert running.rounds.get().state == Round.State.PUBLISHED
    _win(_games(running, 2)[1])
    _advance(running)
    assert running.rounds.get().state == Round.State.CLOSED
    assert [row.points_halves for row in tables.event_table(running).rows] == [2, 2, 2, 2]
    assert LedgerEntry.objects.count() == 8


def test_who_forfeits_the_first_game_forfeits_the_second(running: Event, ana: User) -> None:
    (game,) = _games(running, 1)
    game_acts.decide(game_id=game.pk, actor=ana, result="first-forfeit", reason="not there")
    _advance(running)
    first, second = _games(running, 1)
    assert (first.result, second.result) == ("first-forfeit", "second-forfeit")
    assert second.winner_side == "second"
    assert second.second == first.first


def test_a_replayed_game_counts_in_place_of_its_own_half(running: Event, ana: User) -> None:
    (game,) = _games(running, 1)
    _win(game)
    _advance(running)
    game_acts.replay(game_id=game.pk, actor=ana, reason="a wrong set-up")
    first, second, again = _games(running, 1)
    assert (again.number, again.first, again.second) == (3, first.first, first.second)
    with pytest.raises(StaleError, match="not-over"):
        game_acts.replay(game_id=again.pk, actor=ana, reason="too early")
    _win(again)
    _win(second)
    _advance(running)
    assert len(_games(running, 1)) == 3
    scores = {row.entry.player: row.points_halves for row in tables.event_table(running).rows}
    assert (scores[first.first], scores[first.second]) == (2, 2)


def test_no_second_game_begins_while_the_event_is_paused(running: Event, ana: User) -> None:
    interruptions.pause(event_id=running.pk, actor=ana, reason="a power cut")
    _win(_games(running, 1)[0])
    _advance(running)
    assert len(_games(running, 1)) == 1
    interruptions.go_on(event_id=running.pk, actor=ana)
    _advance(running)
    assert len(_games(running, 1)) == 2


def test_bots_play_their_mini_matches_to_the_end(bots: list[Player], ana: User) -> None:
    event = event_of(ana, games_per_pairing=2, rounds_total=1)
    enter(event, *bots[:2])
    lifecycle.start_event(event_id=event.pk, actor=ana)
    for _ in range(2):
        match = Game.objects.ongoing().get(pairing__event=event).match
        assert match is not None
        matches.play_match(match.pk)
        _advance(event)
    assert event.state == Event.State.FINISHED
    games = Game.objects.filter(pairing__event=event).order_by("number")
    assert [(game.number, game.first_id) for game in games] == [
        (1, games[0].first_id),
        (2, games[0].second_id),
    ]
