"""The page about learning environments: its tables and examples."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from games.learning import encoding_of

PAGE = (Path(__file__).resolve().parents[3] / "docs/bots/learning.md").read_text()


@pytest.mark.parametrize("key", ["morlox()", "morelli(edition=original)", "perfect()"])
def test_the_page_lists_the_planes(key: str) -> None:
    encoding = encoding_of(key)
    rows = [
        f"| `{name}` | {text} |" for name, text in {**encoding.sets, **encoding.numbers}.items()
    ]
    assert "\n".join(rows) in PAGE


@pytest.mark.parametrize(
    ("key", "row"), re.findall(r"^\| `(\w+\([^`]*\))` \| (\d.*) \|$", PAGE, re.MULTILINE)
)
def test_the_page_counts_actions_and_planes(key: str, row: str) -> None:
    encoding = encoding_of(key)
    shape = " × ".join(map(str, encoding.shape))
    assert row == f"{len(encoding.actions):,} | {shape} | {encoding.longest_word}"


def test_the_examples_of_environments_run() -> None:
    for example in re.findall(r"^```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE):
        exec(example, {})  # noqa: S102 - our own text


@pytest.fixture
def learn() -> dict[str, Any]:
    """Return the names of the program that trains an agent."""
    program, _run = re.findall(r"^   ```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(textwrap.dedent(program), names)  # noqa: S102 - our own text
    return names


@pytest.mark.long
def test_an_agent_learns_from_few_games(learn: dict[str, Any]) -> None:
    untrained, _ = learn["match"](learn["train"](0, seed=1), 10, seed=1)
    share, _ = learn["match"](learn["train"](40, seed=3), 20, seed=1)
    assert untrained < 0.3 < 0.5 < share


@pytest.mark.slow
def test_a_trained_agent_beats_greedy_clearly(learn: dict[str, Any]) -> None:
    share, error = learn["match"](learn["train"](3000, seed=1), 200, seed=1)
    assert share - 3 * error > 0.75
