"""The names in code, scripts and templates follow the lists of `docs/develop/words.md`."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ROOT = Path(__file__).resolve().parent.parent
WORDS = (ROOT / "docs/develop/words.md").read_text()
MODULES = [
    path
    for room in ("config", "engine", "games", "tournaments", "tests")
    for path in sorted((ROOT / room).rglob("*.py"))
    if "migrations" not in path.parts
]
SCRIPTS = [
    *sorted((ROOT / "tournaments" / "static").rglob("*.js")),
    *sorted((ROOT / "tests").rglob("*.mjs")),
]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def _section(title: str) -> str:
    return WORDS.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


PARTICIPLES = set(re.findall(r"`(\w+)`", _section("Words that are not names")))
DIALECT = {
    row.split("|")[1].strip()
    for row in _section("Words that have another name here").splitlines()
    if row.startswith("|")
} - {"not", "---"}


def _names_in_module(path: Path) -> Iterator[tuple[int, str]]:
    """Every name that the module gives, with its line, or no names if its text has no word of the lists.

    Three of four modules have none. To parse all took 5 s of CPU.
    """
    text = path.read_text()
    words = set(re.findall(r"[^\W\d]\w*", text))
    if not any(_faults(path, ((0, word) for word in words))):
        return
    for node in ast.walk(ast.parse(text)):
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


# Declarations of names in JavaScript: a declaration, a pattern, parameters, a method or a field.
_IN_SCRIPTS = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"\b(?:const|let|class|function\*?)\s+([\w$]+)",
        r"\b(?:const|let)\s*[\[{]([^=;]*)[\]}]\s*=",
        r"\(([^()]*)\)\s*=>",
        r"\b([\w$]+)\s*=>",
        r"^\s*(?:export |async |function |static |get |set |#|\*)*[\w$]+\(([^()]*)\) \{",
        r"^\s+(?:async |static |get |set |#|\*)*([\w$]+)\([^()]*\) \{",
        r"^\s+(?:static )?#?([\w$]+)(?: =|;)",
    )
]
_REMARK = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
# A variable that a template reads, or gives with `with`, `for` or `as`, outside of strings.
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")
_VARIABLE = re.compile(r"\"[^\"]*\"|(?<![\w.|:-])([a-z_]+)\b(?!\()")


def _names_in_script(text: str) -> Iterator[tuple[int, str]]:
    """Every name that the script gives, with its line."""
    code = _REMARK.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for pattern in _IN_SCRIPTS:
        for match in pattern.finditer(code):
            line = code.count("\n", 0, match.start(1)) + 1
            yield from ((line, name) for name in re.findall(r"[A-Za-z_$][\w$]*", match[1]))


def _names_in_template(text: str) -> Iterator[tuple[int, str]]:
    """Every variable of the template, with its line."""
    for tag in _TAG.finditer(text):
        line = text.count("\n", 0, tag.start()) + 1
        yield from ((line, match[1]) for match in _VARIABLE.finditer(tag[0]) if match[1])


def _faults(path: Path, names: Iterable[tuple[int, str]]) -> Iterator[str]:
    """The names among these that no name should be."""
    for line, name in names:
        words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
        if name.strip("_").lower() in PARTICIPLES or words & DIALECT:
            yield f"{path.relative_to(ROOT)}:{line} {name}"


def test_the_lists_are_read() -> None:
    assert {"found", "told", "made", "wanted"} <= PARTICIPLES
    assert {"bell", "wave", "shelf"} <= DIALECT


@pytest.mark.parametrize("room", ["config", "engine", "games", "tournaments", "tests"])
def test_no_name_is_a_participle_or_of_a_private_dialect(room: str) -> None:
    places = [
        place
        for path in MODULES
        if path.relative_to(ROOT).parts[0] == room
        for place in _faults(path, _names_in_module(path))
    ]
    assert not places, "\n".join(places)


def test_no_name_in_a_script_or_template_is_either() -> None:
    places = [
        place
        for paths, names_in in ((SCRIPTS, _names_in_script), (TEMPLATES, _names_in_template))
        for path in paths
        for place in _faults(path, names_in(path.read_text()))
    ]
    assert not places, "\n".join(places)


@pytest.mark.parametrize(
    ("names_in", "text"),
    [
        (_names_in_script, "const told = 1;"),
        (_names_in_script, "const { plies, shown } = facts;"),
        (_names_in_script, "function draw(svg, { shown }) {"),
        (_names_in_script, "list.map((made) => made.id);"),
        (_names_in_script, "list.map(made => made.id);"),
        (_names_in_script, "  #asked = 0;"),
        (_names_in_script, "  async #asked(question) {"),
        (_names_in_script, "async function asked(question) {"),
        (_names_in_script, "  show(told) {"),
        (_names_in_template, "{{ shown.name }}"),
        (_names_in_template, "{% if not found %}"),
        (_names_in_template, "{% with told=row.text %}"),
        (_names_in_template, "{% for said in lines %}"),
    ],
)
def test_a_participle_is_seen(
    names_in: Callable[[str], Iterator[tuple[int, str]]], text: str
) -> None:
    assert [line for line, name in names_in(text) if name in PARTICIPLES]


def test_words_for_readers_are_no_names() -> None:
    text = "// What it told.\nsay('told');\n"
    assert not list(_names_in_script(text))
    assert "shown" not in dict(_names_in_template('{% translate "is shown" %}')).values()


def test_no_module_is_of_a_private_dialect() -> None:
    words = {path: set(path.stem.split("_")) for path in MODULES}
    assert not [path for path, parts in words.items() if parts & (PARTICIPLES | DIALECT)]
