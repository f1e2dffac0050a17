"""A stored program as plain data, and the bot that plays it."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from engine.errors import LaunchError
from engine.match import BotSpec

# Path of a program's tree in the sandbox, and of our packages.
SANDBOX_TREE = "/bot"
SANDBOX_PACKAGES = "/rayuela"
# The script that runs modules, below the directory of our packages.
WASM_HOST = "engine/wasm/__main__.py"


class ProgramKind(StrEnum):
    """Runtime of a program."""

    PYTHON = "python"
    WASM = "wasm"
    # Text for a compiler (`engine.toolchain`), whose module is run.
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Program:
    """An upload that was accepted: a read-only tree of files, named after the digest of the upload.

    Attributes:
        digest: SHA-256 of the upload as it came, in hexadecimal.
        root: absolute path of the directory with its files.
        entry: the file to start, relative to `root`.
        size_bytes: of all its files together.
        files: the number of files.
    """

    digest: str
    kind: ProgramKind
    root: Path
    entry: str
    size_bytes: int
    files: int

    @property
    def libraries(self) -> tuple[str, ...]:
        """Directories of packages beside ours and those of Python that a sandbox must show.

        Raises:
            LaunchError: wasmtime, which runs modules, is not installed.
        """
        if self.kind is ProgramKind.PYTHON:
            return python_libraries()
        return (str(wasmtime_directory()),)

    def spec(self, name: str, *, seed: str = "", fuel: int | None = None) -> BotSpec:
        """Return the bot `name` that plays this program, for a launcher: `python` in it is the sandbox's.

        Args:
            name: for records.
            seed: of all random bytes a module can get. It has no effect on a Python program, which
                has its own.
            fuel: the budget of a module for each ply, in units, whichever its clock is. None leaves
                it to the clock.

        Raises:
            LaunchError: fuel for a Python program.
        """
        if self.kind is ProgramKind.SOURCE:
            raise LaunchError(f"{name} is a source, and its module is run")
        entry = f"{SANDBOX_TREE}/{self.entry}"
        if self.kind is ProgramKind.WASM:
            fuel_words = () if fuel is None else (f"--fuel={fuel}",)
            host = f"{SANDBOX_PACKAGES}/{WASM_HOST}"
            argv = ("python", host, entry, f"--seed={seed}", *fuel_words)
            return BotSpec(name, argv, str(self.root), self.libraries)
        if fuel is not None:
            raise LaunchError(f"{name} is a Python program: nobody counts its fuel")
        return BotSpec(name, ("python", entry), str(self.root), self.libraries)


def python_libraries() -> tuple[str, ...]:
    """Return the directories of the packages that Python programs import beside the standard library.

    That is numpy, with the shared libraries that its wheel has beside it. The result is empty if it
    is not installed. Its native code loads if the interpreter of the sandbox has our version.
    """
    package = importlib.util.find_spec("numpy")
    if package is None or package.origin is None:
        return ()
    directory = Path(package.origin).resolve().parent
    beside = directory.with_name("numpy.libs")
    return (str(directory), str(beside)) if beside.is_dir() else (str(directory),)


def wasmtime_directory() -> Path:
    """Return the directory of the package, which is found but not imported: it has 30 MB.

    Raises LaunchError without it.
    """
    package = importlib.util.find_spec("wasmtime")
    if package is None or package.origin is None:
        raise LaunchError(
            f"{sys.executable} has no wasmtime, which runs WebAssembly modules; the project's own .venv/bin/python has"
        )
    return Path(package.origin).resolve().parent
