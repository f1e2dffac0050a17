"""The ledger of every kind of pool says what its games do, in whatever order months, results and corrections come."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from tests.tournaments import pages
from tournaments.models import Game, LedgerEntry, Pool
from tournaments.services import database_time
from tournaments.services.accounts import players
from tournaments.services.arbiter import corrections
from tournaments.services.games import game_creation, game_end
from tournaments.services.ratings import rating, recompute

if TYPE_CHECKING:
    from tournaments.models import Player, User


_RESULTS = ["first", "draw", "second", "void"]


class _Calendar:
    """The clock of the site; it may run backwards a little, as those of machines do."""

    def __init__(self) -> None:
        self.at = datetime(2026, 1, 20, tzinfo=UTC)

    def now(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> _Calendar:
    the_calendar = _Calendar()
    monkeypatch.setattr(database_time, "now", the_calendar.now)
    return the_calendar


@pytest.fixture
def arbiter(calendar: _Calendar, ana: User) -> User:
    ana.is_superuser = True
    ana.save()
    return ana


def _faults() -> list[recompute.Fault]:
    return [fault for pool in Pool.objects.all() for fault in recompute.verify(pool)]


def _begin(one: Player, two: Player, kind: Pool.Kind) -> Game:
    """A game that is rated in the pool of that kind."""
    start = game_creation.start_position(
        "morelli(size=5)", game_creation.draw_setup("morelli(size=5)", 1)
    )
    game = game_creation.new_game(start, first=one, second=two, clock=pages.CLOCK, is_rated=True)
    game.pool = pages.pool_of(kind)
    game.save()
    return game


def _end(game: Game, result: str) -> None:
    with transaction.atomic():
        game_end.finish_game(game, result=result, ending=Game.Ending.RULES)


@pytest.mark.parametrize("kind", [Pool.Kind.EVENTS, Pool.Kind.MIXED, Pool.Kind.BOTS])
@pytest.mark.parametrize("seed", range(2))
def test_what_was_entered_live_is_what_a_replay_says(
    calendar: _Calendar, arbiter: User, kind: Pool.Kind, seed: int
) -> None:
    rng = random.Random(seed)
    four = [players.add_bot(name=f"Bot {n}", engine="random") for n in range(4)]
    going_on: list[Game] = []
    finished_games: list[Game] = []
    for _ in range(40):
        match rng.choice(["begin", "begin", "end", "end", "end", "correct", "month", "later"]):
            case "begin":
                one, two = rng.sample(four, 2)
                going_on.append(_begin(one, two, kind))
            case "end" if going_on:
                game = going_on.pop(rng.randrange(len(going_on)))
                _end(game, rng.choice(_RESULTS))
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
        assert _faults() == []
    before = LedgerEntry.objects.count()
    for pool in Pool.objects.all():
        with transaction.atomic():
            assert recompute.reconcile(pool) == 0
    assert LedgerEntry.objects.count() == before
