"""The speed of the rules: `python -m tests.bench.games [KEY ...]`.

Prints a table without assertions.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from typing import TYPE_CHECKING

import games

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# One line a rule set. Rule sets whose family is not registered are skipped.
KEYS = (
    "morelli(edition=revised,size=7)",
    "morelli(edition=revised,size=9)",
    "morelli(edition=revised,size=13)",
    "morelli(edition=revised,size=31)",
    "morelli(edition=original,size=13)",
    "morlox(size=11)",
    "morlox(size=13)",
    "perfect()",
)
_SECONDS = 2.0


def main(keys: Sequence[str] = KEYS) -> None:
    """Print one row a rule set."""
    print(
        f"{'rule set':45} {'playouts/s':>11} {'one move':>11} {'legal_moves':>12} {'random move':>12}"
    )
    for key in keys:
        try:
            ruleset = games.load(key)
        except games.UnknownRulesetError:
            print(f"{key:45} not registered")
            continue
        print(_row(ruleset))


def _row(ruleset: games.Ruleset) -> str:
    samples, rng = _samples(ruleset), random.Random(1)
    check = _median_us(lambda sample: sample.position.play(sample.move), samples)
    listing = _median_us(lambda sample: sample.position.legal_moves(), samples)
    chance = _median_us(lambda sample: sample.position.random_move(rng), samples)
    playouts = f"{_playouts(ruleset):>11.1f}"
    return f"{ruleset.key:45} {playouts} {check:>8.0f} us {listing:>9.0f} us {chance:>9.0f} us"


class _Sample:
    def __init__(self, position: games.Position, move: str) -> None:
        self.position = position
        self.move = move


def _samples(ruleset: games.Ruleset) -> list[_Sample]:
    """Return every position of one random game with the move played there."""
    rng = random.Random(1)
    samples = []
    position = ruleset.initial(seed=1)
    while position.outcome() is None:
        samples.append(_Sample(position, position.random_move(rng)))
        position = position.play(samples[-1].move)
    return samples


def _median_us(action: Callable[[_Sample], object], samples: list[_Sample]) -> float:
    times = []
    for sample in samples:
        started_s = time.perf_counter()
        action(sample)
        times.append(time.perf_counter() - started_s)
    return statistics.median(times) * 1e6


def _playouts(ruleset: games.Ruleset) -> float:
    """Random games from the start per second of CPU time."""
    rng = random.Random(1)
    started_s = time.process_time()
    count = 0
    while (spent := time.process_time() - started_s) < _SECONDS:
        ruleset.initial(seed=count).playout(rng)
        count += 1
    return count / spent


if __name__ == "__main__":
    main(sys.argv[1:] or KEYS)
