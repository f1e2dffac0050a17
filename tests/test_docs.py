"""The documents are true: the objects that they name exist, and their examples work."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import games

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_PATH = re.compile(r"`((?:games|engine|tournaments|config|templates|tests|docs|\.ci)/[\w./-]*)`")
# Inside the app, without its name.
_PATH_OF_APP = re.compile(r"`((?:services|views|text|forms|models|pairing|ratings)/[\w./-]*)`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_names_exists(document: Path) -> None:
    text = document.read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    missing = [link for link in links if not (document.parent / link).exists()]
    missing += [path for path in _PATH.findall(text) if not (ROOT / path).exists()]
    in_app = _PATH_OF_APP.findall(text)
    in_app = [path for path in in_app if path != "text/plain"]
    missing += [path for path in in_app if not (ROOT / "tournaments" / path).exists()]
    assert missing == []


def test_the_navigation_lists_every_page_once() -> None:
    """`/help/` and the documentation site are made from it."""
    navigation = json.loads((ROOT / "config/documentation/nav.json").read_text())["nav"]
    listed = [
        page
        for entry in navigation
        for pages in ([[entry]] if isinstance(entry, str) else entry.values())
        for page in pages
    ]
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(listed) == sorted(pages)


def test_the_index_lists_every_decision_by_its_title() -> None:
    folder = ROOT / "docs/decisions"
    index = (folder / "index.md").read_text()
    titles = {path.name: path.read_text().splitlines()[0] for path in folder.glob("0*.md")}
    rows = {
        name: title for title, name in re.findall(r"(?m)^\| \[.*?\]\((.*?)\) \| (.*?) \|", index)
    }
    assert rows == {title.partition(". ")[2]: name for name, title in titles.items()}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "docs/decisions").glob("0*.md")), ids=lambda path: path.stem
)
def test_a_decision_has_its_status_context_decision_and_consequences(path: Path) -> None:
    marks = re.findall(r"(?m)^(Status: |## .*)", path.read_text())
    assert marks == ["Status: ", "## Context", "## Decision", "## Consequences"]


def _readme_commands() -> list[str]:
    pattern = r"^(?:python3|\.venv/bin/python) -m .*$"
    return re.findall(pattern, (ROOT / "README.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, marks=[pytest.mark.slow, pytest.mark.engine] if "engine" in line else [])
        for line in _readme_commands()
    ],
)
def test_commands_of_the_readme_run_and_print_what_it_says(line: str, tmp_path: Path) -> None:
    """The commands of `python3` run without the packages of `.venv`."""
    for package in ("engine", "games", "tournaments"):
        (tmp_path / package).symlink_to(ROOT / package)
    report = ROOT / "tests/tournaments/pairing/cases/a4_2_mdp_opponents.trf"
    (tmp_path / "IN.trf").write_text(report.read_text())
    (tmp_path / "pairs.csv").write_text("first,second,wins,draws,losses\nAda,Ben,3,1,2\n")
    command, _, comment = line.partition("#")
    python, *words = shlex.split(command)
    options = ["-S"] if python == "python3" else []
    done = subprocess.run(
        [sys.executable, *options, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    if "sandbox" not in words:  # which ends with 1 on a machine without one
        assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    if comment.strip().isdigit():
        assert done.stdout.strip() == comment.strip()


def test_the_example_of_the_readme_is_right() -> None:
    position = games.load("morelli(edition=revised,size=13)").initial(seed=7)
    position = position.play(position.legal_moves()[0])
    assert (position.side_to_move, position.outcome()) == ("second", None)


def test_the_examples_in_the_docstring_of_games_are_right() -> None:
    results = doctest.testmod(games)
    assert (results.failed, results.attempted) == (0, 7)


@pytest.mark.engine
def test_a_bot_is_written_by_the_how_to(tmp_path: Path) -> None:
    text = textwrap.dedent((ROOT / "docs/tutorials/first-bot.md").read_text())
    (source,) = re.findall(r" +```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "mine.py").write_text(textwrap.dedent(source))
    for package in ("engine", "games"):
        (tmp_path / package).symlink_to(ROOT / package)
    steps = re.findall(r" +```console\n(.*?)```", text, re.DOTALL)
    assert len(steps) == 4
    for step in steps:
        command, *expected = textwrap.dedent(step).rstrip().splitlines()
        words = shlex.split(command.removeprefix("$ ").replace("python3", sys.executable))
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        pattern = ".*".join(map(re.escape, "\n".join(expected).split("…")))
        assert re.fullmatch(pattern, done.stdout.rstrip(), re.DOTALL), done.stdout
