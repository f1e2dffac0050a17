"""A built-in player on a line protocol: reads commands, plays the position, answers."""

from __future__ import annotations

import random
import sys
import time
from typing import IO, TYPE_CHECKING

import games
from engine import protocol
from engine.errors import EngineError, ProtocolError
from engine.players import kernel, registry
from engine.players.core import Budget, MoveChoice
from engine.protocol.serving import CommandServer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.players.registry import PlayerLevel
    from games.core import Position, Ruleset


class Server(CommandServer):
    """One built-in player at the other end of a pipe."""

    def __init__(self, level: PlayerLevel, rng: random.Random, output: IO[str]) -> None:
        self._level = level
        self._rng = rng
        super().__init__(output)
        self._ruleset: Ruleset | None = None
        self._last_command: protocol.SetPosition | None = None
        self._position: Position | None = None
        self._clock = time.monotonic_ns

    def _obey(self, command: protocol.Command) -> None:
        match command:
            case protocol.Hello(dialect):
                self._say(protocol.Identity("name", f"Rayuela {self._level.name}"))
                self._say(protocol.Identity("author", "Rayuela"))
                self._say(protocol.HelloOk(dialect))
            case protocol.SetOption("Game", key):
                self._ruleset = games.load(key)
                self._last_command = None
            case protocol.CPU_CLOCK:
                self._clock = time.process_time_ns
            case protocol.IsReady():
                self._say(protocol.ReadyOk())
            case protocol.SetPosition():
                self._set_up(command)
            case protocol.Go():
                self._think(command)
            case _:
                # Other options and news are ignored. A search is too short to be stopped.
                return

    def _set_up(self, command: protocol.SetPosition) -> None:
        """Play on from the last position where `command` continues it, else from its start."""
        previous, position = self._last_command, self._position
        if previous is None or position is None or not _continues(command, previous):
            position, ply = self._start(command), 0
        else:
            ply = len(previous.moves)
        for move in command.moves[ply:]:
            position = position.play(move)
        self._last_command, self._position = command, position

    def _start(self, command: protocol.SetPosition) -> Position:
        if self._ruleset is None:
            raise ProtocolError("a position before `setoption name Game`")
        if command.fen is None:
            return self._ruleset.start("")
        return self._ruleset.parse(command.fen)

    def _think(self, go: protocol.Go) -> None:
        if self._position is None:
            raise ProtocolError("`go` before a position")
        began_ns = self._clock()
        side = self._position.side_to_move
        budget = Budget.of(go, side=side, cap_ms=self._level.cap_ms, clock=self._clock)
        choice = self._level.player.choose(self._position, budget=budget, rng=self._rng)
        if choice.score is not None:
            self._say(_info(choice, self._clock() - began_ns))
        self._say(protocol.BestMove(choice.move))


def serve(name: str, *, seed: int | None = None) -> int:
    """Serve the player `name` on standard input and output, and return the exit code.

    Raises:
        UnknownPlayerError, ProtocolError, RulesError: see `create` and `Server.run`.
    """
    Server(registry.create(name), random.Random(seed), sys.stdout).run(sys.stdin)
    return 0


def preload() -> None:
    """Load the modules that any built-in player may need, before it is forked."""
    for family in games.available():
        assert family.options
    kernel.preload()


def main(argv: Sequence[str]) -> int:
    """Serve the player of the arguments `NAME [SEED]`, which `registry.command` writes."""
    try:
        return serve(argv[0], seed=int(argv[1]) if argv[1:] else None)
    except (EngineError, games.RulesError) as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _continues(command: protocol.SetPosition, previous: protocol.SetPosition) -> bool:
    return command.fen == previous.fen and command.moves[: len(previous.moves)] == previous.moves


def _info(choice: MoveChoice, took_ns: int) -> protocol.Info:
    return protocol.Info(
        depth=choice.depth,
        score_cp=None if choice.score is None else round(choice.score * 100),
        nodes=choice.nodes,
        time_ms=took_ns // 1_000_000,
        pv=(choice.move, *choice.expected),
    )
