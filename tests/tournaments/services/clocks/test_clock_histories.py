"""Whole games at random, with all events of a clock: laws that hold after each step."""

from __future__ import annotations

import contextlib
import random
from datetime import timedelta

import pytest

from tests.tournaments import clock_lines, pages
from tests.tournaments.frozen_clock import FrozenClock, freeze
from tournaments.errors import TournamentError
from tournaments.models import Game, Player, User
from tournaments.queries.clocks import game_clocks, ledger, vacation_days
from tournaments.services import tick
from tournaments.services.clocks import outages, vacations
from tournaments.services.games import offers, play, takebacks

STEPS = 50
CLOCKS = ["180+2", "300d3", "604800+86400<1209600"]


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch, db: None) -> FrozenClock:
    wall = freeze(monkeypatch)
    outages.notice(wall.now)
    return wall


class Table:
    """A game and its possible actions, chosen at random."""

    def __init__(self, game: Game, wall: FrozenClock, seed: int) -> None:
        self.game = game
        self.wall = wall
        self.rng = random.Random(seed)
        # A turn is short beside the clock, so that most games are long.
        self.turn_s = game.clock_initial_ms / 1000 / 20

    def step(self) -> None:
        length_s = self.rng.uniform(0, self.turn_s)
        match self.rng.choices(
            ["move", "away", "gift", "takeback", "vacation", "tick"], [12, 1, 1, 2, 2, 3]
        )[0]:
            case "move":
                self.wall.wait(seconds=length_s)
                self.move(length_s)
            case "away":
                self.wall.sleep(seconds=20 + length_s)
                tick.tick(self.wall.now)
            case "gift":
                offers.give_time(game_id=self.game.pk, player=self.anybody())
            case "takeback":
                takebacks.offer_takeback(game_id=self.game.pk, player=self.game.first)
                self.wall.wait(seconds=length_s)
                takebacks.offer_takeback(game_id=self.game.pk, player=self.game.second)
            case "vacation":
                player = self.anybody()
                if vacation_days.running(player) is None:
                    vacations.start(player=player, days=self.rng.randint(1, 3))
                else:
                    vacations.end(player=player)
            case _:
                self.wall.wait(seconds=length_s)
                tick.tick(self.wall.now)

    def move(self, length_s: float) -> None:
        play.play_move(
            game_id=self.game.pk,
            player=self.game.player_on(self.game.side_to_move),
            ply=self.game.ply,
            move=pages.legal(self.game),
            thought_ms=self.rng.choice([None, 0, round(length_s * 1000), 10**9]),
        )

    def anybody(self) -> Player:
        return self.rng.choice([self.game.first, self.game.second])


@pytest.mark.long
@pytest.mark.parametrize("text", CLOCKS)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.part(0.4)
def test_the_books_of_a_clock_balance(
    wall: FrozenClock, ana: User, ben: User, text: str, seed: int
) -> None:
    game = pages.new_game(
        ana.player, ben.player, "morlox(size=7)", clock=game_clocks.Clock.read(text), is_rated=False
    )
    began_at = wall.now
    table = Table(game, wall, seed)
    for _ in range(STEPS):
        # A refusal has no effect. The next step's laws check this.
        with contextlib.suppress(TournamentError):
            table.step()
        game.refresh_from_db()
        _require_balance(game)
        _require_whole_time(game, wall, began_at_ms=game_clocks.milliseconds(began_at, wall.now))
        if game.result is not None:
            break
        _require_deadline(game, wall)
    assert len(_spent_ms(game)) > 3


def _require_balance(game: Game) -> None:
    """Require that the time of a side is its start plus all its charges."""
    for side in ("first", "second"):
        left_ms = game.clock_initial_ms
        for line in ledger.of_game(game):
            if line.side == side:
                left_ms += line.ms
                assert line.remaining_ms == left_ms >= 0
        assert left_ms == game_clocks.remaining_ms(game, side)


def _spent_ms(game: Game) -> list[int]:
    return [-ms for reason, ms in clock_lines.reasons(game) if reason == "spent"]


def _require_whole_time(game: Game, wall: FrozenClock, *, began_at_ms: int) -> None:
    """Require that the turns cover the game: every moment belongs to a side."""
    turns_ms = _spent_ms(game)
    end = game.ended_at or wall.now
    running_ms = (
        0 if game.turn_started_at is None else game_clocks.running_turn(game, end).elapsed_ms
    )
    after_the_end_ms = game_clocks.milliseconds(end, wall.now)
    elapsed_ms = sum(turns_ms) + running_ms + after_the_end_ms
    assert abs(elapsed_ms - began_at_ms) <= len(turns_ms) + 2  # rounding


def _require_deadline(game: Game, wall: FrozenClock) -> None:
    """Require that the flag falls when the time on the page has run out, unless the clock is stopped."""
    time_left = timedelta(milliseconds=game_clocks.runs_out_ms(game, wall.now))
    away = vacation_days.running(game.player_on(game.side_to_move)) is not None
    assert (game.paused_at is not None) <= (away and game.allows_vacation)
    if game.deadline_at is None:
        assert game.paused_at is not None
    elif time_left:
        assert abs(game.deadline_at - wall.now - time_left) <= timedelta(milliseconds=1)
    else:
        assert game.deadline_at <= wall.now
