"""Random rounds of a system, paired by its search and by the enumeration of the tests.

python -m tests.bench.enumeration dubov --rounds 100000 --seed 1
"""

from __future__ import annotations

import argparse
import json
import time

from tests.tournaments.pairing.club_oracle import CLUBS
from tests.tournaments.pairing.random_rounds import ORACLES, answers, random_round


def main() -> int:
    """Compare, print a line for every difference and the numbers at the end, and return 1 for a difference."""
    parser = argparse.ArgumentParser()
    parser.add_argument("system", choices=sorted({*ORACLES, *CLUBS}))
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started = time.process_time()
    impossible = differences = 0
    for seed in range(arguments.seed, arguments.seed + arguments.rounds):
        problem = random_round(seed, is_played=arguments.system in CLUBS)
        search, oracle = answers(arguments.system, problem)
        impossible += oracle is None
        if search != oracle:
            differences += 1
            print(json.dumps({"seed": seed, "search": _text(search), "enumeration": _text(oracle)}))
    print(
        f"{arguments.system}: {arguments.rounds} rounds from seed {arguments.seed}, of which"
        f" {impossible} cannot be paired; {differences} differences;"
        f" {time.process_time() - started:.0f} s of CPU"
    )
    return int(differences > 0)


def _text(boards: set[tuple[int, int]] | None) -> str:
    return "none" if boards is None else " ".join(f"{a}-{b}" for a, b in sorted(boards))


if __name__ == "__main__":
    raise SystemExit(main())
