"""First games of several newcomers that end at one moment, and a recomputation of their pool."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from tests.tournaments import waiting
from tests.tournaments.services.ratings import pool_games
from tournaments import database_time
from tournaments.models import Game, LedgerEntry
from tournaments.services.accounts import players
from tournaments.services.ratings import rating, recompute

pytestmark = [pytest.mark.engines, pytest.mark.django_db(transaction=True)]
_PATIENCE_S = 10.0


@pytest.fixture
def games() -> list[Game]:
    """Two games of four newcomers, which are to be rated."""
    bots = [players.add_bot(name=f"Bot {n}", engine="random") for n in range(4)]
    games = [pool_games.begin(bots[:2]), pool_games.begin(bots[2:])]
    for game in games:
        game.result, game.ending = Game.Result.FIRST, Game.Ending.RULES
        game.ended_at = database_time.now()
        game.stop_turn()
    return games


def _beside(act: Callable[[], object]) -> threading.Thread:
    """Begin the act in a transaction of another connection."""

    def run() -> None:
        try:
            with transaction.atomic():
                act()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_first_games_do_not_wait_for_each_other(games: list[Game]) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    with transaction.atomic():
        rating.rate(games[0])
        other = _beside(lambda: rating.rate(games[1]))
        other.join(_PATIENCE_S)
        assert not other.is_alive()
    assert LedgerEntry.objects.count() == 4


@pytest.mark.long
def test_a_recomputation_waits_for_first_games(games: list[Game]) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    pool = games[0].pool
    assert pool is not None
    with transaction.atomic():
        rating.rate(games[0])
        games[0].save()
        other = _beside(lambda: recompute.reconcile(pool))
        waiting.for_a_lock()
        assert other.is_alive()
    other.join()
    assert pool_games.faults() == []
