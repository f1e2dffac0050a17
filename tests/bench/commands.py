"""The cost of the commands as whole processes: `python -m tests.bench.commands [GAMES]`.

Prints tables without assertions: CPU seconds of a process with its start (user and system, the
median of some runs) and its most memory. If `bbpPairings` or `ordo` is on the path, that program
gets the files too, in turn. Then the time to read a report file in process, beside the time to pair
its next round.

`late [PLAYERS ...]` prints the time of both for the late rounds of long events, beside bbpPairings
without the start of a process.
"""

from __future__ import annotations

import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.tournaments.ratings.leagues import league
from tournaments import trf
from tournaments.commandline.generator import generate
from tournaments.commandline.recipe import Recipe
from tournaments.pairing import report_system

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAYERS = (20, 60, 100, 200)
READ = (200, 1_000, 5_000)
POOLS = (200, 2_000)
# In events of 20 rounds.
LATE_PLAYERS = (24, 30, 40, 60)
LATE_ROUNDS = ((5, 8), (11, 12), (14, 20))
_RUNS = 7
# Threads of a matrix library that wait for each other would count as work.
_ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def main(games: int = 1_000_000) -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'command':<44}{'CPU s':>8}{'MB':>6}{'other s':>9}{'MB':>6}{'other/ours':>12}")
        _print_pairings(Path(folder), shutil.which("bbpPairings"))
        _print_ratings(Path(folder), games, shutil.which("ordo"))
        print(f"\n{'players':>8}{'read s':>9}{'problem s':>11}{'pair s':>9}")
        for players in READ:
            _print_reading(players)


def late(sizes: Sequence[int] = LATE_PLAYERS) -> None:
    """Print the table of the late rounds of long events."""
    other = shutil.which("bbpPairings")
    print(f"{'players':>8}{'rounds':>9}{'ours s':>9}{'other s':>9}{'other/ours':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for players, rounds in itertools.product(sizes, LATE_ROUNDS):
            _print_late(Path(folder), players, rounds, other)


def _print_pairings(folder: Path, other: str | None) -> None:
    for players in PLAYERS:
        file = folder / f"{players}.trf"
        file.write_text(_report(players))
        ours = [sys.executable, "-m", "tournaments.pairing", "--dutch", str(file), "-p"]
        theirs = [other, "--dutch", str(file), "-p", os.devnull] if other else None
        _print_row(f"pair round 6 of {players} players", ours, theirs, _RUNS)


def _print_ratings(folder: Path, games: int, other: str | None) -> None:
    for players in POOLS:
        for suffix, write in ((".pgn", _write_pgn), (".csv", _write_csv)):
            file = folder / f"{players}{suffix}"
            write(file, players, games)
            ours = [sys.executable, "-m", "tournaments.ratings", "bradley-terry", str(file)]
            theirs = None
            if other and suffix == ".pgn":
                theirs = [other, "-q", "-W", "-D", "-p", str(file), "-o", os.devnull]
            _print_row(f"rate {players} players, {games:,} games, {suffix}", ours, theirs, 3)
            file.unlink()


def _print_row(name: str, ours: list[str], theirs: list[str] | None, runs: int) -> None:
    commands = [ours, theirs] if theirs else [ours]
    measured = [[_cost(command) for command in commands] for _ in range(runs)]
    columns = list(zip(*measured, strict=True))
    medians = [statistics.median(seconds for seconds, _ in column) for column in columns]
    peaks = [max(megabytes for _, megabytes in column) for column in columns]
    row = f"{name:<44}{medians[0]:>8.3f}{peaks[0]:>6.0f}"
    if theirs:
        row += f"{medians[1]:>9.3f}{peaks[1]:>6.0f}{medians[1] / medians[0]:>12.2f}"
    print(row, flush=True)


# Between this process and the command, because a child's peak begins with the memory of its parent.
_WATCHER = """
import os, sys
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def _cost(command: list[str]) -> tuple[float, float]:
    """Return CPU seconds and the most memory in MB."""
    watched = [sys.executable, "-I", "-S", "-c", _WATCHER, *command]
    words = subprocess.check_output(watched, env=_ENVIRONMENT, text=True).split()
    return float(words[0]), float(words[1])


def _report(players: int, *, rounds: int = 11, played: int = 5, seed: int = 3) -> str:
    """Return an event that is not over, as all engines read it."""
    recipe = Recipe(players=players, rounds=rounds, rounds_played=played)
    return trf.write(generate(recipe, seed).report, is_code_2025=True)


def _print_reading(players: int) -> None:
    read, prepared, paired = _in_process(_report(players))
    print(f"{players:>8}{read:>9.4f}{prepared:>11.4f}{paired:>9.4f}", flush=True)


def _in_process(text: str) -> list[float]:
    """Return the least CPU seconds to read a file, to state its next round, and to pair that."""
    data = text.encode()
    dutch = report_system("dutch")
    costs = []
    for _ in range(5):
        times = [time.process_time()]
        report = trf.read(trf.decoded(data))
        times.append(time.process_time())
        problem = trf.pairing_problem(report)
        times.append(time.process_time())
        dutch.pair(problem)
        times.append(time.process_time())
        costs.append([after - before for before, after in itertools.pairwise(times)])
    return [min(column) for column in zip(*costs, strict=True)]


def _print_late(folder: Path, players: int, rounds: tuple[int, int], other: str | None) -> None:
    """Print the medians of two events for these rounds. Each cost is the least of five."""
    first, last = rounds
    ours, theirs = [], []
    for number, seed in itertools.product(range(first, last + 1), (1, 2)):
        text = _report(players, rounds=20, played=number - 1, seed=seed)
        ours.append(sum(_in_process(text)))
        if other:
            file = folder / "late.trf"
            file.write_text(text)
            command = [other, "--dutch", str(file), "-p", os.devnull]
            start = min(_cost(["/bin/true"])[0] for _ in range(5))
            theirs.append(min(_cost(command)[0] for _ in range(5)) - start)
    row = f"{players:>8}{first:>6}-{last:<2}{statistics.median(ours):>9.4f}"
    if other:
        ratio = statistics.median(theirs) / statistics.median(ours)
        row += f"{statistics.median(theirs):>9.4f}{ratio:>12.2f}"
    print(row, flush=True)


def _write_pgn(file: Path, players: int, games: int) -> None:
    table = league(players, games)
    counts = np.stack([table.wins, table.draws, table.losses], axis=1)
    kinds = np.repeat(np.arange(counts.size), counts.ravel())
    np.random.default_rng(1).shuffle(kinds)
    results = ("1-0", "1/2-1/2", "0-1")
    with file.open("w") as out:
        for kind in kinds.tolist():
            first, second = (table.players[side[kind // 3]] for side in (table.first, table.second))
            result = results[kind % 3]
            out.write(
                f'[Event "?"]\n[White "{first}"]\n[Black "{second}"]\n[Result "{result}"]\n\n'
                f"1. e4 e5 {result}\n\n"
            )


def _write_csv(file: Path, players: int, games: int) -> None:
    with file.open("w") as out:
        for count in league(players, games).counts():
            out.write(f"{count.first},{count.second},{count.wins},{count.draws},{count.losses}\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["late", *players]:
            late([int(each) for each in players] or LATE_PLAYERS)
        case words:
            main(*map(int, words))
