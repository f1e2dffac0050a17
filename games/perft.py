"""Perft: the number of sequences of an exact number of plies, which proves a move generator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from games.core import Position


@runtime_checkable
class CountsPlies(Protocol):
    """A position with a faster way to count than playing every move."""

    def perft(self, depth: int) -> int:
        """Return the number of sequences of exactly `depth` legal moves."""
        ...


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves from `position`, 0 or more."""
    if isinstance(position, CountsPlies):
        return position.perft(depth)
    return slow_perft(position, depth)


def slow_perft(position: Position, depth: int) -> int:
    """Return `perft` by `legal_moves` and `play` alone: the oracle of the fast way."""
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(slow_perft(position.play(move), depth - 1) for move in moves)
