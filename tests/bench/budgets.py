"""The budgets of the benchmarks, and the figures that a run holds to them.

`budgets.toml` has a table for each command `python -m tests.bench.NAME`: the words of its smallest run
(`quick`), and the most that each figure may be (`most`). Counts must not exceed their budget. Times depend
on the machine, and are printed beside their goal without an assertion.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# The units that are equal on every machine, with a word more or without one, such as `queries_member`.
COUNTED = ("queries", "statements", "kB", "log_bytes")


@dataclass(frozen=True, slots=True)
class Bench:
    """A command with its smallest runs, as words of a command line, and its budgets by figure and unit."""

    quick: Sequence[str]
    most: Mapping[str, Mapping[str, float]]


@cache
def declared() -> Mapping[str, Bench]:
    """Return the commands of `budgets.toml` by their names."""
    path = Path(__file__).with_name("budgets.toml")
    tables = tomllib.loads(path.read_text())
    return {
        name: Bench(table["quick"], table.get("most", {})) for name, table in sorted(tables.items())
    }


class Held:
    """The figures of one command beside its budgets."""

    def __init__(self, name: str) -> None:
        self._most = declared()[name].most
        self._over: list[str] = []

    def hold(self, figure: str, **values: float) -> None:
        """Compare the values of a figure by their units.

        Raises:
            KeyError: for a figure without a budget, whose command has lost its table.
        """
        for unit, most in self._most[figure].items():
            if unit.startswith(COUNTED) and values[unit] > most:
                self._over.append(f"{figure}: {values[unit]:g} {unit}, at most {most:g}")

    def end(self) -> None:
        """Exit with 1 and the list of exceeded budgets, if there are some."""
        if self._over:
            sys.exit("over the budget:\n" + "\n".join(self._over))
