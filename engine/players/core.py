"""The interface of a built-in player: a position and a budget in, a choice out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from games.core import Side

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from typing import Self

    from engine.protocol import Go
    from games.core import Position

_NS_PER_MS = 1_000_000
# Kept back of the time for a move: reading, writing and a busy machine.
_OVERHEAD_MS = 30
# A game is assumed to last this many more of our plies.
_PLIES_LEFT = 30
_NEVER_NS = 1 << 62


@dataclass(frozen=True, slots=True)
class Budget:
    """The time and the nodes that a player may use: until a nanosecond of `clock`.

    Attributes:
        deadline_ns: the usual time to move.
        nodes: the largest number of nodes to visit.
        clock: the source of `deadline_ns` and `latest_ns`.
        latest_ns: when to have moved, for a player that does not ask the time while it thinks.
    """

    deadline_ns: int
    nodes: int
    clock: Callable[[], int] = time.monotonic_ns
    latest_ns: int = _NEVER_NS

    @classmethod
    def of(cls, go: Go, *, side: Side, cap_ms: int, clock: Callable[[], int]) -> Self:
        """Return the budget from now on that `go` leaves to `side`, at most `cap_ms` of `clock`.

        With `nodes` alone time does not matter.
        """
        limit_ms = _thinking_limit_ms(go, side)
        if go.nodes is not None and limit_ms is None:
            return cls(deadline_ns=_NEVER_NS, nodes=go.nodes)
        thinking_ms = cap_ms if limit_ms is None else min(cap_ms, limit_ms)
        began_ns = clock()
        latest_ms = _latest_ms(go, side)
        return cls(
            deadline_ns=began_ns + thinking_ms * _NS_PER_MS,
            nodes=go.nodes or 1 << 62,
            clock=clock,
            latest_ns=_NEVER_NS if latest_ms is None else began_ns + latest_ms * _NS_PER_MS,
        )

    def is_spent(self, nodes: int) -> bool:
        """Return whether to stop now, after this number of nodes."""
        return nodes >= self.nodes or self.clock() >= self.deadline_ns


def _thinking_limit_ms(go: Go, side: Side) -> int | None:
    if go.movetime_ms is not None:
        return max(1, go.movetime_ms - _OVERHEAD_MS)
    remaining_ms = _remaining_ms(go, side)
    if remaining_ms is None:
        return None
    increment_ms = (go.p1inc_ms if side is Side.FIRST else go.p2inc_ms) or 0
    share_ms = remaining_ms // _PLIES_LEFT + increment_ms * 3 // 4
    return max(1, min(share_ms, remaining_ms // 2) - _OVERHEAD_MS)


def _latest_ms(go: Go, side: Side) -> int | None:
    """Return a third of the clock, so that one move alone never loses the game on time."""
    if go.movetime_ms is not None:
        return max(1, go.movetime_ms - _OVERHEAD_MS)
    remaining_ms = _remaining_ms(go, side)
    return None if remaining_ms is None else max(1, remaining_ms // 3 - _OVERHEAD_MS)


def _remaining_ms(go: Go, side: Side) -> int | None:
    return go.p1time_ms if side is Side.FIRST else go.p2time_ms


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """A move and its score, from -1 to 1 for the side that moves, with depth and nodes.

    `expected` are the moves that are to follow.
    """

    move: str
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    expected: tuple[str, ...] = ()


class BuiltinPlayer(Protocol):
    """A built-in engine. It stores no data of a game between moves."""

    def choose(self, position: Position, *, budget: Budget, rng: random.Random) -> MoveChoice:
        """Return a legal move in `position`, which is not over."""
        ...


def score_of(position: Position, side: Side) -> float:
    """Return the prospects of `side` in `position`, with either side to move: -1 (lost) to 1 (won)."""
    score = position.evaluation()
    return score if position.side_to_move is side else -score
