"""A stored program, as plain data, and how a bot is made of it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from engine.errors import LaunchError
from engine.match import BotSpec

# Where its tree is inside a sandbox.
BOX_TREE = "/bot"
_ENGINE = Path(__file__).resolve().parents[1]
# The script that runs modules, to be started by its path.
WASM_HOST = str(_ENGINE / "wasm" / "__main__.py")


class Kind(StrEnum):
    """What runs a program."""

    PYTHON = "python"
    WASM = "wasm"


@dataclass(frozen=True, slots=True)
class Program:
    """An upload that was accepted: a read-only tree of files, named after what was uploaded.

    Attributes:
        digest: SHA-256 of the upload as it came, in hexadecimal.
        root: absolute path of the directory with its files.
        entry: the file to start, relative to `root`.
        size_bytes: of all its files together.
        files: how many there are.
    """

    digest: str
    kind: Kind
    root: Path
    entry: str
    size_bytes: int
    files: int

    @property
    def needs(self) -> tuple[str, ...]:
        """Absolute paths outside the tree that it must be able to read to run, at the same place inside a sandbox.

        Raises:
            LaunchError: wasmtime, which runs modules, is not installed.
        """
        if self.kind is Kind.PYTHON:
            return ()
        return (str(_ENGINE), f"{wasmtime_library()}/wasmtime")

    def spec(self, name: str, *, seed: str = "", fuel: int | None = None) -> BotSpec:
        """The bot `name` that plays this program, for a launcher: `python` in it is the sandbox's.

        Args:
            name: for records.
            seed: of all random bytes a module can get; means nothing to a Python program, which has its own.
            fuel: the budget of a module for each ply, in units, whatever its clock says; None leaves it to the clock.

        Raises:
            LaunchError: the program needs something that is not installed, or fuel that nobody counts.
        """
        entry = f"{BOX_TREE}/{self.entry}"
        if self.kind is Kind.WASM:
            metered = () if fuel is None else (f"--fuel={fuel}",)
            argv = ("python", WASM_HOST, wasmtime_library(), entry, f"--seed={seed}", *metered)
            return BotSpec(name, argv, str(self.root), self.needs)
        if fuel is not None:
            raise LaunchError(f"{name} is a Python program: nobody counts its fuel")
        return BotSpec(name, ("python", entry), str(self.root))


def wasmtime_library() -> str:
    """The directory in which the package wasmtime is. It is not imported: it has 30 MB. Raises LaunchError."""
    found = importlib.util.find_spec("wasmtime")
    if found is None or found.origin is None:
        raise LaunchError("wasmtime, which runs WebAssembly modules, is not installed")
    return str(Path(found.origin).resolve().parents[1])
