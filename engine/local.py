"""Bots as the command line names them, started as they are or in the sandbox."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine import players, programs, sandbox, sdk
from engine.errors import LaunchError
from engine.launch import Launch, unconfined
from engine.match import BotSpec
from engine.programs.program import wasmtime_directory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.launch import Launcher
    from engine.programs import Program

# Path of a program's own files inside the sandbox.
_TREE = "/bot"
_UPLOADS = {".js", ".zip", ".wasm"}


class BotSource(Protocol):
    """Source of the bots of a match and of their launchers."""

    @property
    def launcher(self) -> Launcher:
        """Return the launcher of the bots."""
        ...

    def bot(self, text: str, *, seed: int) -> BotSpec:
        """Return the bot that `text` names. Raises LaunchError."""
        ...


@dataclass(frozen=True, slots=True)
class ProgramSource:
    """One uploaded program, under any name that no built-in player has, beside those players."""

    program: Program
    launcher: Launcher

    def bot(self, text: str, *, seed: int) -> BotSpec:
        if players.is_player(text):
            return players.spec(text, seed=seed)
        return self.program.spec(text, seed=str(seed))


@dataclass(frozen=True)
class LocalSource:
    """Source of the bots of a match on this machine and of their launchers."""

    launcher: Launcher
    # The directory for their trees in the sandbox, or None to run them without one.
    trees: Path | None = None

    def bot(self, text: str, *, seed: int) -> BotSpec:
        """Return the bot that `text` names: a built-in player, a Python file, or a command line.

        In the sandbox it is a Python file, or a `.js`, `.zip` or `.wasm` as it would be uploaded. Built-in
        players are trusted.

        Raises:
            LaunchError: there is no such program, or it cannot be sandboxed, or this Python lacks
                the package that runs it.
        """
        if players.is_player(text):
            if players.uses_kernel(text):
                wasmtime_directory()
            return players.spec(text, seed=seed)
        words = shlex.split(text)
        if not words:
            raise LaunchError("a bot without a name")
        file = Path(words[0])
        if self.trees is not None:
            return _sandboxed_bot(file, words[1:], self.trees)
        if file.suffix == ".py" and file.is_file():
            return BotSpec(file.stem, (sys.executable, *words))
        program = shutil.which(words[0])
        if program is None:
            names = ", ".join(card.name for card in players.available())
            raise LaunchError(
                f"no program, no file and no built-in player ({names}): {text[:200]!r}"
            )
        return BotSpec(file.stem, (program, *words[1:]))


@contextmanager
def open_local_source(*, is_sandboxed: bool) -> Iterator[LocalSource]:
    """Yield the bots of this machine. Raises LaunchError if it has no sandbox."""
    if not is_sandboxed:
        yield LocalSource(_here)
        return
    launcher = sandbox.choose().launcher()
    with tempfile.TemporaryDirectory(prefix="rayuela-") as trees:
        yield LocalSource(launcher, Path(trees))


def _here(bot: BotSpec) -> Launch:
    """Return the launch of a bot as its author starts it.

    It has the current directory, the current PATH, and the library of `sdk`.
    """
    if bot.preloaded:
        return unconfined(bot)
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "PYTHONPATH": f"{sdk.GAMES_DIRECTORY}{os.pathsep}{sdk.DIRECTORY}",
    }
    return Launch(bot.argv, os.getcwd(), environment)


def _sandboxed_bot(file: Path, arguments: list[str], trees: Path) -> BotSpec:
    if not file.is_file() or file.suffix not in {".py", *_UPLOADS}:
        raise LaunchError(f"in the box run files .py, .js, .zip and .wasm: {str(file)[:200]!r}")
    if file.suffix in _UPLOADS:
        return programs.unpack(file.read_bytes(), file.name, trees).spec(file.stem)
    tree = trees / file.stem
    tree.mkdir(mode=0o755, exist_ok=True)
    shutil.copy(file, tree / file.name)
    argv = ("python", f"{_TREE}/{file.name}", *arguments)
    return BotSpec(file.stem, argv, str(tree), programs.python_libraries())
