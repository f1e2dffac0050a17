"""The prose of docs, messages, docstrings, comments and the API avoids the words and openings of `docs/develop/words.md`."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import pofile

ROOT = Path(__file__).resolve().parent.parent
_SECTION = (ROOT / "docs/develop/words.md").read_text().split("## Words that prose avoids\n", 1)[1]
AVOIDED = re.findall(r"^\| ([^|]+?) +\| ", _SECTION.partition("\n## ")[0], re.M)[2:]
OPENINGS = [word.removesuffix(" …") for word in AVOIDED if word.endswith(" …")]
_OPENING = re.compile(
    rf"(?:^|(?<=[.!?:] )|(?<=\n\n))(?:{'|'.join(OPENINGS)})\b(?! to\b)(?![^.?]*\?)", re.M
)
_WORD = re.compile(rf"\b(?:{'|'.join(word for word in AVOIDED if not word.endswith('…'))})\b", re.I)
# Quotations, code, and links are other people's words.
_QUOTED = re.compile(r"```.*?```|`[^`]*`|“[^”]*”|\"[^\"\n]*\"|<[^>]*>|\]\([^)]*\)", re.S)
_TEXTS = ("description", "summary")
ROOMS = ("config", "engine", "games", "tournaments", "tests")
# The rules of the games are retold in the words of their texts.
_RETOLD = ("templates/rules/", "games/")


def _faults(text: str) -> list[str]:
    prose = _QUOTED.sub("`x`", text)
    lines = re.sub(r"(?<!\n)\n(?!\n|[|*#-])", " ", prose)
    return [match.group() for match in (*_OPENING.finditer(lines), *_WORD.finditer(lines))]


def _docstrings(node: ast.AST) -> Iterator[tuple[int, str]]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    if isinstance(node, kinds) and (text := ast.get_docstring(node)):
        yield node.body[0].lineno, text
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _docstrings(child)


def _comments(source: str) -> Iterator[tuple[int, str]]:
    """Comments on lines of their own; consecutive lines are one text."""
    texts: dict[int, str] = {}
    last = -1
    for number, comment in _comment_lines(source):
        words = comment.lstrip("#").strip()
        if number == last + 1:
            texts[next(reversed(texts))] += f" {words}"
        else:
            texts[number] = words
        last = number
    yield from texts.items()


def _comment_lines(source: str) -> Iterator[tuple[int, str]]:
    """Comments on lines of their own, with the numbers of these lines.

    Tokens are read only if a text of several lines has a line like a comment. To read all tokens of
    the project took 7 s of CPU.
    """
    texts = re.split(r"\"\"\"|'''", source)[1::2]
    if not any(re.search(r"\n[ \t]*#", text) for text in texts):
        for number, line in enumerate(source.split("\n"), 1):
            if line.lstrip().startswith("#"):
                yield number, line.strip()
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.line.strip() == token.string:
            yield token.start[0], token.string


def _places(path: Path, texts: Iterator[tuple[int, str]]) -> Iterator[str]:
    for line, text in texts:
        for fault in _faults(text):
            yield f"{path.relative_to(ROOT)}:{line} {fault!r} in {text[:70]!r}"


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_and_comments_are_in_plain_words(room: str) -> None:
    places: list[str] = []
    for path in sorted((ROOT / room).rglob("*.py")):
        if "migrations" not in path.parts:
            source = path.read_text()
            places += _places(path, _docstrings(ast.parse(source)))
            places += _places(path, _comments(source))
    assert not places, "\n".join(places)


def test_messages_are_in_plain_words() -> None:
    with (ROOT / "tournaments/locale/ja/LC_MESSAGES/django.po").open("rb") as file:
        catalogue = pofile.read_po(file)
    places = [
        f"{message.id!r}: {fault!r}"
        for message in catalogue
        if message.id and not any(place.startswith(_RETOLD) for place, _ in message.locations)
        for text in ([message.id] if isinstance(message.id, str) else message.id)
        for fault in _faults(text)
    ]
    assert not places, "\n".join(places)


def test_documents_are_in_plain_words() -> None:
    documents = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    places = [
        f"{path.relative_to(ROOT)}: {fault!r} in {text[:70]!r}"
        for path in sorted(documents)
        for text in re.split(r"\n\n+|\n(?=[|*#])", _QUOTED.sub("`x`", _prose(path)))
        for fault in _faults(text)
    ]
    assert not places, "\n".join(places)


def test_descriptions_of_the_api_are_in_plain_words() -> None:
    document = json.loads((ROOT / "tests/data/snapshots/openapi.json").read_text())
    texts = set(_descriptions(document))
    assert texts
    places = [f"{fault!r} in {text!r}" for text in sorted(texts) for fault in _faults(text)]
    assert not places, "\n".join(places)


def _descriptions(node: object) -> Iterator[str]:
    """Yield the descriptions and summaries in a part of the document."""
    if isinstance(node, dict):
        yield from (v for k, v in node.items() if k in _TEXTS and isinstance(v, str))
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        yield from _descriptions(child)


def _prose(path: Path) -> str:
    """Return the text of a document; of `docs/develop/words.md` without its lists of words to avoid."""
    return path.read_text().partition("## Words that are not names\n")[0]


@pytest.mark.parametrize(
    "text",
    [
        "Who leaves loses.",
        "A test.\n\nWhat is left.",
        "Nobody knows.",
        "Why a game ends.",
        "The same, started.",
        "Players are told.",
    ],
)
def test_an_avoided_word_is_seen(text: str) -> None:
    assert _faults(text)


@pytest.mark.parametrize(
    "text", ["Who has won?", "`nobody` is a user.", "A player who leaves.", "How to leave."]
)
def test_questions_and_quotations_are_free(text: str) -> None:
    assert not _faults(text)
