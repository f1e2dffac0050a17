"""`manage.py test`: all tests on PostgreSQL and Redis, and again on SQLite the tests that depend on the database engine.

PostgreSQL and Redis are those of DATABASE_URL and REDIS_URL, else private instances on free ports,
made here and thrown away. Without them all tests run on SQLite. Tests without their programs are
skipped, and the last line says it.

A path or `-k` chooses tests. Chosen tests run in one process on SQLite, without any waiting for
other lanes.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
# Without compiled files every worker, and every process that a test starts, compiles all modules again.
_REPLACED = {"DATABASE_URL", "REDIS_URL", "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Lane:
    """One run of pytest."""

    name: str
    marks: str = ""
    processes: int = 1
    # Places of its tests, which saves the collection of all the others.
    places: Sequence[str] = ()
    # DATABASE_URL and REDIS_URL. An empty mapping means the embedded default.
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """Result of a lane: pytest's exit code, and its costs, workers and all awaited processes included."""

    lane: Lane
    code: int
    wall_s: float
    cpu_s: float


def main(arguments: Sequence[str]) -> int:
    """Run the tests, and return pytest's exit code, the worst of all lanes."""
    options, rest = _parser().parse_known_args(arguments)
    if options.set_up_only:
        return 0
    if options.costs:
        rest = ["-ptests.costs", *rest]
    chosen = _chooses(rest)
    kinds = _kinds(options, are_chosen=chosen)
    if options.all:
        rest = ["--hypothesis-profile=rayuela-all", *rest]
    missing = servers.missing_programs()
    with contextlib.ExitStack() as stack:
        if chosen:
            variables = stack.enter_context(_servers()) if options.postgresql else {}
            lanes = [Lane(_place(variables), kinds, variables=variables)]
        else:
            variables = {} if options.sqlite else stack.enter_context(_servers())
            lanes = _whole(kinds, variables, repeats=not options.postgresql)
            rest = [*_seeds(), *([] if options.all else ["-ptests.parts"]), *rest]
        outcomes = _run(lanes, rest)
    _print_costs(outcomes)
    if missing:
        wanting = "; ".join(f"{what} (Debian package {package})" for what, package in missing)
        print(f"\nRayuela: NOT TESTED on this machine, for want of: {wanting}")
    # The code of a process that a signal ended is negative.
    return max(abs(outcome.code) for outcome in outcomes)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manage.py test", description="Run the tests. Further arguments go to pytest."
    )
    parser.add_argument("--all", action="store_true", help="the long and the exhaustive tests too")
    parser.add_argument(
        "--long",
        action="store_true",
        help="the long tests alone (with --share=0.5 those in half of the files)",
    )
    parser.add_argument("--sqlite", action="store_true", help="everything on SQLite")
    parser.add_argument(
        "--postgresql", action="store_true", help="on PostgreSQL and Redis, and nothing on SQLite"
    )
    parser.add_argument("--costs", action="store_true", help="print which tests take most CPU time")
    parser.add_argument("--set-up-only", action="store_true", help="install, and test nothing")
    return parser


def _kinds(options: argparse.Namespace, *, are_chosen: bool) -> str:
    """Return the marks of the tests that these options ask for. Chosen tests may be long."""
    if options.all:
        return ""
    if options.long:
        return "long and not slow"
    return "not slow" if are_chosen else "not slow and not long"


def _chooses(rest: Sequence[str]) -> bool:
    """Return whether the arguments for pytest name some of the tests."""
    return any(not argument.startswith("-") or argument.startswith("-k") for argument in rest)


@contextlib.contextmanager
def _servers() -> Iterator[dict[str, str]]:
    """Yield the variables of a PostgreSQL and a Redis, or no variables if this machine lacks one of them."""
    with contextlib.ExitStack() as stack:
        database = os.environ.get("DATABASE_URL") or stack.enter_context(servers.postgresql())
        redis = os.environ.get("REDIS_URL") or stack.enter_context(servers.redis())
        yield {"DATABASE_URL": database, "REDIS_URL": redis} if database and redis else {}


