"""The host process: runs a module as a bot on standard input and output.

It is started by path, see `__main__`. Only starters of a module import it, because loading wasmtime
takes a quarter of a second.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import wasmtime

from engine.errors import EngineError, ProtocolError
from engine.wasm import wasi
from engine.wasm.conversation import Conversation, NewGameError, ReadTooEarlyError
from engine.wasm.meter import FuelMeter, OutOfFuelError

if TYPE_CHECKING:
    from collections.abc import Sequence

MEMORY_BYTES = 64 << 20
# Files of machine code beside a module.
TRANSLATIONS = "*.cwasm"
# A budget in instructions is equal everywhere, a stack in bytes is not: generous, so that fuel
# or the module's own stack in its memory ends a recursion first.
_STACK_BYTES = 1 << 20
_TABLE_ELEMENTS = 100_000
_SENTENCE = 2000


@functools.cache
def engine() -> wasmtime.Engine:
    """Return the wasmtime engine of this process: equal results on every machine, in 512 MiB of address space."""
    config = wasmtime.Config()
    config.consume_fuel = True
    config.max_wasm_stack = _STACK_BYTES
    # The results that the specification leaves open.
    config.cranelift_nan_canonicalization = True
    config.wasm_relaxed_simd = False
    config.wasm_threads = False
    # Features that the store's limits do not bound.
    config.wasm_gc = False
    config.wasm_exceptions = False
    config.wasm_memory64 = False
    config.wasm_multi_memory = False
    # wasmtime's default is that 4 GiB are reserved to save bounds checks. RLIMIT_AS is the bots'
    # limit, and the checks are free.
    config.memory_reservation = MEMORY_BYTES
    config.memory_reservation_for_growth = 0
    config.memory_guard_size = 65_536
    config.memory_may_move = False
    config.parallel_compilation = False
    # An image of the memory would be a memfd, which the sandbox denies.
    config.memory_init_cow = False
    return wasmtime.Engine(config)


def compiled(module: bytes) -> wasmtime.Module:
    """Return the module as machine code. Compiling takes two seconds for a mebibyte.

    Raises:
        wasmtime.WasmtimeError: it is no valid module.
    """
    return wasmtime.Module(engine(), module)


def loaded(path: Path) -> wasmtime.Module:
    """Return the module of a file, from the machine code beside it if that is of this wasmtime and processor.

    Raises:
        wasmtime.WasmtimeError: it is no valid module.
        OSError: it cannot be read.
    """
    for translation in path.parent.glob(TRANSLATIONS):
        with contextlib.suppress(wasmtime.WasmtimeError, OSError):
            return wasmtime.Module.deserialize(engine(), translation.read_bytes())
    return compiled(path.read_bytes())


class Host:
    """A module that plays: a new instance for each game.

    Args:
        module: the result of `compiled`.
        conversation: with the referee.
        seed: decides the random bytes of every instance.
    """

    def __init__(self, module: wasmtime.Module, *, conversation: Conversation, seed: str) -> None:
        self._module = module
        self._conversation = conversation
        self._seed = seed

    def serve(self) -> int:
        """Play games until the module leaves, and return the exit code: its own, or 1 after a fault."""
        while True:
            try:
                return self._run()
            except NewGameError:
                continue
            except wasi.ExitError as exit_:
                return exit_.status & 0xFF
            except (OutOfFuelError, ReadTooEarlyError, ProtocolError) as error:
                return self._fault(error)
            except wasmtime.Trap as trap:
                return self._fault(trap)

    def _run(self) -> int:
        store = wasmtime.Store(engine())
        instance = _instance(self._module, store, self._conversation, self._seed)
        start = instance.exports(store)["_start"]
        assert isinstance(start, wasmtime.Func)  # `flaw` has looked
        start(store)
        return 0

    def _fault(self, error: Exception) -> int:
        self._conversation.write_error(f"{str(error)[:_SENTENCE]}\n".encode())
        if _is_out_of_fuel(error):
            self._conversation.give_up()
        return 1


def translation(module: bytes) -> bytes:
    """Return the machine code of `module`, or why it cannot be a bot: `CODE: one English sentence`.

    The codes are values of `engine.programs.UploadRefusal`.
    """
    try:
        compiled_module = compiled(module)
    except wasmtime.WasmtimeError as error:
        return f"bad-module: it is no valid module: {_first_line(error)}".encode()
    sentence = _flaw(compiled_module)
    return bytes(compiled_module.serialize()) if sentence is None else sentence.encode()


def _flaw(compiled_module: wasmtime.Module) -> str | None:
    functions = {(wasi.MODULE, name) for name in wasi.FUNCTIONS}
    for entry in compiled_module.imports:
        if (entry.module, entry.name) not in functions:
            return f"foreign-import: it imports {entry.module}.{entry.name}, which is not of WASI preview 1"
    exports = {export.name: export.type for export in compiled_module.exports}
    if not isinstance(exports.get("memory"), wasmtime.MemoryType):
        return "no-entry: it exports no memory called `memory`"
    start = exports.get("_start")
    if not isinstance(start, wasmtime.FuncType) or start.params or start.results:
        return "no-entry: it exports no function `_start` without arguments: build a command, not a library"
    nobody = Conversation(lines=io.BytesIO(), output=io.BytesIO(), errors=io.BytesIO())
    try:
        _instance(compiled_module, wasmtime.Store(engine()), nobody, "")
    except (wasmtime.WasmtimeError, wasmtime.Trap, EngineError) as error:
        return f"bad-module: it cannot be started: {_first_line(error)}"
    return None


def main(argv: Sequence[str]) -> int:
    """Run the host: `MODULE [--seed TEXT] [--fuel N]` plays, `--translate` prints the translation of standard input."""
    parser = argparse.ArgumentParser(prog="engine/wasm")
    parser.add_argument("module", nargs="?", type=Path, metavar="MODULE")
    parser.add_argument("--translate", action="store_true")
    parser.add_argument("--seed", default="", metavar="TEXT", help="of its random bytes")
    parser.add_argument("--fuel", type=int, metavar="N", help="of a `go` that names none")
    arguments = parser.parse_args(argv)
    if arguments.translate:
        sys.stdout.buffer.write(translation(sys.stdin.buffer.read()))
        return 0
    conversation = Conversation(
        lines=sys.stdin.buffer,
        output=sys.stdout.buffer,
        errors=sys.stderr.buffer,
        default_units=arguments.fuel,
    )
    module = loaded(arguments.module)
    return Host(module, conversation=conversation, seed=arguments.seed).serve()


def _instance(
    module: wasmtime.Module, store: wasmtime.Store, conversation: Conversation, seed: str
) -> wasmtime.Instance:
    store.set_limits(MEMORY_BYTES, _TABLE_ELEMENTS, instances=1, tables=16, memories=1)
    meter = FuelMeter(store)
    linker = wasmtime.Linker(store.engine)
    wasi.WasiSystem(meter, conversation, seed).define(linker)
    conversation.begin(meter)
    return linker.instantiate(store, module)


def _is_out_of_fuel(error: Exception) -> bool:
    if isinstance(error, wasmtime.Trap):
        return error.trap_code is wasmtime.TrapCode.OUT_OF_FUEL
    return isinstance(error, OutOfFuelError)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200]
