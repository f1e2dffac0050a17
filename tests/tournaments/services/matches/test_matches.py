"""Matches of bots: lease, record, replay after a lost worker, and single counting."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.test import Client
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks

from engine.errors import MatchAbortedError
from tests import processes
from tournaments import database_time, tasks
from tournaments.models import Game, LedgerEntry, Match, Player, Ply
from tournaments.services import enqueue, tick
from tournaments.services.accounts import players
from tournaments.services.games import game_creation
from tournaments.services.matches import dispatch, leases, matches, recorders

pytestmark = pytest.mark.engines

RULESET = "morelli(size=5)"


@pytest.fixture
def schedule(db: None) -> Callable[..., Match]:
    """Return a function that schedules a match of two bots at Morelli 5x5.

    Change settings by keyword.
    """
    pair = tuple(players.add_bot(name=f"Bot {n}", engine="random") for n in (1, 2))

    def make(**changes: object) -> Match:
        plan: dict[str, Any] = {
            "ruleset": RULESET,
            "setup": game_creation.draw_setup(RULESET, 3),
            "players": pair,
            "clock": game_creation.Clock(60_000, 100),
            **changes,
        }
        return matches.schedule(**plan)

    return make


@pytest.mark.engine
def test_a_pair_is_played_with_sides_exchanged_and_one_set_up(
    schedule: Callable[..., Match],
) -> None:
    match = schedule(games_count=2)
    assert matches.play_match(match.pk)
    one, two = match.games.order_by("number")
    assert (one.first, one.second) == (two.second, two.first)
    assert one.setup == two.setup
    assert one.result
    assert two.result
    assert LedgerEntry.objects.count() == 4
    match.refresh_from_db()
    assert (match.state, match.attempt) == (Match.State.DONE, 1)


def test_one_of_many_workers_gets_the_match(schedule: Callable[..., Match]) -> None:
    match = schedule()
    claims = [leases.claim(match.pk) for _ in range(5)]
    assert [lease is not None for lease in claims] == [True, False, False, False, False]


def test_a_match_is_not_claimed_before_it_is_due(schedule: Callable[..., Match]) -> None:
    match = schedule(due_at=database_time.now() + timedelta(minutes=1))
    assert leases.claim(match.pk) is None


def test_a_silent_worker_loses_its_match_and_its_late_report_is_refused(
    schedule: Callable[..., Match],
) -> None:
    match = schedule()
    late = leases.claim(match.pk)
    assert late is not None
    recorder = recorders.Recorder(late, list(match.games.all()))
    Match.objects.update(lease_until=database_time.now() - timedelta(seconds=1))
    second = leases.claim(match.pk)
    assert second is not None
    assert second.attempt == 2
    with pytest.raises(MatchAbortedError):
        recorder.waiting()


def test_at_most_two_exhibitions_are_played_at_once(schedule: Callable[..., Match]) -> None:
    exhibitions = [schedule(pace_ms=1000) for _ in range(3)]
    claims = [leases.claim(match.pk) for match in exhibitions]
    assert [lease is not None for lease in claims] == [True, True, False]
    assert leases.claim(schedule().pk) is not None


@pytest.mark.long
@pytest.mark.engine
def test_an_exhibition_begins_again_for_who_watches_with_sides_exchanged(
    schedule: Callable[..., Match],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, *_, **__: sent.append(name))
    match = schedule(pace_ms=1, repeats_left=1)
    client.get("/")
    assert matches.play_match(match.pk)
    sent.clear()
    for path in ("/", "/play/watch/live/"):
        with django_capture_on_commit_callbacks(execute=True):
            client.get(path)
    assert sent == ["tournaments.tasks.repeat_exhibitions"] * 2
    assert Match.objects.count() == 1  # a page changes nothing
    for _message in sent:
        tasks.repeat_exhibitions()
    again = Match.objects.exclude(pk=match.pk).get()
    assert (again.repeats_left, again.state) == (0, Match.State.QUEUED)
    assert again.games.get().first == match.games.get().second


@pytest.mark.engine
def test_a_bot_that_breaks_loses_and_the_ending_says_why(schedule: Callable[..., Match]) -> None:
    match = schedule()
    faulty = Player.objects.get(name="Bot 1")
    faulty.bot.engine = "search:50"
    faulty.bot.save()
    Game.objects.update(clock_initial_ms=1000, first_ms=1000, clock_increment_ms=0)
    assert matches.play_match(match.pk)
    game = match.games.get()
    assert game.ending in {Game.Ending.RULES, Game.Ending.TIME}


def test_the_tick_wakes_what_was_forgotten_once(
    schedule: Callable[..., Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[int] = []
    monkeypatch.setattr(enqueue, "match", lambda pk, **_: woken.append(pk))
    match = schedule()
    woken.clear()
    now = database_time.now()
    tick.tick(now)
    assert woken == []  # its first wake-up is still fresh
    later = now + dispatch.REPEAT + timedelta(seconds=1)
    tick.tick(later)
    tick.tick(later)
    assert woken == [match.pk]


@pytest.mark.engine
@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_a_killed_worker_loses_nothing_and_nothing_counts_twice(
    erasable: None, schedule: Callable[..., Match]
) -> None:
    match = schedule(pace_ms=30)
    game = match.games.get()
    with processes.worker("builtin") as first:
        processes.until(lambda: game.plies.count() >= 2)
        processes.kill_group(first)
        first.wait()
    assert Game.objects.ongoing().filter(pk=game.pk).exists()
    # Half a minute later:
    Match.objects.update(lease_until=database_time.now() - timedelta(seconds=1))
    enqueue.match(match.pk, is_sandboxed=False, limit_s=600)
    with processes.worker("builtin"):
        processes.until(lambda: Match.objects.get().state == Match.State.DONE)
    game.refresh_from_db()
    assert game.attempt == 2
    assert game.result is not None
    assert LedgerEntry.objects.filter(game=game).count() == 2
    numbers = list(game.plies.filter(attempt=2).values_list("number", flat=True))
    assert numbers == list(range(1, game.ply + 1))
    # The first worker's plies remain stored, and do not count.
    assert Ply.objects.filter(game=game, attempt=1).count() >= 2
