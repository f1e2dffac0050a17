"""The demo comes whole, once, and only into a database that was empty."""

from __future__ import annotations

from concurrent.futures import Executor

import pytest
from django.test import Client

import games
from engine.meters import CpuMeter
from tests.engine.machines import Machine
from tournaments import database_time
from tournaments.models import Entry, Event, Game, Match, Player, User
from tournaments.models.events import EventQuerySet
from tournaments.services import demo, house

pytestmark = [pytest.mark.engines, pytest.mark.long]


@pytest.mark.engine
@pytest.mark.django_db(transaction=True)
def test_an_interrupted_demo_is_completed_by_the_next_start(
    erasable: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted in the middle of its first event: the second call continues there, also on a busy machine."""
    monkeypatch.setattr(CpuMeter, "read", Machine(0.8).read)
    quick = [(name, "random", description) for name, _engine, description in house.BOTS]
    monkeypatch.setattr(house, "BOTS", quick)

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
    assert names == {name for name, _engine, _description in house.BOTS}
    assert not Game.objects.filter(pairing__event__name__startswith="Club", result=None).exists()
    assert Player.objects.people().count() == 1
    assert not Match.objects.exclude(fault="").exists()


def _of_levels() -> EventQuerySet:
    return Event.objects.filter(format=Event.Format.LEAGUE)


def test_a_database_with_people_gets_no_demo(ana: User) -> None:
    assert not demo.is_wanted()
    assert not demo.is_loading(database_time.now())
