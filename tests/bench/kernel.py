"""The speed of the kernel beside `games`: `python -m tests.bench.kernel [KEY ...]`.

Prints a table without assertions. Times are of the processor, on one core.
"""

from __future__ import annotations

import functools
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import games
from engine.kernel.build import MODULE
from engine.kernel.host import Kernel, _module
from games.perft import perft

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

KEYS = (
    "morelli(size=7)",
    "morelli(size=9)",
    "morelli(size=13)",
    "morelli(size=31)",
    "morelli(edition=original,size=13)",
    "morlox(size=9)",
    "morlox(size=11)",
    "morlox(size=26)",
    "perfect()",
)
_SECONDS = 2.0
_FUEL = 10**12
# The two ways to search: `Method` in source/search_words.hpp.
_TREE, _EVALUATION = 1, 2


def main(keys: Sequence[str] = KEYS) -> None:
    """Print the start of an engine and one row a rule set."""
    print(_start_line())
    print(f"{'':36} {'playouts/s':^24} {'perft, nodes/s':^28}     {'search, nodes/s':^23}")
    print(
        f"{'rule set':36} {'games':>9} {'kernel':>9} {'':4} {'games':>12} {'kernel':>15} "
        f"{'':4} {'by evaluation':>13} {'tree':>9}"
    )
    kernel = Kernel(fuel=_FUEL)
    for key in keys:
        position = games.load(key).initial(seed=1)
        kernel.load(position)
        print(
            f"{key:36} {_playouts(position):>9,.0f} {_kernel_playouts(kernel):>9,.0f} {'':4} "
            f"{_nodes(functools.partial(perft, position)):>12,.0f} {_nodes(kernel.perft):>15,.0f} {'':4} "
            f"{_search_nodes(kernel, _EVALUATION):>13,.0f} {_search_nodes(kernel, _TREE):>9,.0f}"
        )


def _start_line() -> str:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        times_ms = []
        for _ in range(2):
            _module.cache_clear()
            started_s = time.perf_counter()
            Kernel(home)
            times_ms.append((time.perf_counter() - started_s) * 1000)
    first_ms, next_ms = times_ms
    return (
        f"kernel.wasm: {MODULE.stat().st_size:,} bytes; the first start in a home {first_ms:.0f} ms (compiles), "
        f"each further one {next_ms:.1f} ms\n"
    )


def _playouts(position: games.Position) -> float:
    rng = random.Random(1)

    def play(count: int) -> int:
        for _ in range(count):
            position.playout(rng)
        return count

    return _rate(play)


def _kernel_playouts(kernel: Kernel) -> float:
    def play(count: int) -> int:
        kernel.playouts(count, count)
        return count

    return _rate(play)


def _search_nodes(kernel: Kernel, method: int) -> float:
    return _rate(lambda nodes: kernel.search(nodes, method=method).nodes)


def _nodes(count: Callable[[int], int]) -> float:
    """Leaves counted in a second, at the least depth that takes a tenth of it, or at depth 4."""
    nodes, spent_s = 0, 0.0
    for depth in range(1, 5):
        started_s = time.process_time()
        nodes = count(depth)
        spent_s = time.process_time() - started_s
        if spent_s > 0.1:
            break
    return nodes / spent_s


def _rate(work: Callable[[int], int]) -> float:
    """Units of work a second of CPU time, by a first small portion and a long one."""
    portion = 1
    while True:
        started_s = time.process_time()
        units = work(portion)
        spent_s = time.process_time() - started_s
        if spent_s >= _SECONDS / 2:
            return units / spent_s
        portion = max(portion * 2, int(portion * _SECONDS / max(spent_s, 1e-4)))


if __name__ == "__main__":
    main(sys.argv[1:] or KEYS)
