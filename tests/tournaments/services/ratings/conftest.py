"""Common fixtures of the tests of ratings: bots that play, an arbiter who corrects, a calendar to turn."""

from __future__ import annotations

import pytest

from tests.tournaments.services.ratings.pool_games import Calendar
from tournaments import database_time
from tournaments.models import Player, User
from tournaments.services.accounts import players
from tournaments.services.ratings import recomputations, replay


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Calendar:
    """The clock of the site, which the test turns."""
    the_calendar = Calendar()
    monkeypatch.setattr(database_time, "now", the_calendar.now)
    return the_calendar


@pytest.fixture
def arbiter(ana: User) -> User:
    """Ana, who may correct every game."""
    ana.is_superuser = True
    ana.save()
    return ana


@pytest.fixture
def four(db: None) -> list[Player]:
    """Four bots of the house."""
    return [players.add_bot(name=f"Bot {n}", engine="random") for n in range(1, 5)]


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pool is large enough for a worker, who computes three games of it at a time."""
    monkeypatch.setattr(recomputations, "ROWS_AT_ONCE", 0)
    monkeypatch.setattr(replay, "GAMES_A_STEP", 3)
