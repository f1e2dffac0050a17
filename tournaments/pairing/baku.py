"""Baku acceleration (C.04.7 1): virtual points by player and round."""

from __future__ import annotations


def group_a(players: int) -> int:
    """Return how many players are in group A, which gets virtual points (C.04.7 1.2)."""
    return 2 * ((players + 3) // 4)


def baku_halves(
    *, rank: int, players: int, round_number: int, rounds_total: int, win_halves: int = 2
) -> int:
    """Return virtual points, in half points, of the player with that rank (from 1) in that round.

    C.04.7 1.2: group A is the first 2 x ceil(n/4) players. 1.3: accelerated are the first ceil(R/2)
    rounds. In the first ceil of half of those group A has a win's points more, in the others half
    of that.
    """
    accelerated = (rounds_total + 1) // 2
    if rank > group_a(players) or round_number > accelerated:
        return 0
    return win_halves if round_number <= (accelerated + 1) // 2 else win_halves // 2
