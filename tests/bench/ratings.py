"""The speed of computing ratings: `python -m tests.bench.ratings [PLAYERS ...]`.

Prints a table without assertions.

CPU seconds of one thread, the fastest of a few runs. Bradley-Terry: a pool of PLAYERS players and a
million games (or as listed) from the stored pair table, both draw models tried, error bars
included. It is cold without a start, and warm after 1,000 more games. Then one game or one file of
the other systems.
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

from engine.stats.outcomes import Outcomes
from engine.stats.sprt import Scale, Sprt, log_likelihood_ratio
from tests.tournaments.ratings.leagues import league
from tournaments.ratings import fide, glicko2, result_files
from tournaments.ratings.bradley_terry import Fit, fit_pairs, superiority

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SIZES = ((20, 1_000_000), (200, 100_000), (200, 1_000_000), (2_000, 100_000), (2_000, 1_000_000))
_RUNS = 5


def main(sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    """Print one row a pool, then the other systems."""
    header = ("players", "games", "pairs", "cold s", "LOS s", "list s", "warm s", "all warm s")
    print("".join(f"{word:>11}" for word in header))
    for players, games in sizes:
        print(_row(players, games), flush=True)
    print()
    for name, seconds in _others():
        print(f"{name:<55}{seconds:>11.6f}")


def _row(players: int, games: int) -> str:
    before = league(players, games)
    after = league(players, games, more=1_000)
    runs = _RUNS if players < 1_000 else 3
    fitted = fit_pairs(before)
    cold = _seconds(lambda: fit_pairs(before), runs)
    los = _seconds(lambda: superiority(fitted), runs)
    listed = _seconds(fitted.ratings, runs)
    warm = _seconds(lambda: fit_pairs(after, start=fitted), runs)
    whole = _seconds(lambda: _listed(fit_pairs(after, start=fitted)), runs)
    numbers = (cold, los, listed, warm, whole)
    row = f"{players:>11,}{games:>11,}{len(before.first):>11,}"
    return row + "".join(f"{number:>11.4f}" for number in numbers)


def _others() -> Iterator[tuple[str, float]]:
    rules = fide.rule_set_named("fide-standard-2025")
    games = tuple(fide.RatedGame(1500 + 37 * n % 600, n % 3) for n in range(9))
    events = [fide.Event(1800, games)]
    yield (
        "FIDE: a period of 9 games",
        _each(lambda: fide.period_change(rules, rating_elo=1800, k=20, events=events)),
    )
    one, two = glicko2.Standing(), glicko2.Standing(1600_00, 80_00, 60_000_000)
    yield (
        "Glicko-2: a game, both players",
        _each(
            lambda: glicko2.rate_game(
                one, two, score_halves=1, first_idle_s=0, second_idle_s=86_400
            )
        ),
    )
    test, outcomes = Sprt(0, 5), Outcomes((39, 2226, 31451, 2412, 40))
    yield (
        "SPRT: exact ratio of a match in pairs",
        _each(lambda: log_likelihood_ratio(test, outcomes)),
    )
    normalized = Sprt(0, 5, scale=Scale.NORMALIZED)
    yield "SPRT: the same, normalised", _each(lambda: log_likelihood_ratio(normalized, outcomes))
    path = written_pgn(1_000_000)
    yield "PGN: pair counts of 1,000,000 games", _seconds(lambda: result_files.read(path), 2)
    path.unlink()


def _each(action: Callable[[], object], times: int = 300) -> float:
    return _seconds(lambda: [action() for _ in range(times)], _RUNS) / times


def _listed(fitted: Fit) -> None:
    fitted.ratings()
    superiority(fitted)


def _seconds(action: Callable[[], object], runs: int) -> float:
    best = float("inf")
    for _ in range(runs):
        started_s = time.process_time()
        action()
        best = min(best, time.process_time() - started_s)
    return best


def written_pgn(games: int) -> Path:
    """Write a file of a number of games, tags only."""
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
