"""The ledger of every kind of pool agrees with its games, for all orders of months, results and corrections."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.db import transaction

from tests.tournaments.services.ratings.pool_games import Calendar, begin, end, faults
from tournaments.models import Game, LedgerEntry, Player, Pool, User
from tournaments.services.arbiter import corrections
from tournaments.services.ratings import rating, recompute

_RESULTS = ["first", "draw", "second", "void"]


@pytest.mark.parametrize("kind", [Pool.Kind.EVENTS, Pool.Kind.MIXED, Pool.Kind.BOTS])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.part(0.4)
@pytest.mark.long
def test_what_was_entered_live_is_what_a_replay_says(
    calendar: Calendar, arbiter: User, four: list[Player], kind: Pool.Kind, seed: int
) -> None:
    rng = random.Random(seed)
    going_on: list[Game] = []
    finished_games: list[Game] = []
    for _ in range(40):
        match rng.choice(["begin", "begin", "end", "end", "end", "correct", "month", "later"]):
            case "begin":
                one, two = rng.sample(four, 2)
                going_on.append(begin([one, two], kind))
            case "end" if going_on:
                game = going_on.pop(rng.randrange(len(going_on)))
                end(game, rng.choice(_RESULTS))
                finished_games.append(game)
            case "correct" if finished_games:
                game = rng.choice(finished_games)
                game.refresh_from_db()
                result = rng.choice([each for each in _RESULTS if each != game.result])
                corrections.correct(
                    game_id=game.pk, actor=arbiter, result=result, reason="the score sheet"
                )
            case "month":
                calendar.at += timedelta(days=rng.choice([20, 31, 70]))
                rating.close_months(calendar.at)
            case "later":
                calendar.at += timedelta(hours=rng.choice([-1, 7, 50]))
            case _:
                pass  # nothing is there to end or to correct
        assert faults() == []
    before = LedgerEntry.objects.count()
    for pool in Pool.objects.all():
        with transaction.atomic():
            assert recompute.reconcile(pool) == 0
    assert LedgerEntry.objects.count() == before
