"""Large pools are computed again by a worker, step by step, while further games end."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.db import OperationalError, transaction
from django.test import Client
from psycopg.errors import LockNotAvailable

from tests.tournaments.services.ratings.pool_games import Calendar, begin, end, faults
from tournaments import tasks
from tournaments.models import (
    Correction,
    Game,
    LedgerEntry,
    PendingGame,
    Player,
    Pool,
    Rating,
    Recomputation,
    User,
)
from tournaments.services.arbiter import corrections
from tournaments.services.ratings import bulk, rating, recomputations, recompute

pytestmark = [pytest.mark.engines, pytest.mark.usefixtures("small_steps")]

_RESULTS = ["first", "draw", "second", "void"]


def _play(four: list[Player], count: int) -> list[Game]:
    rng = random.Random(count)
    games = []
    for _ in range(count):
        games.append(begin(rng.sample(four, 2)))
        end(games[-1], rng.choice(_RESULTS[:3]))
    return games


def _correct(game: Game, arbiter: User, rng: random.Random) -> None:
    game.refresh_from_db()
    result = rng.choice([each for each in _RESULTS if each != game.result])
    corrections.correct(game_id=game.pk, actor=arbiter, result=result, reason="the score sheet")


def _work_to_the_end() -> None:
    for each in Recomputation.objects.open():
        for _ in range(200):
            if recomputations.work(each.pool_id, slice_s=0):
                break
        else:
            pytest.fail("the worker comes to no end")


@pytest.mark.long
@pytest.mark.parametrize("kind", [Pool.Kind.EVENTS, Pool.Kind.MIXED, Pool.Kind.BOTS])
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 12))]
)
@pytest.mark.part(0.4)
def test_a_pool_computed_again_in_steps_is_what_a_replay_says(
    calendar: Calendar, arbiter: User, four: list[Player], kind: Pool.Kind, seed: int
) -> None:
    rng = random.Random(seed)
    going_on: list[Game] = []
    finished_games: list[Game] = []
    acts = ["begin", "begin", "end", "end", "end", "correct", "work", "work", "month", "later"]
    for _ in range(60):
        match rng.choice(acts):
            case "begin":
                going_on.append(begin(rng.sample(four, 2), kind))
            case "end" if going_on:
                game = going_on.pop(rng.randrange(len(going_on)))
                end(game, rng.choice(_RESULTS))
                finished_games.append(game)
            case "correct" if finished_games:
                _correct(rng.choice(finished_games), arbiter, rng)
            case "work":
                for each in Recomputation.objects.open():
                    recomputations.work(each.pool_id, slice_s=0)
            case "month":
                calendar.at += timedelta(days=rng.choice([20, 31, 70]))
                rating.close_months(calendar.at)
            case "later":
                calendar.at += timedelta(hours=rng.choice([-1, 7, 50]))
            case _:
                pass  # nothing is there to end or to correct
        assert faults() == []
    assert Recomputation.objects.exists()
    _work_to_the_end()
    assert not PendingGame.objects.exists()
    assert not Recomputation.objects.open().exists()
    assert faults() == []
    before = LedgerEntry.objects.count()
    for pool in Pool.objects.all():
        with transaction.atomic():
            assert recompute.reconcile(pool) == 0
    assert LedgerEntry.objects.count() == before


@pytest.mark.long
def test_the_correction_stands_at_once_and_ratings_wait_for_the_worker(
    arbiter: User, four: list[Player]
) -> None:
    games = _play(four, 10)
    before = dict(Rating.objects.values_list("player", "centielo"))
    rows = LedgerEntry.objects.count()
    _correct(games[0], arbiter, random.Random(1))
    games[0].refresh_from_db()
    assert games[0].result == Correction.objects.get().after
    assert dict(Rating.objects.values_list("player", "centielo")) == before
    assert LedgerEntry.objects.count() == rows
    _work_to_the_end()
    assert dict(Rating.objects.values_list("player", "centielo")) != before
    done = Recomputation.objects.get()
    assert (done.games_done, done.games_total) == (10, 10)


@pytest.mark.long
def test_a_game_that_ends_meanwhile_is_entered_after_it_once(
    arbiter: User, four: list[Player]
) -> None:
    games = _play(four, 8)
    _correct(games[0], arbiter, random.Random(1))
    pool = Pool.objects.get()
    assert not recomputations.work(pool.pk, slice_s=0)
    late = _play(four, 3)
    assert PendingGame.objects.count() == 3
    assert not LedgerEntry.objects.filter(game__in=late).exists()
    _work_to_the_end()
    for game in late:
        assert LedgerEntry.objects.filter(game=game).count() == 2
    firsts = LedgerEntry.objects.filter(game__in=late, side="first").order_by("pk")
    assert list(firsts.values_list("game", flat=True)) == [game.pk for game in late]
    assert faults() == []


@pytest.mark.long
def test_a_second_worker_leaves_the_first_alone_and_takes_over_when_it_is_silent(
    calendar: Calendar, arbiter: User, four: list[Player]
) -> None:
    games = _play(four, 10)
    _correct(games[0], arbiter, random.Random(1))
    pool_id = Pool.objects.get().pk
    Recomputation.objects.update(lease_until=calendar.at + recomputations.LEASE, attempts=1)
    assert not recomputations.work(pool_id)
    assert Recomputation.objects.get().attempts == 1
    calendar.at += 2 * recomputations.LEASE
    assert recomputations.work(pool_id)
    assert faults() == []


@pytest.mark.long
def test_rows_name_the_latest_correction_that_they_follow_from(
    arbiter: User, four: list[Player]
) -> None:
    games = _play(four, 9)
    _correct(games[0], arbiter, random.Random(1))
    _correct(games[6], arbiter, random.Random(2))
    _work_to_the_end()
    first, second = Correction.objects.order_by("pk")
    rows = LedgerEntry.objects.filter(kind="re-entry")
    assert set(rows.filter(game__in=games[1:6]).values_list("correction", flat=True)) == {first.pk}
    assert set(rows.filter(game__in=games[6:]).values_list("correction", flat=True)) <= {second.pk}


def test_the_tick_sends_for_a_worker_that_nobody_has_sent_for(
    calendar: Calendar, arbiter: User, four: list[Player]
) -> None:
    games = _play(four, 4)
    _correct(games[0], arbiter, random.Random(1))
    wait = timedelta(seconds=20)
    assert recomputations.due(calendar.at, since=wait) == []
    later = calendar.at + timedelta(seconds=21)
    assert recomputations.due(later, since=wait) == [Pool.objects.get().pk]
    assert recomputations.due(later, since=wait) == []


@pytest.mark.long
def test_pages_say_how_far_it_is(arbiter: User, four: list[Player], client: Client) -> None:
    games = _play(four, 8)
    client.force_login(arbiter)
    words = {"result": "void", "reason": "a wrong set-up"}
    preview = client.post(f"/game/{games[0].pk}/correct/", words).content.decode()
    assert "computed again in the background" in preview
    assert not Recomputation.objects.exists()
    answer = client.post(f"/game/{games[0].pk}/correct/", {**words, "confirm": "1"}, follow=True)
    assert "The ratings will follow." in answer.content.decode()
    pool = Pool.objects.get()
    addresses = [f"/leaderboard/{pool.key}/", f"/players/{games[0].first_id}/"]
    for address in addresses:
        assert "It begins in a moment." in client.get(address).content.decode()
    recomputations.work(pool.pk, slice_s=0)
    for address in addresses:
        assert "3 of 8 games" in client.get(address).content.decode()
    assert "3 of 8 games" in client.get(f"/game/{games[1].pk}/").content.decode()
    _work_to_the_end()
    for address in [*addresses, f"/game/{games[1].pk}/"]:
        assert "computed again" not in client.get(address).content.decode()


@pytest.mark.long
def test_a_lock_that_does_not_come_is_left_to_the_next_message(
    arbiter: User, four: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    _correct(_play(four, 4)[0], arbiter, random.Random(1))

    def refuse(*_: object) -> None:
        raise OperationalError from LockNotAvailable()

    with monkeypatch.context() as patch:
        patch.setattr(bulk, "insert", refuse)
        tasks.recompute_pool(Pool.objects.get().pk)
    assert Recomputation.objects.open().get().games_done == 0
    Recomputation.objects.update(lease_until=None)
    _work_to_the_end()
    assert faults() == []
