"""The outcomes as a table for each module, and the survivors with their lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from tests.mutation.choice import ROOT
from tests.mutation.forks import Outcome
from tests.mutation.mutants import Mutant

_ROW = "{:<50} {:>8} {:>8} {:>8} {:>9} {:>6}"


def table(results: Mapping[Mutant, Outcome]) -> str:
    """Return one row a module, one for all, and below them the unnoticed mutants."""
    counts: dict[str, Counter[Outcome]] = defaultdict(Counter)
    for mutant, outcome in results.items():
        counts[_name(mutant.path)][outcome] += 1
    total = sum(counts.values(), Counter())
    return "\n".join(
        [
            _ROW.format("module", "mutants", "killed", "timeout", "survived", "score"),
            *(_row(name, count) for name, count in sorted(counts.items())),
            _row("all", total),
            *survivors(results),
        ]
    )


def score(results: Mapping[Mutant, Outcome]) -> int:
    """Return how many of 100 mutants are noticed, rounded down, or 100 without mutants."""
    noticed = sum(outcome is not Outcome.SURVIVED for outcome in results.values())
    return 100 * noticed // len(results) if results else 100


def survivors(results: Mapping[Mutant, Outcome]) -> list[str]:
    """Return a line for each mutant that no test noticed, in the order of the source."""
    alive = [mutant for mutant, outcome in results.items() if outcome is Outcome.SURVIVED]
    return [
        f"{_name(m.path)}:{m.line} {m.operator}: {m.original}  ->  {m.mutated}"
        for m in sorted(alive, key=lambda m: (m.path, m.line, m.place, m.choice))
    ]


def _row(name: str, count: Counter[Outcome]) -> str:
    mutants = count.total()
    noticed = mutants - count[Outcome.SURVIVED]
    score = f"{100 * noticed // mutants}%" if mutants else "-"
    killed, timeout = count[Outcome.KILLED], count[Outcome.TIMEOUT]
    return _ROW.format(name, mutants, killed, timeout, count[Outcome.SURVIVED], score)


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
