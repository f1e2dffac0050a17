"""Boards: sides, board order, and why each board is as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.colours import allocate
from tournaments.pairing.solution import Board, BoardEvidence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.pairing.dutch.rules.field import DutchField


def board_order(field: DutchField, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs of places, the higher first, in the order of their boards.

    C.04.2 3.6: the score of the higher ranked player, then the sum of both, then the TPN of the higher ranked. In
    accelerated rounds the scores have the virtual points in them (C.04.7 1.5).
    """

    def key(pair: tuple[int, int]) -> tuple[int, int, int]:
        higher, lower = field.players[pair[0]], field.players[pair[1]]
        return -higher.score_halves, -lower.score_halves, higher.tpn

    return sorted(pairs, key=key)


def board(field: DutchField, pair: tuple[int, int]) -> tuple[Board, BoardEvidence]:
    """Return the board of a pair of places, the higher first."""
    higher, lower = (field.players[place] for place in pair)
    sides = allocate(field.problem, higher.contestant, lower.contestant)
    first, second = (higher, lower) if sides.first == higher.tpn else (lower, higher)
    evidence = BoardEvidence(
        first.tpn,
        second.tpn,
        first.contestant.score_halves,
        second.contestant.score_halves,
        sides.rule,
    )
    return Board(sides.first, sides.second), evidence
