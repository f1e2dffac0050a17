"""Games of a bot in its author's browser: a start, the levels as opponents, and samples of programs."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

import games
from engine import pyodide, referee, sdk
from engine.kernel import LEVELS
from tournaments.errors import RefusedError
from tournaments.models.programs import Program, Script

_SAMPLES = Path(sdk.__file__).parent / "samples"
# The file of Python for browsers that imports the others.
PYTHON_MODULE = pyodide.MODULE
_INTERPRETER = settings.HOME / "pyodide"


@dataclass(frozen=True, slots=True)
class PracticeGame:
    """A game that a page begins.

    Attributes:
        position_line: the referee's line for the start, to which the page adds the moves.
        levels: numbers of the kernel's levels.
    """

    start: games.Position
    position_line: str
    levels: range = LEVELS

    @property
    def ruleset(self) -> str:
        """Return the key of its rule set."""
        return self.start.ruleset.key

    @property
    def family(self) -> str:
        """Return the name of its game."""
        return self.start.ruleset.family


def begin(ruleset_key: str) -> PracticeGame:
    """Return a game with a start that is drawn where the rules draw one. Raises RefusedError `ruleset-bad`."""
    try:
        ruleset = games.load(ruleset_key)
    except games.RulesError as error:
        raise RefusedError("ruleset-bad", str(error)) from error
    start = ruleset.initial(seed=secrets.randbelow(1 << 32))
    return PracticeGame(start, referee.position_line(ruleset, start))


@dataclass(frozen=True, slots=True)
class PythonFile:
    """A file of Python for browsers, compressed by gzip."""

    packed: bytes
    content_type: str


def languages() -> Sequence[Script]:
    """Return the languages that browsers run here: Python if its interpreter is installed."""
    has_python = pyodide.is_installed(_INTERPRETER)
    return [each for each in Script if each is not Script.PYTHON or has_python]


def is_editable(program: Program) -> bool:
    """Return whether the editor of this site opens the program."""
    return program.script in languages()


def python_file(version: str, name: str) -> PythonFile | None:
    """Return a file of Python for browsers, or None for another version or name, or without the interpreter."""
    if version != pyodide.version() or name not in pyodide.FILES:
        return None
    if not pyodide.is_installed(_INTERPRETER):
        return None
    return PythonFile(pyodide.compressed(_INTERPRETER, name), pyodide.FILES[name])


def python_version() -> str:
    """Return the version of Python for browsers."""
    return pyodide.version()


def sample(family: str, language: Script) -> str:
    """Return a program that plays a game, or one that only speaks the protocol.

    If there is no sample in TypeScript, it is one in JavaScript, which is TypeScript too. A program in Python plays
    every game.
    """
    if language is Script.PYTHON:
        return (_SAMPLES / "greedy.py").read_text()
    scripts = _SAMPLES / "javascript"
    own = [_SAMPLES / "typescript" / f"{family}.ts"] if language is Script.TYPESCRIPT else []
    places = [*own, scripts / f"{family}.js", scripts / "empty.js"]
    return next(place for place in places if place.exists()).read_text()
