"""The page about open data: its examples on the small dataset beside it, and that dataset's columns."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import pytest

from tournaments.queries.open_data import DATASETS

PAGE = Path(__file__).resolve().parents[2] / "docs/bots/open-data.md"
DATA = PAGE.parent / "data"
EXAMPLE = re.compile(r"^```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL | re.MULTILINE)


def test_the_examples_print_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)
    names: dict[str, Any] = {}
    examples = EXAMPLE.findall(PAGE.read_text())
    assert len(examples) == 4
    for program, output in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, names)  # noqa: S102 - our own text
        lines = [line.rstrip() for line in printed.getvalue().splitlines() if line.strip()]
        assert lines == output.splitlines()


@pytest.mark.parametrize("path", sorted(DATA.iterdir()), ids=lambda path: path.name)
def test_the_small_dataset_has_the_columns_of_the_site(path: Path) -> None:
    columns = [column.name for column in DATASETS[path.name.split("-")[1]].columns]
    frame = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_json(path, lines=True)
    assert list(frame.columns) == columns
    assert len(frame) > 0
