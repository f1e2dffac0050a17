"""The pairing speed of the formats other than Swiss: `python -m tests.bench.formats [N ...]`.

Prints a table without assertions.

The slowest round of a whole event (a round robin's first four, a league's two seasons of divisions
of ten, groups of five), CPU seconds in process. Arenas and ladders: one draw with N waiting, N
playing and up to ten games each.
"""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

from tests.tournaments.pairing.formats import Event, first_problem
from tournaments.pairing import (
    Contestant,
    EventDecidedError,
    FormatOptions,
    PairingProblem,
    RoundKind,
    RoundRecord,
    system,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = (100, 1_000, 5_000)
ROUNDS = {
    "round-robin": 4,
    "knockout": 99,
    "double-knockout": 99,
    "groups-knockout": 99,
    "league": 19,
}
GROUP_SIZE = {"groups-knockout": 5, "league": 10}


def main(sizes: Sequence[int] = SIZES) -> None:
    """Print one row a format."""
    print(f"{'format':<16}" + "".join(f"{size:>9}" for size in sizes))
    for name, rounds in ROUNDS.items():
        seconds = [_slowest(name, size, rounds) for size in sizes]
        print(f"{name:<16}" + "".join(f"{s:>9.3f}" for s in seconds), flush=True)
    for name in ("arena", "ladder"):
        seconds = [_seconds(name, pool(size)) for size in sizes]
        print(f"{name:<16}" + "".join(f"{s:>9.3f}" for s in seconds), flush=True)


def _slowest(name: str, size: int, rounds: int) -> float:
    options = FormatOptions(groups=max(1, size // GROUP_SIZE.get(name, size)))
    event = Event(system(name), first_problem(size, options=options), random.Random(1))
    slowest = 0.0
    for _ in range(rounds):
        try:
            slowest = max(slowest, _seconds(name, event.problem))
        except EventDecidedError:
            break
        event.play_round()
    return slowest


def _seconds(name: str, problem: PairingProblem) -> float:
    started = time.process_time()
    system(name).pair(problem)
    return time.process_time() - started


def pool(size: int) -> PairingProblem:
    """Return equal numbers of waiting and playing contestants, with random games and ratings."""
    rng = random.Random(size)

    def record(tpn: int) -> RoundRecord:
        opponent = rng.randint(1, 2 * size - 1)
        kind = rng.choice((RoundKind.FIRST, RoundKind.SECOND))
        return RoundRecord(kind, opponent + (opponent >= tpn), rng.choice((0, 1, 2)))

    field = [
        Contestant(
            tpn,
            tuple(record(tpn) for _ in range(rng.randint(0, 10))),
            rating_centielo=rng.randint(100_000, 220_000),
            deviation_centielo=rng.randint(2_000, 35_000),
            waited_s=rng.randint(0, 30),
        )
        for tpn in range(1, 2 * size + 1)
    ]
    return PairingProblem(
        1, 0, tuple(field[:size]), absent=tuple(field[size:]), most_meetings=0, is_continuous=True
    )


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or SIZES)
