"""The interval between the tick's looks for due work."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings

from tests.tournaments import pages, webhook_server
from tests.tournaments.conftest import enter, event_of
from tests.tournaments.frozen_clock import FrozenClock
from tests.tournaments.push_service import Browser
from tournaments import database_time, tasks
from tournaments.models import Bot, Email, Event, Heartbeat, Player, PushDevice, User
from tournaments.queries.clocks import game_clocks
from tournaments.services import enqueue, tick
from tournaments.services.games import game_creation
from tournaments.services.matches import matches


@pytest.fixture(autouse=True)
def halfway(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """After how many seconds an idle site is looked at again."""
    seconds: list[int] = []

    def send(*, countdown: int, expires: int) -> None:
        assert expires == countdown + 1
        seconds.append(countdown)

    monkeypatch.setattr(tasks.tick_halfway, "apply_async", send)
    return seconds


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch, db: None) -> list[int]:
    """Return the delays in seconds of the ticks sent between full ticks, as the test continues."""
    seconds: list[int] = []

    def send(*, countdown: int, expires: int) -> None:
        assert expires == countdown + 1
        seconds.append(countdown)

    monkeypatch.setattr(tasks.tick_between, "apply_async", send)
    return seconds


def test_the_beat_ticks_as_often_as_the_tick_believes() -> None:
    beat: dict[str, Any] = settings.CELERY_BEAT_SCHEDULE
    assert beat["tick"]["schedule"] == tick.PERIOD.total_seconds()


def test_an_idle_site_sends_for_no_tick_in_between_and_its_heart_beats(between: list[int]) -> None:
    tasks.tick()
    assert between == []
    assert Heartbeat.objects.exists()


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the tasks for servers of others that ticks send for, as the test continues."""
    sent: list[str] = []
    for task in (tasks.post, tasks.push, tasks.call_webhooks):
        monkeypatch.setattr(
            task, "apply_async", lambda name=task.name, **_: sent.append(name.rpartition(".")[2])
        )
    return sent


def test_a_tick_sends_for_post_that_has_an_address(
    between: list[int], post: list[str], ana: User
) -> None:
    tasks.tick()
    assert post == []
    now = database_time.now()
    Email.objects.create(address="ana@example.org", user=ana, due_at=now, made_at=now)
    tasks.tick()
    assert post == ["post"]
    Email.objects.update(state=Email.State.SENT)
    post.clear()
    browser = Browser("https://push.example/1")
    PushDevice.objects.create(user=ana, made_at=now, **browser.fields)
    webhook_server.delivered(ana)
    tasks.tick()
    assert post == ["push", "call_webhooks"]


def test_while_people_play_there_is_a_tick_every_second(
    between: list[int], ana: User, ben: User
) -> None:
    pages.new_game(ana.player, ben.player)
    tasks.tick()
    assert between == [*range(1, 10)]


def test_a_game_that_begins_after_a_tick_waits_half_as_long_for_the_next(
    between: list[int], halfway: list[int], ana: User, ben: User
) -> None:
    tasks.tick()
    assert (between, halfway) == ([], [5])
    tasks.tick_halfway()
    assert between == []
    pages.new_game(ana.player, ben.player)
    tasks.tick_halfway()
    assert between == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("repeats", "seconds"), [(3, []), (0, [*range(1, 10)])])
def test_for_an_exhibition_there_are_no_ticks_in_between_and_for_a_match_there_are(
    between: list[int], bots: list[Player], repeats: int, seconds: list[int]
) -> None:
    ruleset = "morelli(size=5)"
    matches.schedule(
        ruleset=ruleset,
        setup=game_creation.draw_setup(ruleset, 1),
        players=(bots[0], bots[1]),
        clock=game_creation.Clock(60_000),
        repeats_left=repeats,
    )
    tasks.tick()
    assert between == seconds


def test_an_event_and_a_round_begin_at_their_seconds(
    between: list[int], ana: User, clock: FrozenClock
) -> None:
    now = clock.now
    event_of(ana, name="Soon", starts_at=now + timedelta(seconds=3))
    event_of(ana, name="By hand", starts_at=now + timedelta(seconds=4), is_automatic=False)
    event_of(ana, name="Later", starts_at=now + timedelta(seconds=30))
    tasks.tick()
    assert between == [3]


def test_a_tick_in_between_starts_what_is_due(ana: User, bots: list[Player]) -> None:
    now = database_time.now()
    event = event_of(ana, starts_at=now + timedelta(seconds=3))
    enter(event, *bots)
    tick.tick(now + timedelta(seconds=3), is_between=True)
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING


def test_a_tick_in_between_decides_a_flag(ana: User, ben: User) -> None:
    game = pages.new_game(ana.player, ben.player)
    assert game.deadline_at is not None
    tick.tick(game.deadline_at + game_clocks.GRACE, is_between=True)
    game.refresh_from_db()
    assert game.ending == "time"


def test_checks_wait_for_a_tick_of_the_beat(monkeypatch: pytest.MonkeyPatch, ana: User) -> None:
    bot = pages.version_of(ana, "Uno", 1)
    Bot.objects.filter(pk=bot.pk).update(state=Bot.State.CHECKING, is_active=False)
    checks: list[str] = []
    monkeypatch.setattr(enqueue, "check", lambda: checks.append("check"))
    noon = database_time.now().replace(second=0, microsecond=0)
    tick.tick(noon, is_between=True)
    assert checks == []
    tick.tick(noon)
    assert checks == ["check"]
