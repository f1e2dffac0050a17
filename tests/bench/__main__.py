"""All benchmarks: `python -m tests.bench all --quick`, and their pages: `python -m tests.bench NAME...`.

`all --quick` runs every command at its smallest size, as `budgets.toml` has it. It exits with 1 if a
command fails or a count exceeds its budget. `all` alone, or names, measure and write the pages of
`docs/benchmarks` that need no idle machine. Each has a header with the date, the machine and the
commit, and the output of the commands as it was printed.
"""

import argparse
import os
import platform
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass

from tests.bench import budgets
from tests.processes import ROOT

_FOLDER = ROOT / "docs" / "benchmarks"
# A command at its smallest size that takes longer has lost its end.
_PATIENCE_S = 300


@dataclass(frozen=True)
class Benchmark:
    """A page of `docs/benchmarks`: its title, the question that it answers, and its commands."""

    title: str
    question: str
    commands: tuple[str, ...]


BENCHMARKS = {
    "games": Benchmark(
        "Rules of the games",
        "Random playouts a second, and the time to check one move and to list all moves.",
        ("tests.bench.games",),
    ),
    "learning": Benchmark(
        "Learning environments",
        "Random games a second by moves, by actions with observations, and by the environments.",
        ("tests.bench.learning",),
    ),
    "kernel": Benchmark(
        "The kernel",
        "The kernel in WebAssembly beside the rules in Python: playouts and perft nodes a second.",
        ("tests.bench.kernel 'morelli(size=7)' 'morlox(size=9)' 'perfect()'",),
    ),
    "pairing": Benchmark(
        "Pairing by the Dutch system",
        "CPU seconds to pair one round in the middle of a Swiss of N players, fields that are hard to"
        " pair, and the memory of a process that pairs 5,000.",
        ("tests.bench.pairing", "tests.bench.pairing hard 200", "tests.bench.pairing memory"),
    ),
    "formats": Benchmark(
        "Other formats",
        "The slowest round of a whole event, or one draw of a pool; CPU seconds.",
        ("tests.bench.formats 100 1000",),
    ),
    "standings": Benchmark(
        "Standings",
        "CPU seconds for 33 tie-breaks, for the places, and to open one value into its terms.",
        ("tests.bench.standings",),
    ),
    "ratings": Benchmark(
        "Ratings",
        "CPU seconds to fit ratings of bots to all games, from nothing and after 1,000 more games.",
        ("tests.bench.ratings",),
    ),
    "commands": Benchmark(
        "Commands",
        "CPU seconds and MB of a whole process that pairs a round or rates a million games, and CPU"
        " seconds to read a report file. A ratio above 1 means that the other program takes longer.",
        ("tests.bench.commands", "tests.bench.commands late"),
    ),
    "sandbox": Benchmark(
        "The sandbox",
        "Time to start a bot and to answer a line, without a sandbox and in each one.",
        ("tests.bench.sandbox",),
    ),
    "wasm": Benchmark(
        "WebAssembly bots",
        "Time to check an upload, to start, to answer a line, and fuel a millisecond.",
        ("tests.bench.wasm",),
    ),
}


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="+", choices=["all", *BENCHMARKS], metavar="all|NAME")
    parser.add_argument("--quick", action="store_true", help="every command at its smallest size")
    options = parser.parse_args()
    if options.quick:
        sys.exit(_run_quickly())
    _write(list(BENCHMARKS) if "all" in options.names else options.names)


def _run_quickly() -> int:
    """Run every command at its smallest size, and return the number of those that failed."""
    failed = []
    for name, bench in budgets.declared().items():
        for words in bench.quick:
            command = f"tests.bench.{name} {words}".strip()
            print(f"\n$ python -m {command}", flush=True)
            began, before = time.monotonic(), os.times().children_user
            if not _succeeds(command):
                failed.append(command)
            print(
                f"({time.monotonic() - began:.1f} s, {os.times().children_user - before:.1f} s of CPU)"
            )
        for figure, most in bench.most.items():
            goals = ", ".join(f"{value:g} {unit}" for unit, value in most.items())
            print(f"budget of {figure}: {goals}")
    print("\nfailed: " + ", ".join(failed) if failed else "\nall commands ran")
    return len(failed)


def _succeeds(command: str) -> bool:
    arguments = [sys.executable, "-m", *shlex.split(command)]
    environment = {**os.environ, "LOG_LEVEL": "WARNING", "RAYUELA_NO_BOOTSTRAP": "1"}
    try:
        process = subprocess.run(
            arguments, cwd=ROOT, env=environment, check=False, timeout=_PATIENCE_S
        )
    except subprocess.TimeoutExpired:
        return False
    return process.returncode == 0


def _write(names: list[str]) -> None:
    """Measure and write the pages of these names."""
    for name in names:
        benchmark = BENCHMARKS[name]
        outputs = [
            f"```text\n$ python -m {command}\n{_output(command).strip()}\n```\n"
            for command in benchmark.commands
        ]
        parts = [f"# {benchmark.title}\n", f"{benchmark.question}\n", _header(name), *outputs]
        (_FOLDER / f"{name}.md").write_text("\n".join(parts))


def _header(name: str) -> str:
    rows = {
        "written by": f"`python -m tests.bench {name}`",
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} processors, {platform.machine()}, {_model()}",
        "load at the start": f"{os.getloadavg()[0]:.1f}",
        "Python": platform.python_version(),
        "commit": _git("rev-parse", "--short=10", "HEAD"),
    }
    table = "".join(f"| {key} | {value} |\n" for key, value in rows.items())
    return f"| | |\n| --- | --- |\n{table}"


def _model() -> str:
    with open("/proc/cpuinfo") as file:
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return models[0] if models else "unknown model"


def _git(*arguments: str) -> str:
    return subprocess.check_output(["git", *arguments], cwd=ROOT, text=True).strip()  # noqa: S607


def _output(command: str) -> str:
    return subprocess.check_output(
        [sys.executable, "-m", *shlex.split(command)], cwd=ROOT, text=True
    )


if __name__ == "__main__":
    main()
