"""The names in the code are the words of `docs/glossary.md`."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()
MODULES = [
    path
    for room in ("config", "engine", "games", "tournaments", "tests")
    for path in sorted((ROOT / room).rglob("*.py"))
    if "migrations" not in path.parts
]


def _section(title: str) -> str:
    return GLOSSARY.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


PARTICIPLES = set(re.findall(r"`(\w+)`", _section("Words that are not names")))
DIALECT = {
    row.split("|")[1].strip()
    for row in _section("Words that have another name here").splitlines()
    if row.startswith("|")
} - {"not", "---"}


def _names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name that the module gives, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name):
                yield node.lineno, name
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                yield node.lineno, name
            case _:
                pass


def test_the_lists_are_read() -> None:
    assert {"found", "told", "made", "wanted"} <= PARTICIPLES
    assert {"bell", "wave", "shelf"} <= DIALECT


@pytest.mark.parametrize("room", ["config", "engine", "games", "tournaments", "tests"])
def test_no_name_is_a_participle_or_of_a_private_dialect(room: str) -> None:
    places = []
    for path in MODULES:
        if path.relative_to(ROOT).parts[0] != room:
            continue
        for line, name in _names(ast.parse(path.read_text())):
            words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
            if name.strip("_").lower() in PARTICIPLES or words & DIALECT:
                places.append(f"{path.relative_to(ROOT)}:{line} {name}")
    assert not places, "\n".join(places)


def test_no_module_is_of_a_private_dialect() -> None:
    words = {path: set(path.stem.split("_")) for path in MODULES}
    assert not [path for path, parts in words.items() if parts & (PARTICIPLES | DIALECT)]
