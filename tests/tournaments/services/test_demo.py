"""The demo comes whole, once, and only into a database that was empty."""

from __future__ import annotations

from concurrent.futures import Executor
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client

import games
from engine.kernel import LEVELS
from engine.meters import CpuMeter
from tests.engine.machines import Machine
from tournaments import database_time
from tournaments.models import Entry, Event, Game, Match, Player, Pool, Rating, User
from tournaments.models.events import EventQuerySet
from tournaments.queries.clocks import game_clocks
from tournaments.queries.ratings import pools
from tournaments.services import demo
from tournaments.services.accounts import players
from tournaments.services.matches import matches
from tournaments.services.rounds import lifecycle

pytestmark = [pytest.mark.engines, pytest.mark.long]


@pytest.mark.engine
@pytest.mark.django_db(transaction=True)
def test_an_interrupted_demo_is_completed_by_the_next_start(
    erasable: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted in the middle of its first event: the second call continues there, also on a busy machine."""
    monkeypatch.setattr(CpuMeter, "read", Machine(0.8).read)
    quick = [(name, "random", description) for name, _engine, description in demo.BOTS]
    monkeypatch.setattr(demo, "BOTS", quick)

    def interrupted(_event: Event, _pool: Executor) -> None:
        raise KeyboardInterrupt

    assert demo.is_wanted()
    with monkeypatch.context() as patch:
        patch.setattr(demo, "_play_due", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(demo.load())
    assert demo.is_wanted()
    assert demo.is_loading(database_time.now())
    assert "The demo is being prepared" in client.get("/").content.decode()
    list(demo.load())
    assert not demo.is_wanted()
    assert not demo.is_loading(database_time.now())
    states = dict(Event.objects.values_list("name", "state"))
    assert states == {
        "Club de la Serpiente Open": "finished",
        "Open House": "running",
        "Escalera": "running",
        **dict.fromkeys(_of_levels().values_list("name", flat=True), "registration"),
    }
    assert Entry.objects.count() == 8 + 7 + 8 + 8 * len(games.available())
    assert Game.objects.filter(pairing__event__name="Escalera").finished().exists()
    assert Match.objects.filter(repeats_left__gt=0).count() == 2
    rated = Game.objects.filter(is_rated=True).finished().with_players()
    names = {name for game in rated for name in (game.first.name, game.second.name)}
    assert names == {name for name, _engine, _description in demo.BOTS}
    assert not Game.objects.filter(pairing__event__name__startswith="Club", result=None).exists()
    assert Player.objects.people().count() == 1
    assert not Match.objects.exclude(fault="").exists()


@pytest.mark.engine
@pytest.mark.django_db(transaction=True)
def test_the_levels_are_rated_by_games_among_themselves(
    erasable: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first round, on a board that is played quickly, in the pool in which people play bots."""
    smallest = SimpleNamespace(
        name="morelli", presentation=SimpleNamespace(lobby_board="morelli(size=5)")
    )
    monkeypatch.setattr(games, "available", lambda: [smallest])
    organiser = players.sign_up(name="Organiser", password="a long password")
    bots = [
        players.add_bot(name=name, engine=engine, description=description)
        for name, engine, description in demo.BOTS[:8]
    ]
    (event,) = demo._events_of_levels(organiser, bots)
    assert event.starts_at is not None
    assert timedelta(minutes=5) < event.starts_at - database_time.now() < timedelta(minutes=20)
    assert demo._LEVELS == len(LEVELS) == event.max_entries
    event = lifecycle.start_event(event_id=event.pk, actor=organiser)
    # Each meets each of the others six times.
    assert event.rounds_total == 6 * (8 - 1)
    for match_id in Match.objects.due(database_time.now()).values_list("pk", flat=True):
        matches.play_match(match_id)
    rated = Rating.objects.filter(pool__kind=Pool.Kind.MIXED, games=1, player__in=bots)
    assert rated.count() == 8
    (pool,) = {row.pool for row in rated.select_related("pool")}
    clock = game_clocks.Clock.read("600+10")
    assert pool.key == pools.key_for(
        "morelli(size=5)", clock.initial_ms, clock.increment_ms, Pool.Kind.MIXED
    )


def _of_levels() -> EventQuerySet:
    return Event.objects.filter(format=Event.Format.LEAGUE)


def test_a_database_with_people_gets_no_demo(ana: User) -> None:
    assert not demo.is_wanted()
    assert not demo.is_loading(database_time.now())
