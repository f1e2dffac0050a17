"""Players do not pay for a time without service, and are not compensated twice."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournaments import clock_lines, pages
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.models import Game, Heartbeat, NewsItem, Outage, User
from tournaments.queries.clocks import game_clocks
from tournaments.services import tick
from tournaments.services.accounts import players
from tournaments.services.clocks import outages


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch, db: None) -> FrozenClock:
    wall = freeze(monkeypatch)
    outages.notice(wall.now)
    return wall


@pytest.fixture
def game(wall: FrozenClock, ana: User, ben: User) -> Game:
    """Return a game with a minute each and no increment. Ana begins."""
    return pages.new_game(ana.player, ben.player, clock=game_clocks.Clock(60_000), is_rated=False)


def test_nobody_loses_because_the_service_was_away_over_the_deadline(
    game: Game, wall: FrozenClock
) -> None:
    wall.wait(seconds=50)
    wall.sleep(hours=3)
    tick.tick(wall.now)
    game = Game.objects.get(pk=game.pk)
    assert (game.result, game.deadline_at is None) == (None, False)
    assert game.deadline_at is not None
    assert (game.deadline_at - wall.now).total_seconds() == 10
    wall.wait(seconds=11)
    tick.tick(wall.now)
    game.refresh_from_db()
    assert (game.result, game.ending) == ("second", "time")
    assert clock_lines.reasons(game)[0] == ("outage", 3 * 3_600_000)


def test_who_moves_before_the_first_tick_does_not_pay_either(game: Game, wall: FrozenClock) -> None:
    wall.wait(seconds=20)
    wall.sleep(seconds=600)
    pages.move(game)
    assert (game.result, game.first_ms) == (None, 40_000)
    assert clock_lines.reasons(game) == [
        ("outage", 600_000),
        ("spent", -620_000),
    ]


def test_whoever_looks_first_after_it_decides_nothing(
    client: Client, game: Game, wall: FrozenClock
) -> None:
    wall.sleep(seconds=600)
    assert client.get(game.get_absolute_url()).status_code == 200
    game.refresh_from_db()
    assert game.result is None


def test_a_turn_that_began_before_the_last_beat_pays_for_what_it_was_awake(
    game: Game, wall: FrozenClock
) -> None:
    wall.wait(seconds=30)
    wall.sleep(seconds=100)
    tick.tick(wall.now)
    wall.wait(seconds=5)
    pages.move(game)
    assert game.first_ms == 25_000


def test_two_outages_in_one_turn_are_both_given_back(game: Game, wall: FrozenClock) -> None:
    for _ in range(2):
        wall.wait(seconds=10)
        wall.sleep(seconds=90)
        tick.tick(wall.now)
    pages.move(game)
    assert game.first_ms == 40_000
    assert Outage.objects.count() == 2


def test_an_outage_is_noticed_once(game: Game, wall: FrozenClock) -> None:
    wall.sleep(seconds=90)
    assert outages.notice(wall.now) is not None
    assert outages.notice(wall.now) is None
    game.refresh_from_db()
    assert (Outage.objects.count(), game.outage_ms) == (1, 90_000)
    assert NewsItem.objects.filter(topic__name=f"game:{game.pk}", kind="clock").count() == 1


def test_the_next_turn_is_not_given_what_the_last_one_was(game: Game, wall: FrozenClock) -> None:
    wall.sleep(seconds=90)
    pages.move(game)
    wall.wait(seconds=7)
    pages.move(game)
    assert game.second_ms == 53_000


@pytest.mark.parametrize("seconds", [1, 9, 15])
def test_a_tick_that_is_late_is_no_outage(game: Game, wall: FrozenClock, seconds: int) -> None:
    wall.sleep(seconds=seconds)
    assert outages.notice(wall.now) is None
    assert not Outage.objects.exists()


def test_a_clock_of_the_machine_that_runs_backwards_is_no_outage(
    game: Game, wall: FrozenClock
) -> None:
    wall.sleep(hours=-1)
    assert outages.notice(wall.now) is None
    pages.move(game)
    assert game.first_ms == 60_000


def test_the_clock_of_a_bot_is_its_workers_matter(game: Game, wall: FrozenClock) -> None:
    game.second = players.add_bot(name="Bot", engine="random")
    game.save(update_fields=["second"])
    pages.move(game)
    wall.sleep(seconds=90)
    tick.tick(wall.now)
    game.refresh_from_db()
    assert (game.outage_ms, game.deadline_at) == (0, None)


def test_there_is_one_heart_and_what_it_missed_stays(game: Game, wall: FrozenClock) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Heartbeat.objects.create(pk=2, beat_at=wall.now)
    wall.sleep(seconds=90)
    outages.notice(wall.now)
    rows = Outage.objects.all()
    with pytest.raises(IntegrityError), transaction.atomic():
        rows._raw_delete(rows.db)


def test_the_heartbeat_is_looked_at_once_a_beat(wall: FrozenClock) -> None:
    wall.sleep(seconds=1)
    with CaptureQueriesContext(connection) as queries:
        assert outages.notice(wall.now) is None
    assert not queries
    # Another process has noticed the outage meanwhile. This process does not know that, and asks.
    wall.sleep(seconds=1)
    with CaptureQueriesContext(connection) as queries:
        assert outages.notice(wall.now) is None
    assert len(queries) == 2
    assert Heartbeat.objects.get().beat_at == wall.now


def test_a_silence_after_a_beat_that_was_seen_is_noticed(game: Game, wall: FrozenClock) -> None:
    wall.sleep(seconds=1)
    assert outages.notice(wall.now) is None
    wall.sleep(seconds=15.5)
    assert outages.notice(wall.now) is not None
