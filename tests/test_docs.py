"""The documents are true: what they name exists, and what they show happens."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import games
from engine import referee
from engine.clock import Fischer
from engine.match import BotSpec, Ending, MatchSpec

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_PATH = re.compile(r"`((?:games|engine|tournaments|config|templates|tests|docs|\.ci)/[\w./-]*)`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_names_exists(document: Path) -> None:
    text = document.read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    missing = [link for link in links if not (document.parent / link).exists()]
    missing += [path for path in _PATH.findall(text) if not (ROOT / path).exists()]
    assert missing == []


def _readme_commands() -> list[str]:
    return re.findall(r"^python3 -m games .*$", (ROOT / "README.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize("line", _readme_commands())
def test_commands_of_the_readme_run_and_print_what_it_says(line: str) -> None:
    command, _, said = line.partition("#")
    words = [sys.executable, *shlex.split(command)[1:]]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if said.strip().isdigit():
        assert done.stdout.strip() == said.strip()


def test_the_example_of_the_readme_is_right() -> None:
    position = games.load("morelli(edition=revised,size=13)").initial(seed=7)
    position = position.play(position.legal_moves()[0])
    assert (position.side_to_move, position.outcome()) == ("second", None)


@pytest.mark.engine
def test_the_bot_of_the_how_to_plays_whole_games(tmp_path: Path) -> None:
    text = (ROOT / "docs/how-to/new-bot.md").read_text()
    source = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert source is not None
    program = tmp_path / "first.py"
    program.write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{source[1]}")
    bot = BotSpec("first", (sys.executable, str(program)))
    for key in ("morelli(size=5)", "morlox(size=5)"):
        setup = games.load(key).setup_text(games.load(key).initial(seed=1))
        report = referee.play_match(MatchSpec(key, setup, (bot, bot), Fischer(60_000), games=2))
        assert {game.ending for game in report.games} == {Ending.RULES}
