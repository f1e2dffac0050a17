"""Builds of TypeScript: its types are removed by a library that the interpreter of JavaScript runs.

The library is sucrase (MIT). Lines keep their numbers. The types are checked where the compiler `typescript`
(Apache-2.0) is installed, which the interpreter runs too.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import wasmtime

from engine import javascript
from engine.javascript import types

_MEMORY_BYTES = 512 << 20


def script_of(source: str) -> tuple[str, str]:
    """Return the JavaScript of `source`, empty if it has faults, and the log."""
    program = f"{javascript.TRANSPILER.read_text()}\ntranspile({json.dumps(source)});\n"
    return _output_of(f"{javascript.LIBRARY.read_text()}{program}")


def warnings_of(source: str, folder: Path) -> str:
    """Return the faults of the types of `source`, by the compiler in `folder`, each on a line."""
    output, log = _output_of(types.program(folder, source))
    # Types that are too deep for the stack of the interpreter.
    return (
        output if not log else f"{types.NAME}: the types were not checked: {log.splitlines()[0]}\n"
    )


def _output_of(program: str) -> tuple[str, str]:
    """Return what a program in JavaScript printed, empty if it ended by a fault, and its log."""
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    store.set_limits(memory_size=_MEMORY_BYTES)
    with tempfile.TemporaryDirectory() as name:
        output, log = Path(name) / "output", Path(name) / "log"
        wasi = wasmtime.WasiConfig()
        wasi.stdout_file, wasi.stderr_file = str(output), str(log)
        store.set_wasi(wasi)
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        module = wasmtime.Module(engine, javascript.module_of(program.encode()))
        start = linker.instantiate(store, module).exports(store)["_start"]
        assert isinstance(start, wasmtime.Func), "a command of WASI"
        try:
            start(store)
        except (wasmtime.ExitTrap, wasmtime.Trap) as end:
            return "", f"{log.read_text(errors='replace')}{end}\n"
        return output.read_text(), log.read_text(errors="replace")
