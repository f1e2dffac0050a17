"""The speed of pairing a round: `python -m tests.bench.pairing [N ...]`.

Prints a table without assertions.

One round in the middle of an 11-round event with 2 % byes and 2 % forfeits, CPU seconds in process,
and the exponent of the growth from the row above. `hard [N ...]` pairs the fields of
`tests/bench/hard_fields.py` instead. `long [N]` pairs the rounds of an event in which half of the
field has met in the end. `memory [N]` prints the most memory of a process that reads such a problem
and pairs it.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from tournaments.pairing import (
    Contestant,
    Dutch,
    NoPairingError,
    PairingProblem,
    RoundKind,
    RoundRecord,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SIZES = (50, 100, 200, 500, 1000)
ROUNDS = 11
MIDDLE = 6


def main(sizes: Sequence[int] = SIZES) -> None:
    """Print one row a size."""
    print(f"{'N':>6} {'median s':>9} {'worst s':>9} {'exponent':>9}")
    before: tuple[int, float] | None = None
    for size in sizes:
        times = sorted(_seconds(middle(size, seed)) for seed in range(3))
        median = times[1]
        growth = ""
        if before is not None:
            growth = f"{math.log(median / before[1]) / math.log(size / before[0]):9.2f}"
        print(f"{size:>6} {median:>9.3f} {times[-1]:>9.3f} {growth:>9}", flush=True)
        before = size, median


def _seconds(problem: PairingProblem) -> float:
    started = time.process_time()
    Dutch().pair(problem)
    return time.process_time() - started


def middle(size: int, seed: int, rounds: int = MIDDLE) -> PairingProblem:
    """Return the problem of round `rounds` of an event whose earlier rounds were paired by the engine."""
    return next(itertools.islice(_event(size, seed, ROUNDS), max(rounds - 1, 0), None))


def _event(size: int, seed: int, rounds_total: int) -> Iterator[PairingProblem]:
    """Yield the problems of one round after the other, paired by the engine when the next is asked for."""
    rng = random.Random(seed)
    strengths = {tpn: 2400 - 1000 * tpn / size for tpn in range(1, size + 1)}
    everybody = tuple(Contestant(tpn, ()) for tpn in range(1, size + 1))
    problem = PairingProblem(1, rounds_total, everybody)
    while True:
        yield problem
        problem = played(problem, strengths, rng)


def long(size: int) -> None:
    """Print the rounds of an event with half its number of players as rounds, the slowest of each tenth of it."""
    rounds = size // 2
    times = [_seconds(problem) for problem in itertools.islice(_event(size, 0, rounds), rounds)]
    print(f"{'round':>10} {'median s':>9} {'worst s':>9}")
    for first in range(0, rounds, rounds // 10):
        tenth = times[first : first + rounds // 10]
        print(f"{first + 1:>10} {statistics.median(tenth):>9.3f} {max(tenth):>9.3f}")
    print(f"{'all':>10} {sum(times):>9.1f}")


def played(
    problem: PairingProblem,
    strengths: dict[int, float],
    rng: random.Random,
    *,
    absences: float = 0.02,
) -> PairingProblem:
    """Return the problem of the next round, with results by strength and chance, and new absences."""
    solution = Dutch().pair(problem)
    records = {c.tpn: RoundRecord(RoundKind.HALF_BYE, None, 1) for c in problem.absent}
    for board in solution.boards:
        first, second = _results(board.first, board.second, strengths, rng)
        records[board.first], records[board.second] = first, second
    if solution.bye is not None:
        records[solution.bye] = RoundRecord(RoundKind.PAIRING_BYE, None, 2)
    everybody = [
        Contestant(c.tpn, (*c.records, records[c.tpn]))
        for c in (*problem.contestants, *problem.absent)
    ]
    away = {c.tpn for c in everybody if rng.random() < absences}
    return PairingProblem(
        problem.round_number + 1,
        problem.rounds_total,
        tuple(c for c in everybody if c.tpn not in away),
        absent=tuple(c for c in everybody if c.tpn in away),
    )


def _results(
    first: int, second: int, strengths: dict[int, float], rng: random.Random
) -> tuple[RoundRecord, RoundRecord]:
    if rng.random() < 0.02:
        return (
            RoundRecord(RoundKind.FORFEIT_WIN, second, 2),
            RoundRecord(RoundKind.FORFEIT_LOSS, first, 0),
        )
    expected = 1 / (1 + 10 ** ((strengths[second] - strengths[first]) / 400))
    drawn = rng.random() < 0.3
    halves = 1 if drawn else 2 * (rng.random() < expected)
    return (
        RoundRecord(RoundKind.FIRST, second, halves),
        RoundRecord(RoundKind.SECOND, first, 2 - halves),
    )


def hard(sizes: Sequence[int]) -> None:
    """Print one row a field, one column a size."""
    # The fields are built on this module.
    from tests.bench.hard_fields import HARD

    print(f"{'CPU seconds':40}" + "".join(f"{size:>9}" for size in sizes))
    for name, field in HARD.items():
        print(f"{name:40}", end="", flush=True)
        for size in sizes:
            print(f"{_description(field(size)):>9}", end="", flush=True)
        print()


def _description(problem: PairingProblem) -> str:
    started = time.process_time()
    try:
        Dutch().pair(problem)
    except NoPairingError:
        return f"none {time.process_time() - started:.2f}"
    return f"{time.process_time() - started:.2f}"


def memory(size: int) -> None:
    """Print the peak resident memory of a separate process, in MB."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(middle(size, 0).to_json(), file)
        file.flush()
        command = [sys.executable, "-m", "tests.bench.pairing", "peak", file.name]
        subprocess.run(command, check=True)


def _peak(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        problem = PairingProblem.from_json(json.load(file))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    Dutch().pair(problem)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    players = len(problem.contestants) + len(problem.absent)
    print(f"{players} players: {after / 1024:.0f} MB, {before / 1024:.0f} MB before pairing")


def _run(words: list[str]) -> None:
    match words:
        case ["hard", *sizes]:
            hard([int(word) for word in sizes] or (200, 1000))
        case ["long", *sizes]:
            long(int(sizes[0]) if sizes else 200)
        case ["memory", *sizes]:
            memory(int(sizes[0]) if sizes else 5000)
        case ["peak", path]:
            _peak(path)
        case sizes:
            main([int(word) for word in sizes] or SIZES)


if __name__ == "__main__":
    _run(sys.argv[1:])
