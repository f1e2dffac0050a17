"""How often the tick looks for what is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from tests.tournaments import pages
from tests.tournaments.frozen_clock import freeze
from tournaments import tasks
from tournaments.models import Heartbeat
from tournaments.services import tick
from tournaments.services.games import game_creation
from tournaments.services.matches import matches

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Player, User


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch, db: None) -> list[int]:
    """The seconds at which everything was looked for, of ten in a row, as the test goes on."""
    seconds: list[int] = []

    def note(now: datetime) -> None:
        seconds.append(now.second)

    monkeypatch.setattr(tick, "tick", note)
    return seconds


def _ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = freeze(monkeypatch)
    for _ in range(10):
        tasks.tick()
        clock.sleep(seconds=1)


def test_an_idle_site_rests_and_its_heart_beats(
    monkeypatch: pytest.MonkeyPatch, ticks: list[int]
) -> None:
    _ten_seconds(monkeypatch)
    assert ticks == [0, 5]
    assert (timezone.now() - Heartbeat.objects.get().beat_at).total_seconds() <= 3


def test_while_people_play_everything_is_looked_for_every_second(
    monkeypatch: pytest.MonkeyPatch, ticks: list[int], ana: User, ben: User
) -> None:
    pages.new_game(ana.player, ben.player)
    _ten_seconds(monkeypatch)
    assert ticks == list(range(10))


@pytest.mark.parametrize(("repeats", "seconds"), [(3, [0, 5]), (0, list(range(10)))])
def test_an_exhibition_wakes_nobody_and_a_match_does(
    monkeypatch: pytest.MonkeyPatch,
    ticks: list[int],
    bots: list[Player],
    repeats: int,
    seconds: list[int],
) -> None:
    ruleset = "morelli(size=5)"
    matches.schedule(
        ruleset=ruleset,
        setup=game_creation.draw_setup(ruleset, 1),
        players=(bots[0], bots[1]),
        clock=game_creation.Clock(60_000),
        repeats_left=repeats,
    )
    _ten_seconds(monkeypatch)
    assert ticks == seconds
