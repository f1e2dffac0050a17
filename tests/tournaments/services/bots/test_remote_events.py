"""Remote bots in ratings and events: pools of their own, organisers who consent, ladders and leagues."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tournaments import pages, remote_players
from tests.tournaments.conftest import event_of
from tests.tournaments.frozen_clock import FrozenClock
from tournaments.errors import RefusedError
from tournaments.models import Event, Game, Player, Pool, RemoteBot, Round, User
from tournaments.queries.bots import bot_catalogue
from tournaments.queries.clocks import game_clocks
from tournaments.queries.clocks.game_clocks import FIRST_MOVE_GRACE_MS, Clock
from tournaments.queries.ratings import pools
from tournaments.services import tick
from tournaments.services.accounts import consent_checks, remote_presence
from tournaments.services.events import entries
from tournaments.services.games import play
from tournaments.services.notifications import news
from tournaments.services.ratings import pool_assignment
from tournaments.services.rounds import lifecycle


def test_its_games_are_rated_in_pools_of_their_own(
    ana: User, ben: User, people: list[Player], bots: list[Player]
) -> None:
    bot, other = remote_players.bot(ana), remote_players.bot(ben, "Esperanza")
    for opponent in (people[0], bots[0], other.player):
        game = remote_players.game(bot, opponent, is_rated=True)
        assert game.pool is not None
        assert game.pool.kind == Pool.Kind.REMOTE, opponent
    mixed = pages.new_game(people[0], bots[0], "morlox(size=5)", clock=remote_players.MINUTE)
    assert mixed.pool is not None
    assert mixed.pool.kind == Pool.Kind.MIXED


def test_a_game_against_ones_own_bot_is_not_rated(ana: User) -> None:
    assert not remote_players.game(remote_players.bot(ana), ana.player, is_rated=True).is_rated


def test_an_event_is_entered_where_its_organiser_consents(ana: User, ben: User) -> None:
    bot = remote_players.bot(ben)
    without, consenting = event_of(ana), event_of(ana, name="With", admits_remote=True)
    enter = entries.enter
    with pytest.raises(RefusedError, match="remote-refused"):
        enter(event_id=without.pk, player=bot.player, actor=ben)
    enter(event_id=consenting.pk, player=bot.player, actor=ben)
    assert pool_assignment.of_event(without).kind == Pool.Kind.MIXED
    assert pool_assignment.of_event(consenting).kind == Pool.Kind.REMOTE
    assert pools.key_of(consenting) == pool_assignment.of_event(consenting).key
    assert bot_catalogue.joinable(bot) == []


def test_events_for_people_alone_leave_them_out(ana: User) -> None:
    with pytest.raises(RefusedError, match="admits-bad"):
        event_of(ana, admits=Event.Admits.PEOPLE, admits_remote=True)


@pytest.fixture
def ladder(ana: User) -> Event:
    return event_of(
        ana,
        format=Event.Format.LADDER,
        admits=Event.Admits.BOTS,
        admits_remote=True,
        clock=Clock(60_000, 1_000),
        rounds_total=0,
        ruleset="morlox(size=5)",
    )


@pytest.mark.long
def test_a_ladder_opens_games_with_deadlines_for_those_who_are_there(
    wall: FrozenClock, ana: User, ben: User, ladder: Event
) -> None:
    here, there, away = (
        remote_players.bot(ana, "Fama", max_games=1),
        remote_players.bot(ben, "Esperanza", max_games=1),
        remote_players.bot(ben, "Cronopio", is_there=False),
    )
    for bot, owner in ((here, ana), (there, ben), (away, ben)):
        entries.enter(event_id=ladder.pk, player=bot.player, actor=owner)
    lifecycle.start_event(event_id=ladder.pk, actor=ana)
    tick.tick(wall.now)
    [game] = Game.objects.filter(pairing__event=ladder)
    assert {game.first_id, game.second_id} == {here.player_id, there.player_id}
    assert game.match_id is None
    assert game.turn_started_at is not None
    assert game.deadline_at == game.turn_started_at + timedelta(
        milliseconds=60_000 + FIRST_MOVE_GRACE_MS
    )
    assert game.pool is not None
    assert game.pool.kind == Pool.Kind.REMOTE
    assert consent_checks.unavailable([here.player_id], wall.now)  # it plays as many as it can
    play.resign(game_id=game.pk, player=game.first)
    lifecycle.advance_event(ladder.pk)
    second = Game.objects.ongoing().get(pairing=game.pairing_id)
    assert (second.number, second.first_id, second.second_id) == (2, game.second_id, game.first_id)
    assert [item.kind for item in news.after(news.of_bot(here.player_id), 0)].count("game") == 2
    wall.wait(minutes=2)  # nobody has been heard of since
    play.resign(game_id=second.pk, player=second.first)
    lifecycle.advance_event(ladder.pk)
    assert not Game.objects.ongoing().filter(pairing__event=ladder).exists()
    assert not ladder.rounds.exclude(state=Round.State.CLOSED).exists()


def test_a_bot_that_comes_back_is_paired(
    wall: FrozenClock, ana: User, ben: User, ladder: Event
) -> None:
    bots = []
    for owner, name in ((ana, "Fama"), (ben, "Esperanza")):
        bots.append(remote_players.bot(owner, name))
        entries.enter(event_id=ladder.pk, player=bots[-1].player, actor=owner)
    wall.wait(minutes=5)
    lifecycle.start_event(event_id=ladder.pk, actor=ana)
    tick.tick(wall.now)
    assert not Game.objects.exists()
    for bot in bots:
        assert bot.line_id is not None
        remote_presence.note_seen(bot.line_id)
    now = wall.wait(seconds=16)
    assert Event.objects.filter(pk=ladder.pk, next_step_at__lte=now).exists()
    lifecycle.advance_event(ladder.pk)
    assert Game.objects.filter(pairing__event=ladder).count() == 1


def test_a_bot_that_has_left_plays_no_second_game(
    wall: FrozenClock, ana: User, ben: User, ladder: Event
) -> None:
    for owner, name in ((ana, "Fama"), (ben, "Esperanza")):
        bot = remote_players.bot(owner, name)
        entries.enter(event_id=ladder.pk, player=bot.player, actor=owner)
    lifecycle.start_event(event_id=ladder.pk, actor=ana)
    tick.tick(wall.now)
    [game] = Game.objects.filter(pairing__event=ladder)
    RemoteBot.objects.update(seen_at=wall.now - remote_presence.PRESENT)
    play.resign(game_id=game.pk, player=game.first)
    lifecycle.advance_event(ladder.pk)
    assert Game.objects.filter(pairing__event=ladder).count() == 1
    assert ladder.rounds.get().state == Round.State.CLOSED


def test_a_move_of_the_house_follows_in_a_casual_game(ana: User, bots: list[Player]) -> None:
    """A boxed bot answers a remote one as it answers a person."""
    bot = remote_players.bot(ana)
    game = remote_players.game(bot, bots[0])
    play.play_move(game_id=game.pk, player=bot.player, ply=0, move="a1")
    game = Game.objects.get(pk=game.pk)
    assert game.deadline_at is None  # its worker keeps its clock
    assert game_clocks.runs_out_ms(game, game.created_at) == 60_000
