"""The kernel in this process, by wasmtime.

It is imported only by users of the kernel, because loading wasmtime takes a quarter of a second.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import resource
import tempfile
from dataclasses import dataclass
from enum import IntEnum, unique
from importlib.metadata import version
from typing import TYPE_CHECKING, Self

import wasmtime

from engine.errors import EngineError
from engine.kernel import reports
from engine.kernel.build import MODULE
from games.core import Outcome, Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from games.core import Position

MEMORY_BYTES = 64 << 20
# A second of a loop on a fast machine. Calls that may take longer name their own limit.
FUEL = 4_000_000_000
# Small enough that a call does not exceed its fuel on the largest boards.
_NODES_OF_A_CALL = 200
# Functions that a module needs to be asked for moves. `bot.wasm` lacks them.
_FUNCTIONS = frozenset({"memory", "input", "output", "load", "search_begin", "search_slice"})
_OUTCOMES = (None, Outcome.FIRST, Outcome.SECOND, Outcome.DRAW)


class KernelError(EngineError):
    """Base of the kernel's refusals."""

    code = "kernel"


class KernelModuleError(KernelError):
    """A file that is no module of a kernel."""

    code = "kernel-module"


class UnknownKernelRulesetError(KernelError):
    """A rule set that the kernel does not play, or whose key is not canonical."""

    code = "kernel-unknown-ruleset"


class KernelPositionError(KernelError):
    """A text that is no position of the rule set."""

    code = "kernel-bad-position"


class KernelMoveError(KernelError):
    """A text that is no legal move here."""

    code = "kernel-illegal-move"


class NoPositionError(KernelError):
    """A question about a position before one was loaded."""

    code = "kernel-no-position"


class TextTooLongError(KernelError):
    """A text longer than the kernel's buffer for it."""

    code = "kernel-text-too-long"


class TooDeepError(KernelError):
    """A count so deep that the kernel has no room for the moves on its way."""

    code = "kernel-too-deep"


class KernelWordError(KernelError):
    """A word that a search does not know, or with a value out of its range."""

    code = "kernel-bad-word"


class NoSearchError(KernelError):
    """A question about a search before one has begun."""

    code = "kernel-no-search"


class KernelGameOverError(KernelError):
    """A question about the best move of a finished game."""

    code = "kernel-game-over"


class KernelTrapError(KernelError):
    """A call that used up its fuel, or a fault of the kernel. The position is lost."""

    code = "kernel-trap"


@unique
class _Refusal(IntEnum):
    """The numbers of `Error` in `source/base.hpp`."""

    UNKNOWN_RULESET = 1
    BAD_POSITION = 2
    ILLEGAL_MOVE = 3
    NO_POSITION = 4
    TEXT_TOO_LONG = 5
    TOO_DEEP = 6
    BAD_WORD = 7
    NO_SEARCH = 8
    GAME_OVER = 9


_ERRORS: dict[_Refusal, type[KernelError]] = {
    _Refusal.UNKNOWN_RULESET: UnknownKernelRulesetError,
    _Refusal.BAD_POSITION: KernelPositionError,
    _Refusal.ILLEGAL_MOVE: KernelMoveError,
    _Refusal.NO_POSITION: NoPositionError,
    _Refusal.TEXT_TOO_LONG: TextTooLongError,
    _Refusal.TOO_DEEP: TooDeepError,
    _Refusal.BAD_WORD: KernelWordError,
    _Refusal.NO_SEARCH: NoSearchError,
    _Refusal.GAME_OVER: KernelGameOverError,
}


