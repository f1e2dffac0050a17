"""The speed of computing tie-breaks: `python -m tests.bench.standings [N ...]`.

Prints a table without assertions.

A Swiss of 11 rounds with 3 % byes and 2 % forfeits. CPU seconds in process, median of five: every
tie-break C.07 has for a Swiss, with the modifiers in use (33 columns). Then the places by the
default list. Then one value opened.
"""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

from tournaments.round_kinds import Kind
from tournaments.standings import (
    DEFAULTS,
    Field,
    Game,
    Participant,
    System,
    breakdown,
    column,
    ranking,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SIZES = (50, 200, 1000, 2000, 5000)
ROUNDS = 11
NAMES = (
    *("PTS", "WIN", "WON", "BPG", "BWG", "REP", "PS", "PS/C1", "PS/C2", "STD", "TPN"),
    *("BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "BH/P", "AOB", "FB", "FB/C1", "ABH", "AFB"),
    *("SB", "SB/C1", "SB/C2", "SB/P", "ARO", "ARO/C1", "ARO/M1", "TPR", "PTP", "APRO", "APPO"),
)


def main(sizes: Sequence[int] = SIZES) -> None:
    """Print one row a size."""
    print(f"{'N':>6} {'field':>8} {'columns':>8} {'places':>8} {'one value':>10}")
    for size in sizes:
        participants = event(size, seed=size)
        field = _median(lambda: Field(participants))  # noqa: B023  # called at once
        columns = _median(lambda: _columns(participants))  # noqa: B023
        places = _median(lambda: ranking(Field(participants), DEFAULTS[System.SWISS]))  # noqa: B023
        known = Field(participants)
        column(known, "BH/C1")
        one = _median(lambda: breakdown(known, "BH/C1", 1))  # noqa: B023
        print(f"{size:>6} {field:>8.3f} {columns:>8.3f} {places:>8.3f} {one:>10.4f}", flush=True)


def _columns(participants: Sequence[Participant]) -> None:
    field = Field(participants)
    for name in NAMES:
        column(field, name)


def _median(work: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return sorted(times)[2]


def event(size: int, seed: int) -> list[Participant]:
    """Return an event in which neighbours by score meet, with byes, forfeits and draws by chance."""
    rng = random.Random(seed)
    games: list[list[Game]] = [[] for _ in range(size)]
    for _ in range(ROUNDS):
        here = sorted(range(size), key=lambda n: (-sum(g.score_halves for g in games[n]), n))
        for n in [n for n in here if rng.random() < 0.03]:
            here.remove(n)
            kind = rng.choice((Kind.HALF_BYE, Kind.ZERO_BYE))
            games[n].append(Game(kind, int(kind is Kind.HALF_BYE)))
        if len(here) % 2:
            games[here.pop()].append(Game(Kind.PAIRING_BYE, 2))
        half = 1 + rng.randrange(3)
        while here:
            a = here.pop(0)
            b = here.pop(min(half, len(here)) - 1)
            _play(games, a, b, rng)
    return [Participant(n + 1, tuple(g), 2500 - n // 2) for n, g in enumerate(games)]


def _play(games: list[list[Game]], a: int, b: int, rng: random.Random) -> None:
    if rng.random() < 0.02:
        one, two = Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS
    elif rng.random() < 0.3:
        one = two = Kind.DRAW
    else:
        one, two = Kind.WIN, Kind.LOSS
    worth = {Kind.WIN: 2, Kind.FORFEIT_WIN: 2, Kind.DRAW: 1}
    games[a].append(Game(one, worth.get(one, 0), b + 1, is_first=True))
    games[b].append(Game(two, worth.get(two, 0), a + 1, is_first=False))


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or SIZES)
