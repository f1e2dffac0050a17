"""Players of the kernel: eight levels, and the search for as long as the clock allows.

A game that the kernel does not play is played by the search in Python, so that a new game has its
levels from the first day.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING

from engine.players.core import Budget, MoveChoice
from engine.players.search import TreeSearch
from engine.players.simple import Careless

if TYPE_CHECKING:
    import random

    from engine.kernel.host import Kernel
    from engine.kernel.reports import SearchReport
    from games.core import Position

# For a game that the kernel does not play: the per cent of careless moves of the lower levels, and
# the nodes of the higher ones.
_CARELESS_PERCENT = {1: 80, 2: 60, 3: 40, 4: 20}
_NODES = {5: 30, 6: 100, 7: 300, 8: 1000}
# Fuel of one move of a level: two or three seconds of a fast machine.
_FUEL = 8_000_000_000
_ENDLESS_NS = 1 << 62
# A slice of a search, so that the end of the time is not missed by more than a fraction of it.
_FIRST_SLICE_UNITS = 16
_SLICE_NS = 10_000_000
# The number of moves of the best line in a report.
_LINE_MOVES = 8


def preload() -> None:
    """Have the kernel compiled and at hand, for the forks of this process.

    Without the package wasmtime the other players can still be forked.
    """
    if importlib.util.find_spec("wasmtime") is not None:
        _new_kernel()


class KernelLevel:
    """The `level` player: by nodes and deliberate errors and never by time.

    It plays as the next lower level only if the game would be lost otherwise. That is so if the
    clock has no time for a move of its level, or if the board is too large.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._desk = _Desk()
        self._cost_ns: dict[int, int] = {}

    def choose(self, position: Position, *, budget: Budget, rng: random.Random) -> MoveChoice:
        """Return the move of the level. The budget's nodes do not count, nor usually does its time."""
        if not self._desk.takes(position):
            return _substitute(self._number, position, budget, rng)
        # The evaluation of the position at a glance, since a level cannot judge its own errors.
        glance = _score(self._desk.kernel.evaluation())
        seed = _seed(rng)
        for level in range(self._level_within(budget), 0, -1):
            began_ns = budget.clock()
            move = self._desk.level_move(position, level, seed)
            took_ns = budget.clock() - began_ns if move else _ENDLESS_NS
            self._cost_ns[level] = max(took_ns, self._cost_ns.get(level, 0))
            if move:
                return MoveChoice(move, score=glance)
        return MoveChoice(position.random_move(rng))

    def _level_within(self, budget: Budget) -> int:
        """Return the level, or the highest below it whose costliest move so far fits into the time left."""
        left_ns = budget.latest_ns - budget.clock()
        fitting = (n for n in range(self._number, 1, -1) if self._cost_ns.get(n, 0) <= left_ns)
        return next(fitting, 1)


class KernelSearch:
    """The `kernel` player: the kernel's search until the budget is spent.

    The move depends on the seed, the game and the number of nodes alone.
    """

    def __init__(self) -> None:
        self._desk = _Desk()

    def choose(self, position: Position, *, budget: Budget, rng: random.Random) -> MoveChoice:
        """Return the best move, with its chances, the line that is expected and the nodes."""
        if not self._desk.takes(position):
            return TreeSearch().choose(position, budget=budget, rng=rng)
        kernel = self._desk.kernel
        kernel.begin_search(seed=_seed(rng))
        units = _FIRST_SLICE_UNITS
        report = kernel.search_slice(min(units, budget.nodes))
        while not (report.is_finished or budget.is_spent(report.nodes)):
            began_ns = budget.clock()
            # A node is a unit at least.
            report = kernel.search_slice(min(units, budget.nodes - report.nodes))
            took_ns = max(1, budget.clock() - began_ns)
            units = _next_slice(units, took_ns, budget.deadline_ns - budget.clock())
        return _choice(report)


class _Desk:
    """One kernel for all moves of a player, made when the first position comes."""

    def __init__(self) -> None:
        self._kernel: Kernel | None = None

    @property
    def kernel(self) -> Kernel:
        """Return the kernel, with the position that it took last."""
        self._kernel = self._kernel or _new_kernel()
        return self._kernel

    def takes(self, position: Position) -> bool:
        """Return whether the kernel plays the position's rules. If so, it has loaded the position."""
        from engine.kernel.host import UnknownKernelRulesetError

        try:
            self.kernel.load(position)
        except UnknownKernelRulesetError:
            return False
        return True

    def level_move(self, position: Position, level: int, seed: int) -> str | None:
        """Return the move of a level in the loaded position, or None if it takes too much fuel."""
        from engine.kernel.host import KernelTrapError

        try:
            return self.kernel.level_move(level, seed)
        except KernelTrapError:
            self.kernel.load(position)
            return None


def _next_slice(units: int, took_ns: int, left_ns: int) -> int:
    """Return the units of the next slice: at most the double of the last, and at most the remaining time allows."""
    slice_ns = max(0, min(_SLICE_NS, left_ns))
    return max(1, min(2 * units, units * slice_ns // took_ns))


def _choice(report: SearchReport) -> MoveChoice:
    line = report.lines[0]
    return MoveChoice(
        line.moves[0],
        score=_score(line.win_permille),
        depth=report.depth,
        nodes=report.nodes,
        expected=line.moves[1:_LINE_MOVES],
    )


def _score(win_permille: int) -> float:
    """Return the chances of winning as a score from -1 to 1."""
    return (win_permille - 500) / 500


def _seed(rng: random.Random) -> int:
    return rng.randrange(1_000_000_000)


def _substitute(level: int, position: Position, budget: Budget, rng: random.Random) -> MoveChoice:
    """About the move of a level in a game that the kernel does not play."""
    if percent := _CARELESS_PERCENT.get(level):
        return Careless(percent).choose(position, budget=budget, rng=rng)
    bounded = Budget(budget.latest_ns, min(budget.nodes, _NODES[level]), budget.clock)
    return TreeSearch().choose(position, budget=bounded, rng=rng)


def _new_kernel() -> Kernel:
    # Most processes that know of built-in players play no such player. Loading wasmtime takes a
    # quarter of a second.
    from engine.kernel.host import Kernel

    return Kernel(_home(), fuel=_FUEL)


def _home() -> Path:
    """Return the folder of the site's files, as `config.environment` defines it."""
    checkout = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("RAYUELA_HOME") or checkout / "var")
