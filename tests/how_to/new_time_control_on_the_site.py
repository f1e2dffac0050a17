"""A visit to a site with refilled clocks: run by `test_new_time_control.py` in its copy of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import clock_lines, pages
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.models import Game
from tournaments.services import tick
from tournaments.services.games import play

if TYPE_CHECKING:
    from tournaments.models import User

CLOCK = "300r60"


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    return freeze(monkeypatch)


@pytest.fixture
def game(wall: FrozenClock, ana: User, ben: User) -> Game:
    """Return a game by this clock, which Ana offers in the lobby and Ben accepts."""
    ruleset = "morelli(edition=revised,size=7)"
    form = {"opponent": "", "ruleset": ruleset, "clock": CLOCK, "side": "first"}
    pages.member(ana).post(reverse("challenge"), form)
    challenge = ana.player.challenges_sent.get()
    pages.member(ben).post(reverse("challenge-accept", args=[challenge.pk]))
    return Game.objects.get()


def _move(game: Game) -> None:
    play.play_move(
        game_id=game.pk,
        player=game.player_on(game.side_to_move),
        ply=game.ply,
        move=pages.legal(game),
        thought_ms=None,
    )
    game.refresh_from_db()


def test_a_ply_fills_the_clock_up_to_its_start(game: Game, wall: FrozenClock) -> None:
    wall.wait(seconds=10)
    _move(game)
    wall.wait(seconds=90)
    _move(game)
    assert (game.first_ms, game.second_ms) == (300_000, 270_000)
    assert clock_lines.of(game) == [
        ("first", "spent", -10_000),
        ("first", "increment", 60_000),
        ("first", "cap", -50_000),
        ("second", "spent", -90_000),
        ("second", "increment", 60_000),
    ]


def test_a_flag_falls_when_what_is_left_has_run_down(game: Game, wall: FrozenClock) -> None:
    wall.wait(seconds=299)
    tick.tick(wall.now)
    assert Game.objects.ongoing().filter(pk=game.pk).exists()
    wall.wait(seconds=2)
    tick.tick(wall.now)
    game.refresh_from_db()
    assert (game.result, game.ending) == ("second", Game.Ending.TIME)


def test_pages_say_what_is_played_in_every_language(game: Game) -> None:
    def page(language: str) -> str:
        client = Client(headers={"accept-language": language})
        return pages.text_of(client.get(game.get_absolute_url()).content)

    assert "5 min, refilled by 1 min per move" in page("en")
    assert "1手ごとに1分補充" in page("ja")
