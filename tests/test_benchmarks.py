"""Every benchmark has its smallest run, and a count over its budget ends the run."""

from __future__ import annotations

import pytest

from tests.bench import budgets
from tests.processes import ROOT


def test_every_command_has_its_smallest_run() -> None:
    folder = ROOT / "tests" / "bench"
    commands = {
        path.stem
        for path in folder.glob("[a-z]*.py")
        if 'if __name__ == "__main__"' in path.read_text()
    }
    packages = {path.parent.name for path in folder.glob("*/__main__.py")}
    assert set(budgets.declared()) == commands | packages


def test_a_count_over_its_budget_ends_the_run_and_a_time_does_not() -> None:
    held = budgets.Held("moves")
    held.hold("form, SQLite", statements=9, ms=1_000)
    held.end()
    held.hold("form, SQLite", statements=10, ms=1)
    with pytest.raises(SystemExit, match=r"form, SQLite: 10 statements, at most 9"):
        held.end()


def test_a_figure_without_a_budget_is_an_error() -> None:
    with pytest.raises(KeyError):
        budgets.Held("moves").hold("telepathy", statements=0)
