"""Plies under fuel that are each chosen by a new instance of a module.

The two sides of such a game are on different machines, and no instance could hear the whole of it.
A module, the moves so far, a seed and a budget decide the ply. Therefore the owner of the module
can verify any one of them, without playing the plies before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import games
from engine import referee
from engine.clock import Fuel, GameClock
from engine.match import Ending
from engine.programs.fuel_errors import UndecidedError
from engine.programs.launch import run_in_place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.match import BotReply
    from engine.process import Launcher
    from engine.programs.program import Program


@dataclass(frozen=True, slots=True)
class FuelTurn:
    """Everything but the module that decides a ply.

    Attributes:
        ruleset: its key.
        setup: of the game.
        moves: before the ply.
        fuel: the budget in units.
        seed: of the game.
    """

    ruleset: str
    setup: str
    moves: Sequence[str]
    fuel: int
    seed: str


def seed_of_ply(seed: str, plies_before: int) -> str:
    """Return the seed of an instance's random bytes: that of the game, and how many plies came before."""
    return f"{seed}.{plies_before}"


def choose(
    program: Program,
    turn: FuelTurn,
    *,
    launcher: Launcher = run_in_place,
    on_wait: Callable[[], None] = lambda: None,
) -> BotReply:
    """Return the reply of a new instance of `program` in `turn`, without a ply if it resigned or failed.

    Raises:
        RulesError: the turn is of no game.
        UndecidedError: the machine failed.
        MatchAbortedError: from `on_wait`, called about once a second.
    """
    bot = program.spec("module", seed=seed_of_ply(turn.seed, len(turn.moves)))
    reply = referee.choose_move(
        games.load(turn.ruleset),
        setup=turn.setup,
        moves=turn.moves,
        bot=bot,
        clock=GameClock.start(Fuel(turn.fuel)),
        launcher=launcher,
        on_wait=on_wait,
    )
    if reply.ending is Ending.VOID:
        raise UndecidedError(reply.detail)
    return reply


def move_of(reply: BotReply) -> str:
    """Return the move of a reply, or in its place how the side has lost, such as `resignation`."""
    return reply.ply.move if reply.ply is not None else str(reply.ending or Ending.VOID)
