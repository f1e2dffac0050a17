"""Builds of TypeScript: its types are removed by a library that the interpreter of JavaScript runs.

The library is sucrase (MIT). Types are not checked. Lines keep their numbers.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import wasmtime

from engine import javascript

_MEMORY_BYTES = 512 << 20


def script_of(source: str) -> tuple[str, str]:
    """Return the JavaScript of `source`, empty if it has faults, and the log."""
    program = f"{javascript.TRANSPILER.read_text()}\ntranspile({json.dumps(source)});\n"
    library = javascript.LIBRARY.read_text()
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
        module = wasmtime.Module(engine, javascript.module_of(f"{library}{program}".encode()))
        start = linker.instantiate(store, module).exports(store)["_start"]
        assert isinstance(start, wasmtime.Func), "a command of WASI"
        try:
            start(store)
        except (wasmtime.ExitTrap, wasmtime.Trap) as end:
            return "", f"{log.read_text(errors='replace')}{end}\n"
        return output.read_text(), log.read_text(errors="replace")
