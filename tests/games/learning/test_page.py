"""The page about learning environments: its tables and examples."""

from __future__ import annotations

import re
from pathlib import Path

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
    for example in re.findall(r"```python\n(.*?)```", PAGE.partition("## Actions")[0], re.DOTALL):
        exec(example, {})  # noqa: S102 - our own text
