"""Regular expressions take a time in proportion to the text, for any text.

`re` holds the interpreter's lock: a search that takes the square of the length stops a web process.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import games
from tests.extent import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
_ROOMS = ("games", "engine", "tournaments", "config")
_WAYS = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
# One of each class of characters. The letters and signs that a pattern names come with them.
_CHARACTERS = "0aA _-.,;:/\"'\\[({<@*#\t\n\u00e9\u68cb\u2028"
# A linear search of 300,000 characters takes some 10 ms of CPU, a quadratic one 30 s or more. The bound
# is far from both, it is in CPU time, and the system ends the process that passes it.
_SCRIPT = """
import re, signal, sys
from ast import literal_eval

for line in sys.stdin:
    pattern, flags, way, runs = literal_eval(line)
    compiled = re.compile(pattern, flags)
    for run in runs:
        text = run * 300_000 + "\\0"
        if isinstance(pattern, bytes):
            text = text.encode()
        print(repr((pattern, way, run)), flush=True)
        signal.setitimer(signal.ITIMER_PROF, 4)
        arguments = [text[:0], text] if way == "sub" else [text]
        found = getattr(compiled, way)(*arguments)
        if way == "finditer":
            list(found)
print("done")
"""


@dataclass(frozen=True, slots=True)
class _Use:
    """A pattern and a method of `re` that is called with it."""

    pattern: str | bytes
    flags: int
    way: str

    def line(self) -> str:
        """The input of the script for this use: the pattern's own characters and one of each class."""
        own = self.pattern if isinstance(self.pattern, str) else self.pattern.decode("latin-1")
        return repr((self.pattern, self.flags, self.way, sorted({*_CHARACTERS, *own})))


def _uses() -> set[_Use]:
    """Every pattern of the project by every way of its use."""
    uses = {
        _Use(pattern, 0, "fullmatch")
        for family in games.available()
        for pattern in (
            *(words.pattern for words in family.presentation.moves),
            *(theme.pattern for theme in family.presentation.themes),
        )
    }
    for room in _ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text()
            if "re." in text and re.search(r"^import re$", text, re.MULTILINE):
                uses.update(_uses_of(path, ast.parse(text)))
    return uses


def _uses_of(path: Path, tree: ast.Module) -> Iterator[_Use]:
    module = importlib.import_module(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    )
    calls = [
        (node.func.value.id, node.func.attr, node.args)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    ]
    for name, value in vars(module).items():
        several = value if isinstance(value, tuple) else (value,)
        ways = {way for owner, way, _ in calls if owner == name and way in _WAYS}
        for pattern in several:
            if isinstance(pattern, re.Pattern):
                for way in ways or {"search"}:
                    yield _Use(pattern.pattern, pattern.flags, way)
    for owner, way, arguments in calls:
        if owner == "re" and way in _WAYS:
            source = ast.unparse(arguments[0])
            if source not in {"words.pattern", "theme.pattern"}:  # of the presentations, read above
                yield _Use(eval(source, vars(module)), 0, way)  # noqa: S307 - the project's own


def test_every_pattern_takes_a_time_in_proportion_to_the_text() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        input="\n".join(drawn(sorted(use.line() for use in _uses()), 0.4)),
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stdout.splitlines()[-1]
    assert last == "done", f"{last} takes more than its share: {done.returncode} {done.stderr}"
