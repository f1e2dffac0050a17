"""The citations of code, tests and documents exist: rule decisions by id, documents by path."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("config", "docs", "engine", "games", "templates", "tests", "tournaments")
TEXTS = {".py", ".html", ".js", ".css", ".md", ".po"}
_DECISION = re.compile(r"\bD-[MXP][0-9]+\b")
_DOCUMENT = re.compile(r"[A-Za-z0-9_][\w./-]*\.md\b")
_NUMBER = re.compile(r"\bdocs/decisions/([0-9]{4})\b")


def _files(*suffixes: str) -> list[Path]:
    files = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    return sorted(path for path in files if path.suffix in suffixes and path.is_file())


def _decisions() -> list[str]:
    text = (ROOT / "docs/games/decisions.md").read_text()
    return re.findall(r"^### (D-[MXP][0-9]+): ", text, re.MULTILINE)


def test_every_rule_decision_that_is_cited_is_defined() -> None:
    defined = set(_decisions())
    missing = {
        f"{path.relative_to(ROOT)}: {decision}"
        for path in _files(*TEXTS)
        for decision in _DECISION.findall(path.read_text())
        if decision not in defined
    }
    assert missing == set()


@pytest.mark.parametrize("game", "MXP")
def test_rule_decisions_are_numbered_without_gaps(game: str) -> None:
    ids = [decision for decision in _decisions() if decision.startswith(f"D-{game}")]
    assert ids
    assert ids == [f"D-{game}{number}" for number in range(1, len(ids) + 1)]


def test_every_document_that_code_cites_is_there() -> None:
    missing = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in _files(".py", ".html", ".js")
        for name in _DOCUMENT.findall(path.read_text())
        if not any((folder / name).exists() for folder in (ROOT, ROOT / "docs", path.parent))
    }
    missing |= {
        f"{path.relative_to(ROOT)}: docs/decisions/{number}"
        for path in _files(".py", ".md")
        for number in _NUMBER.findall(path.read_text())
        if not list((ROOT / "docs/decisions").glob(f"{number}-*.md"))
    }
    assert missing == set()
