"""`python -m engine fuel MODULE`: a module on the line protocol, a new instance for each ply.

For remote bots in events by fuel. The site, and any other reader, can reproduce its answer to a `go
fuel N` with the module alone. `setoption name Seed value S` sets the seed of the game.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import IO

import games
from engine import protocol
from engine.errors import ProtocolError
from engine.programs import fuel_plies, store
from engine.programs.fuel_game import meter
from engine.programs.fuel_plies import FuelTurn
from engine.programs.program import Program, ProgramKind
from engine.protocol.serving import CommandServer


def serve(module: Path, *, lines: IO[str], output: IO[str]) -> int:
    """Answer commands until `quit` or the end of input, and return the exit code.

    Raises:
        EngineError: it is no module, or this machine cannot run it.
        RulesError: a rule set, position or move that does not exist.
    """
    with tempfile.TemporaryDirectory() as directory:
        program = store.unpack(module.read_bytes(), module.name, Path(directory))
        if program.kind is not ProgramKind.WASM:
            raise ProtocolError(f"{module.name} is no WebAssembly module")
        _Server(program, output).run(lines)
    return 0


class _Server(CommandServer):
    """A module at the other end of a pipe."""

    def __init__(self, program: Program, output: IO[str]) -> None:
        self._program = program
        super().__init__(output)
        self._ruleset = ""
        self._seed = ""
        self._position: protocol.SetPosition | None = None

    def _obey(self, command: protocol.Command) -> None:
        match command:
            case protocol.Hello(dialect):
                self._say(protocol.Identity("name", f"{self._program.digest[:12]}, {meter()}"))
                self._say(protocol.HelloOk(dialect))
            case protocol.SetOption("Game", key):
                self._ruleset = key
            case protocol.SetOption("Seed", seed):
                self._seed = seed
            case protocol.IsReady():
                self._say(protocol.ReadyOk())
            case protocol.SetPosition():
                self._position = command
            case protocol.Go(fuel=fuel) if fuel is not None:
                self._choose(fuel)
            case protocol.Go():
                raise ProtocolError("a module here plays by `go fuel N` alone")
            case _:
                return

    def _choose(self, fuel: int) -> None:
        if self._position is None or not self._ruleset:
            raise ProtocolError("`go` before there is a position")
        setup = ""
        if self._position.fen is not None:
            setup = games.setup_of(games.load(self._ruleset).parse(self._position.fen))
        turn = FuelTurn(self._ruleset, setup, self._position.moves, fuel, self._seed)
        reply = fuel_plies.choose(self._program, turn)
        self._say(protocol.BestMove(reply.ply.move if reply.ply is not None else None))
