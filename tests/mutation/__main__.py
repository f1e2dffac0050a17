"""`python -m tests.mutation`: how many small faults of some modules their tests notice."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tests.mutation.choice import files_for
from tests.mutation.forks import Outcome, outcomes
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.report import score, table
from tests.mutation.session import BaselineError, ForkingSession, measured, run_afresh, run_tests


def main(arguments: Sequence[str]) -> int:
    """Try the mutants and print their results. Return 1 if more survived than the floor allows."""
    options = _parser().parse_args(arguments)
    mutants = [m for path in _modules(options.paths) for m in mutants_of(path, path.read_text())]
    if options.sample is not None and options.sample < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.sample)
    results = tried(mutants, jobs=options.jobs)
    print(table(results))
    return int(score(results) < options.floor)


def tried(mutants: Sequence[Mutant], *, jobs: int) -> dict[Mutant, Outcome]:
    """Return the outcome of each mutant under the tests chosen for its module."""
    groups: dict[tuple[str, ...], list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        groups[files_for(mutant.path)].append(mutant)
    return {
        mutant: outcome
        for files, group in groups.items()
        for mutant, outcome in _outcomes(files, group, jobs)
    }


def _outcomes(
    files: Sequence[str], mutants: Sequence[Mutant], jobs: int
) -> Iterator[tuple[Mutant, Outcome]]:
    swapped: set[Mutant] = set()
    for mutant, outcome in _in_one_session(files, [m for m in mutants if m.is_live], jobs):
        swapped.add(mutant)
        yield mutant, outcome
    rest = [mutant for mutant in mutants if mutant not in swapped]
    if rest:
        limit = measured(lambda: run_tests(files))
        yield from outcomes(rest, lambda m: run_afresh(m, files), limit=limit, jobs=jobs)


def _in_one_session(
    files: Sequence[str], mutants: Sequence[Mutant], jobs: int
) -> Iterator[tuple[Mutant, Outcome]]:
    """Run in a process that imports the tests once. This one stays without them."""
    if not mutants:
        return
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        code = 1
        try:
            os.close(reader)
            with os.fdopen(writer, "w") as pipe:

                def report(mutant: Mutant, outcome: Outcome) -> None:
                    pipe.write(json.dumps([mutants.index(mutant), outcome]) + "\n")
                    pipe.flush()

                code = run_tests(files, [ForkingSession(mutants, report, jobs=jobs)])
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        for line in pipe:
            number, outcome = json.loads(line)
            yield mutants[number], Outcome(outcome)
    _, status = os.waitpid(pid, 0)
    if status:
        raise BaselineError(f"the tests cannot be run: {' '.join(files)}")


def _modules(paths: Iterable[Path]) -> list[Path]:
    files = (
        file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
    )
    return [file.resolve() for file in files]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, help="modules or folders of them")
    parser.add_argument("--sample", type=int, help="so many mutants, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--floor", type=int, default=100, metavar="PERCENT", help="the least score (100)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