class Kernel:
    """One instance of the kernel with one current position.

    A call that raises leaves the position unchanged, except for KernelTrapError.

    Args:
        home: a folder that keeps the compiled module. None compiles it for this process alone.
        fuel: the instructions that one call may use.
        module: the file of the kernel, which may be of another version.

    Raises:
        KernelModuleError: the file is missing, or no module with the functions of a kernel.
    """

    def __init__(
        self, home: Path | None = None, *, fuel: int = FUEL, module: Path = MODULE
    ) -> None:
        self._fuel = fuel
        self._module = _module(home, module)
        self._start()

    def load(self, position: Position) -> Self:
        """Load a position. Raises KernelError if the kernel does not play its rules."""
        return self.load_text(position.ruleset.key, position.text())

    def load_text(self, key: str, text: str) -> Self:
        """Lay the position of this text. Raises UnknownKernelRulesetError, KernelPositionError."""
        self._call("load", self._put(f"{key}\n{text}"))
        return self

    def text(self) -> str:
        """Return the position, as `games` writes it."""
        self._call("position")
        return self._output()

    def legal_moves(self) -> list[str]:
        """Return all legal moves, sorted by code point.

        The list is empty exactly when the game is over.
        """
        self._call("moves")
        return self._output().splitlines()

    def play(self, move: str) -> None:
        """Play a legal move. Raises KernelMoveError."""
        self._call("play", self._put(move))

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game, or None while it is not over."""
        return _OUTCOMES[self._number("outcome")]

    @property
    def side_to_move(self) -> Side:
        """Return the side whose decision it is."""
        return Side.SECOND if self._number("side") else Side.FIRST

    @property
    def ply(self) -> int:
        """Return the number of plies that led to the position."""
        return self._number("ply")

    def perft(self, depth: int) -> int:
        """Return the number of sequences of exactly `depth` legal moves. Raises TooDeepError."""
        self._call("perft", depth)
        return int(self._output())

    def playouts(self, count: int, seed: int) -> reports.PlayoutTally:
        """Random games from here, each legal move equally likely at every ply."""
        self._call("playouts", count, _signed(seed))
        _, first, second, draws, plies = map(int, self._output().split())
        return reports.PlayoutTally(first, second, draws, plies)

    def random_game(self, seed: int) -> Sequence[str]:
        """Return the moves of one random game from here, by equal chances."""
        self._call("random_game", _signed(seed))
        return self._output().splitlines()

    def evaluation(self) -> int:
        """Return the chances of the side to move at a glance, in thousandths."""
        return self._number("evaluate")

    def valuation(self, **words: int) -> reports.Valuation:
        """Return the evaluation by its weights: those in play, or `w0=` one more than the first, and so on.

        Raises KernelWordError: a weight that is not 0 to 10,000.
        """
        self._call("terms", self._put(_words(words)))
        return reports.read_valuation(self._output())

    def search(self, nodes: int, **words: int) -> reports.SearchReport:
        """Search the position from the beginning, for a number of nodes.

        Args:
            nodes: about how many positions to visit. Fewer if the search is finished before.
            words: `lines` to report, `seed`, and the constants of `source/search_words.hpp`.

        Raises:
            KernelWordError: a word that the search does not know, or a value out of its range.
        """
        self.begin_search(**words)
        return self.search_on(nodes)

    def begin_search(self, **words: int) -> None:
        """Begin a search from the position, and discard the previous search.

        Raises KernelWordError.
        """
        self._call("search_begin", self._put(_words(words)))

    def search_on(self, nodes: int) -> reports.SearchReport:
        """Continue the search for a number of nodes. 0 only reports. Raises NoSearchError."""
        left, is_finished = nodes, False
        while left > 0 and not is_finished:
            is_finished = bool(self._number("search_step", min(left, _NODES_OF_A_CALL)))
            left -= _NODES_OF_A_CALL
        self._call("search_report")
        return reports.read(self._output())

    def search_slice(self, units: int) -> reports.SearchReport:
        """Continue the search for a number of units of work, which take about equal times.

        Args:
            units: a node is one unit, and so is a move that is looked at to rank it. In a tree of
                random games a ply is one unit.

        Raises:
            NoSearchError: no search has begun.
        """
        self.go_on(units)
        return self.search_on(0)

    def go_on(self, units: int) -> bool:
        """Continue the search like `search_slice`, without a report. Return whether it is finished."""
        return bool(self._number("search_slice", units))

    def level_move(self, level: int, seed: int) -> str:
        """Return the move of a level, 1 to 8: by nodes and deliberate errors, never by time.

        Raises:
            KernelWordError: another level.
            KernelGameOverError: the game is over.
        """
        self._call("level_move", self._put(_words({"level": level, "seed": seed})))
        return self._output()

    def _start(self) -> None:
        store = wasmtime.Store(self._module.engine)
        store.set_limits(MEMORY_BYTES, table_elements=200, instances=1, tables=1, memories=1)
        store.set_fuel(self._fuel)
        self._store = store
        instance = wasmtime.Instance(store, self._module.module, [])
        self._exports = {
            export.name: instance.exports(store)[export.name]
            for export in self._module.module.exports
        }
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)  # ours
        self._memory = memory
        self._input = self._number("input")
        self._capacity = self._number("input_capacity")
        self._output_at = self._number("output")

    def _put(self, text: str) -> int:
        data = text.encode()
        if len(data) > self._capacity:
            raise TextTooLongError(f"{len(data)} bytes; the kernel takes {self._capacity}")
        self._memory.write(self._store, data, self._input)
        return len(data)

    def _output(self) -> str:
        length = self._number("output_length")
        return self._memory.read(self._store, self._output_at, self._output_at + length).decode()

    def _number(self, name: str, *arguments: int) -> int:
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)  # ours
        self._store.set_fuel(self._fuel)
        try:
            number = function(self._store, *arguments)
        except wasmtime.Trap as trap:
            self._start()
            raise KernelTrapError(f"{name}: {str(trap).strip().splitlines()[-1]}") from trap
        assert isinstance(number, int)
        return number

    def _call(self, name: str, *arguments: int) -> None:
        number = self._number(name, *arguments)
        if number:
            refusal = _Refusal(number)
            raise _ERRORS[refusal](f"{name}: {refusal.name.lower().replace('_', ' ')}")


@dataclass(frozen=True, slots=True)
class _Compiled:
    engine: wasmtime.Engine
    module: wasmtime.Module


@functools.lru_cache(maxsize=2)
def _module(home: Path | None, path: Path = MODULE) -> _Compiled:
    """Return the module as machine code: the one kept in `home`, else compiled now and kept there.

    Raises KernelModuleError.
    """
    engine = _engine()
    try:
        source = path.read_bytes()
    except OSError as error:
        raise KernelModuleError(f"{path}: {error.strerror}") from error
    if home is None:
        return _Compiled(engine, _compile(engine, source, path))
    key = hashlib.sha256(source + version("wasmtime").encode()).hexdigest()[:16]
    artefact = home / "kernel" / f"{key}.cwasm"
    # Kept by another build of wasmtime, or cut short: it refuses such a file.
    with contextlib.suppress(OSError, wasmtime.WasmtimeError):
        return _Compiled(engine, wasmtime.Module.deserialize(engine, artefact.read_bytes()))
    module = _compile(engine, source, path)
    _keep(artefact, bytes(module.serialize()))
    return _Compiled(engine, module)


def _compile(engine: wasmtime.Engine, source: bytes, path: Path) -> wasmtime.Module:
    try:
        module = wasmtime.Module(engine, source)
    except wasmtime.WasmtimeError as error:
        raise KernelModuleError(f"{path} is no module of WebAssembly") from error
    if missing := _FUNCTIONS - {export.name for export in module.exports}:
        raise KernelModuleError(f"{path} has no {', '.join(sorted(missing))}")
    return module


def _keep(path: Path, data: bytes) -> None:
    # A folder that cannot be written only costs a compilation at each start.
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        for older in path.parent.glob("*.cwasm"):
            older.unlink(missing_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(data)
        os.replace(file.name, path)


def _engine() -> wasmtime.Engine:
    config = wasmtime.Config()
    config.consume_fuel = True
    config.parallel_compilation = False
    # wasmtime reserves 4 GiB of addresses, without memory behind them, and then need not check each
    # access: a fifth to a quarter faster. Not on machines that limit addresses.
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        config.memory_reservation = MEMORY_BYTES
        config.memory_reservation_for_growth = 0
    return wasmtime.Engine(config)


def _words(words: Mapping[str, int]) -> str:
    return " ".join(f"{name}={value}" for name, value in words.items())


def _signed(seed: int) -> int:
    """Return the low 64 bits of a seed as wasmtime takes them."""
    low = seed & (1 << 64) - 1
    return low - (1 << 64) if low >> 63 else low