def _place(variables: Mapping[str, str]) -> str:
    return "on PostgreSQL and Redis" if variables else "on SQLite, without servers"


def _whole(kinds: str, variables: Mapping[str, str], *, repeats: bool) -> list[Lane]:
    """Return all tests, as lanes that run beside each other, and those with the mark `engines` again on SQLite.

    Each of them waits occasionally, for a page or for a lease to end, so two cores have work for
    five processes, and for six with the long tests. Each further one would make a database.
    """
    where = _place(variables)
    processes = max(2, os.cpu_count() or 1) + 1
    lanes = [
        Lane(f"all but the browser {where}", _both(kinds, "not browser"), processes, (), variables),
        Lane(f"the browser {where}", _both(kinds, "browser"), 1, ("tests/browser",), variables),
    ]
    if variables and repeats:
        name = "what depends on the engine, on SQLite"
        # Long tests wait often. One process would still run them after the other lanes have ended.
        repeating = 1 if "not long" in kinds else 2
        lanes.append(Lane(name, _both(kinds, "engines"), repeating, _files_with("engines")))
    return lanes


def _seeds() -> list[str]:
    """Return the options for the draws of this commit, or no options outside a clone.

    All runs of one commit draw alike, so that a failure repeats. Another commit draws others: the
    order of tests, the parts of long tables and lists, and the examples of laws.
    """
    if not (git := shutil.which("git")):
        return []
    command = [git, "rev-parse", "HEAD^{tree}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return []
    seed = int(done.stdout[:8], 16)
    return [f"--randomly-seed={seed}", f"--hypothesis-seed={seed}"]


def _files_with(mark: str) -> list[str]:
    """Return the files of tests that contain the mark."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [
        str(path.relative_to(ROOT)) for path in files if f"pytest.mark.{mark}" in path.read_text()
    ]


def _both(first: str, second: str) -> str:
    return " and ".join(filter(None, [first, second]))


def _run(lanes: Sequence[Lane], rest: Sequence[str]) -> list[Outcome]:
    """Return the outcomes of all lanes.

    The first is shown while it runs. The output of the others follows.
    """
    (first, *beside) = lanes
    with ThreadPoolExecutor(max(1, len(beside))) as pool, contextlib.ExitStack() as stack:
        outputs = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in beside]
        running = [
            pool.submit(_pytest, lane, rest, output)
            for lane, output in zip(beside, outputs, strict=True)
        ]
        outcomes = [_pytest(first, rest, None)]
        for future, output in zip(running, outputs, strict=True):
            outcomes.append(future.result())
            output.seek(0)
            shutil.copyfileobj(output, sys.stdout)
    return outcomes


def _pytest(lane: Lane, rest: Sequence[str], output: IO[str] | None) -> Outcome:
    print(f"\nRayuela: {lane.name}", file=output, flush=True)
    with tempfile.TemporaryDirectory(prefix="rayuela-tests-") as home:
        environment = {
            **{k: v for k, v in os.environ.items() if k not in _REPLACED},
            **lane.variables,
            "RAYUELA_HOME": home,
            "RAYUELA_NO_BOOTSTRAP": "1",
        }
        started = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *_options(lane), *rest, *lane.places],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
        )
        # Not `process.wait`, which does not report the resources of the process and its own.
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Outcome(
        lane, process.returncode, time.monotonic() - started, used.ru_utime + used.ru_stime
    )


def _options(lane: Lane) -> list[str]:
    options = []
    if lane.marks:
        options += ["-m", lane.marks]
    if lane.variables and "DATABASE_URL" not in os.environ:
        options.append("--reuse-db")  # which drops none at the end: they go with our server
    if lane.processes > 1:
        options += ["-p", "tests.forks", "--forks", str(lane.processes)]
    return options


def _print_costs(outcomes: Sequence[Outcome]) -> None:
    print()
    for outcome in outcomes:
        print(
            f"Rayuela: {outcome.wall_s:6.1f} s, {outcome.cpu_s:6.1f} s of CPU: {outcome.lane.name}"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
