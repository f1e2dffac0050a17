"""Corrections and reconciliations that come while a worker computes the pool again."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from tests.tournaments.services.ratings.pool_games import Calendar, begin, end, faults
from tournaments.models import Game, LedgerEntry, PendingGame, Player, Pool, Recomputation, User
from tournaments.queries.ratings import ledger, ledger_rows
from tournaments.ratings.systems import RatedGame
from tournaments.services.arbiter import corrections
from tournaments.services.ratings import bulk, rating, recomputations, recompute, replay

pytestmark = [pytest.mark.long, pytest.mark.engines, pytest.mark.usefixtures("small_steps")]


def _games(four: list[Player], count: int) -> list[Game]:
    games = [begin(random.Random(n).sample(four, 2)) for n in range(count)]
    for game in games:
        end(game, "first")
    return games


def _once_games_are_read(
    patch: pytest.MonkeyPatch, game: Game, act: Callable[[], object]
) -> list[Game]:
    """Act once, just after a process has read `game` to rate it.

    The list has the game from then on.
    """
    read = ledger.rated_games
    read_games: list[Game] = []

    def read_and_act(pool: Pool, ids: Collection[int]) -> dict[int, RatedGame]:
        games = read(pool, ids)
        if game.pk in ids and not read_games:
            read_games.append(game)
            act()
        return games

    patch.setattr(ledger, "rated_games", read_and_act)
    return read_games


def _let(game: Game, result: str, arbiter: User) -> None:
    corrections.correct(game_id=game.pk, actor=arbiter, result=result, reason="the score sheet")


@pytest.mark.parametrize("number", [1, 3, 5], ids=["step-before", "begins-step", "within-step"])
@pytest.mark.parametrize("kind", [Pool.Kind.EVENTS, Pool.Kind.BOTS])
@pytest.mark.part(0.4)
def test_a_correction_of_a_game_that_the_worker_has_just_read_is_followed(
    arbiter: User,
    four: list[Player],
    monkeypatch: pytest.MonkeyPatch,
    kind: Pool.Kind,
    number: int,
) -> None:
    games = [begin(random.Random(n).sample(four, 2), kind) for n in range(8)]
    for game in games:
        end(game, "first")
    _let(games[0], "second", arbiter)
    read_games = _once_games_are_read(
        monkeypatch, games[5], lambda: _let(games[number], "draw", arbiter)
    )
    assert recomputations.work(games[0].pool_id or 0)
    assert read_games
    assert faults() == []
    last = LedgerEntry.objects.standing().get(game=games[number], side="first")
    assert last.score_halves == 1


def test_a_correction_of_a_game_entered_from_the_pending_ones_is_followed(
    arbiter: User, four: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = _games(four, 4)
    _let(games[0], "void", arbiter)
    late = [begin(four[:2]) for _ in range(8)]
    for game in late:
        end(game, "first")
    assert PendingGame.objects.count() == len(late)
    # Five are entered at a time: with the last one the first has been entered.
    read_games = _once_games_are_read(
        monkeypatch, late[7], lambda: _let(late[0], "second", arbiter)
    )
    assert recomputations.work(games[0].pool_id or 0)
    assert read_games
    assert faults() == []
    assert LedgerEntry.objects.standing().get(game=late[0], side="first").score_halves == 0


def test_a_pending_game_of_a_closed_month_that_is_voided_again_is_not_entered(
    calendar: Calendar, arbiter: User, four: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [begin(four[:2], Pool.Kind.EVENTS) for _ in range(3)]
    for game, result in zip(games, ["first", "void", "second"], strict=True):
        end(game, result)
    calendar.at += timedelta(days=31)
    rating.close_months(calendar.at)
    _let(games[1], "draw", arbiter)
    assert PendingGame.objects.get().game == games[1]
    read_games = _once_games_are_read(
        monkeypatch, games[1], lambda: _let(games[1], "void", arbiter)
    )
    assert recomputations.work(games[0].pool_id or 0)
    assert read_games
    assert faults() == []
    assert not LedgerEntry.objects.filter(game=games[1]).exists()
    assert not PendingGame.objects.exists()


def test_reconciling_ends_the_worker_before_it_reads_the_ledger(
    arbiter: User, four: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = _games(four, 10)
    _let(games[0], "void", arbiter)
    pool = Pool.objects.get()
    assert not recomputations.work(pool.pk, slice_s=0)
    insert = bulk.insert
    answers: list[bool] = []

    def work_and_insert(rows: Iterable[ledger_rows.Row]) -> int:
        patch.setattr(bulk, "insert", insert)
        answers.append(recomputations.work(pool.pk))
        return insert(rows)

    with monkeypatch.context() as patch, transaction.atomic():
        patch.setattr(bulk, "insert", work_and_insert)
        assert recompute.reconcile(pool)
    assert answers == [False]
    assert not Recomputation.objects.open().exists()
    assert faults() == []


@pytest.mark.parametrize("kind", [Pool.Kind.EVENTS, Pool.Kind.BOTS])
def test_a_worker_keeps_its_lease_while_it_reads_a_large_ledger(
    calendar: Calendar,
    arbiter: User,
    four: list[Player],
    monkeypatch: pytest.MonkeyPatch,
    kind: Pool.Kind,
) -> None:
    games = [begin(four[:2], kind) for _ in range(6)]
    for game in games[:3]:
        end(game, "first")
    calendar.at += timedelta(days=31)
    rating.close_months(calendar.at)
    for game in games[3:]:
        end(game, "first")
    _let(games[5], "second", arbiter)
    losses = []

    def read_slowly(execute: Callable[..., object], sql: str, *rest: Any) -> object:
        if not sql.startswith("SELECT") or LedgerEntry._meta.db_table not in sql:
            return execute(sql, *rest)
        calendar.at += recomputations.LEASE * 0.8
        losses.append(Recomputation.objects.due(calendar.at).exists())
        return execute(sql, *rest)

    class _SlowReplay(replay.Replay):
        def __init__(self, *words: Any, **more_words: Any) -> None:
            with connection.execute_wrapper(read_slowly):
                super().__init__(*words, **more_words)

    monkeypatch.setattr(recomputations, "Replay", _SlowReplay)
    assert recomputations.work(games[0].pool_id or 0)
    assert len(losses) >= 5
    assert not any(losses)
    assert faults() == []
