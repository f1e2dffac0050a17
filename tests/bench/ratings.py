"""How fast ratings are computed: `python -m tests.bench.ratings [PLAYERS ...]`. Prints tables; nothing is asserted.

CPU seconds of one thread, the fastest of a few runs. Bradley-Terry: a pool of so many players and a million games
(or as told), both draw models tried, with error bars and LOS; cold without a start, warm after 1,000 more games.
"""

from __future__ import annotations

import os

# Before numpy: threads that wait for each other would count as work.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tournaments.ratings.bradley_terry import Fit, PairTable, fit_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SIZES = ((20, 1_000_000), (200, 100_000), (200, 1_000_000), (2_000, 100_000), (2_000, 1_000_000))
_RUNS = 5


def main(sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    """Print one row a pool, then the other systems."""
    header = ("players", "games", "pairs", "cold s", "errors s", "LOS s", "warm s", "warm+LOS s")
    print("".join(f"{word:>11}" for word in header))
    for players, games in sizes:
        print(_row(players, games), flush=True)


def _row(players: int, games: int) -> str:
    before = league(players, games)
    after = league(players, games, more=1_000)
    runs = _RUNS if players < 1_000 else 3
    fitted = fit_pairs(before)
    cold = _seconds(lambda: fit_pairs(before), runs)
    los = _seconds(fitted.superiority, runs)
    listed = _seconds(fitted.ratings, runs)
    warm = _seconds(lambda: fit_pairs(after, start=fitted), runs)
    whole = _seconds(lambda: _listed(fit_pairs(after, start=fitted)), runs)
    numbers = (cold, listed, los, warm, whole)
    row = f"{players:>11,}{games:>11,}{len(before.first):>11,}"
    return row + "".join(f"{number:>11.4f}" for number in numbers)


def _listed(fitted: Fit) -> None:
    fitted.ratings()
    fitted.superiority()


def _seconds(action: Callable[[], object], runs: int) -> float:
    best = float("inf")
    for _ in range(runs):
        begun = time.process_time()
        action()
        best = min(best, time.process_time() - begun)
    return best


def league(players: int, games: int, *, more: int = 0) -> PairTable:
    """A pool of games by Rao and Kupper's model: spread 200, first side's advantage 35, draw threshold 97 raw Elo."""
    rng = np.random.default_rng(players + games)
    unit = np.log(10) / 400
    strengths = rng.normal(0, 200, players) * unit
    total = games + 1_000  # so that `more` adds games and changes none
    first = rng.integers(0, players, total)
    second = (first + rng.integers(1, players, total)) % players
    d = strengths[first] - strengths[second] + 35 * unit
    chance = rng.random(total)
    win = 1 / (1 + np.exp(97 * unit - d))
    loss = 1 / (1 + np.exp(97 * unit + d))
    outcome = np.where(chance < win, 0, np.where(chance < 1 - loss, 1, 2))
    kept = games + more
    cells = (first * players + second)[:kept] * 3 + outcome[:kept]
    counts = np.bincount(cells, minlength=3 * players * players).reshape(-1, 3)
    pairs = np.flatnonzero(counts.any(axis=1))
    names = tuple(f"bot{n:05}" for n in range(players))
    return PairTable(names, pairs // players, pairs % players, *counts[pairs].T.copy())


def written_pgn(games: int) -> Path:
    """A file of so many games, tags only."""
    path = Path(tempfile.mkstemp(suffix=".pgn")[1])
    rng = np.random.default_rng(1)
    results = ("1-0", "0-1", "1/2-1/2")
    with path.open("w") as out:
        for one, two, result in rng.integers(0, (200, 199, 3), (games, 3)):
            other = (one + two + 1) % 200
            out.write(
                f'[Event "?"]\n[White "bot{one}"]\n[Black "bot{other}"]\n[Result "{results[result]}"]\n\n'
                f"1. e4 e5 {results[result]}\n\n"
            )
    return path


if __name__ == "__main__":
    main([(int(word), 1_000_000) for word in sys.argv[1:]] or SIZES)
