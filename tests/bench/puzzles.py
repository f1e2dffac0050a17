"""Quality of puzzles: the share whose move is still the best one by a search ten times as deep.

.venv/bin/python -m tests.bench.puzzles --puzzles 100 --seed 1
"""

from __future__ import annotations

import argparse
import random
import time

import games
from engine.kernel import puzzles
from engine.kernel.host import Kernel


def main() -> None:
    """Print a line for each game with puzzles."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--puzzles", type=int, default=100, help="drawn from each game's stock")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=10, help="depth of the search by its nodes")
    options = parser.parse_args()
    print(f"{'game':8} {'drawn':>6} {'still best':>10} {'by a tenth':>10} {'CPU s':>6}")
    for family in games.available():
        rows = list(puzzles.stock(family.name))
        drawn = random.Random(options.seed).sample(rows, min(options.puzzles, len(rows)))
        started = time.process_time()
        reports = [
            _searched(ruleset, position, line[0], options.times)
            for ruleset, position, line in drawn
        ]
        best, clear = (sum(column) for column in zip(*reports, strict=True)) if drawn else (0, 0)
        cpu_s = time.process_time() - started
        print(f"{family.name:8} {len(drawn):6} {best:10} {clear:10} {cpu_s:6.0f}", flush=True)


def _searched(ruleset: str, position: str, move: str, times: int) -> tuple[bool, bool]:
    """Return whether the move is the best one, and whether it leads by a tenth."""
    kernel = Kernel().load_text(ruleset, position)
    lines = kernel.search(times * puzzles.NODES, lines=2).lines
    is_best = lines[0].moves[0] == move
    return is_best, is_best and lines[0].win_permille - lines[1].win_permille >= 100


if __name__ == "__main__":
    main()
