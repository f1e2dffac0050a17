"""Build of the modules from `source/`, with the compiler of `requirements-kernel.lock` alone.

The digest of the source is a custom section of each module. Therefore a module of another source is
recognised even without a compiler.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence

# For a host that calls it, and for one that speaks the line protocol by WASI.
MODULE = Path(__file__).parent / "kernel.wasm"
BOT = Path(__file__).parent / "bot.wasm"
# The source file of each module.
UNITS = {MODULE: "exports.cpp", BOT: "bot.cpp"}
_SOURCE = Path(__file__).parent / "source"
# Features that every browser since 2021 has. `ziglang` names its targets itself, so that the flags
# do not depend on the machine.
_FLAGS = (
    "-target", "wasm32-freestanding", "-std=c++20", "-O3", "-fno-exceptions", "-fno-rtti", "-nostdlib",
    "-mcpu=mvp+bulk_memory+mutable_globals+nontrapping_fptoint+sign_ext",
    "-Wall", "-Wextra", "-Werror",
    "-Wl,--no-entry", "-Wl,--strip-all", "-Wl,-z,stack-size=1048576",
)  # fmt: skip


class BuildError(EngineError):
    """The compiler is not installed, or refuses the source. The message is the compiler's."""

    code = "kernel-build"


def module_bytes(unit: str) -> bytes:
    """Return a module as the compiler makes it now. Its bytes do not depend on the folder or the machine.

    Args:
        unit: the file of `source/` that includes all others.

    Raises:
        BuildError: there is no compiler, or it refuses the source.
    """
    return compiled("c++", (*_FLAGS, unit), _SOURCE) + _digest_section()


def compiled(driver: str, words: Sequence[str], folder: Path) -> bytes:
    """Return the module that `ziglang` makes in `folder`. Raises BuildError."""
    with tempfile.TemporaryDirectory() as caches:
        output = Path(caches) / "module.wasm"
        # The compiler's caches are deleted with the folder, so that no result of an earlier build
        # is used.
        environment = os.environ | {
            "ZIG_LOCAL_CACHE_DIR": f"{caches}/local",
            "ZIG_GLOBAL_CACHE_DIR": f"{caches}/global",
        }
        command = (sys.executable, "-m", "ziglang", driver, *words, "-o", str(output))
        result = subprocess.run(  # noqa: S603 - our own words
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if result.returncode:
            raise BuildError(result.stderr.strip())
        return output.read_bytes()


def is_of_this_source() -> bool:
    """Return whether every module names the current content of `source/` as its source."""
    return all(module.read_bytes().endswith(_digest_section()) for module in UNITS)


def _digest_section() -> bytes:
    """Return the custom section `source` (WebAssembly core specification 5.5.3): SHA-256 of all files and their names."""
    digest = hashlib.sha256()
    for path in sorted(_SOURCE.iterdir()):
        data = path.read_bytes()
        digest.update(f"{path.name} {len(data)}\n".encode() + data)
    name = b"source"
    body = bytes([len(name)]) + name + digest.digest()
    return bytes([0, len(body)]) + body


def build(module: Path) -> bool:
    """Write one of the modules, and return whether it has changed. Raises BuildError."""
    content = module_bytes(UNITS[module])
    if _holds(module, content):
        return False
    module.write_bytes(content)
    return True


def is_current(module: Path) -> bool:
    """Return whether a module is the result of compiling the source. Raises BuildError."""
    return _holds(module, module_bytes(UNITS[module]))


def _holds(module: Path, content: bytes) -> bool:
    return module.exists() and module.read_bytes() == content
