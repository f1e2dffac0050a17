"""The values of small boards: which first moves win, lose and draw with best play."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from games.core import Outcome
from games.registry import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.kernel.host import Kernel
    from games.core import Position, Side

_NODES_AT_ONCE = 100_000
# `kPrincipal` of source/search_words.hpp: the tree's random games would be of no use here.
_PRINCIPAL_SEARCH = 2


class Value(StrEnum):
    """Value of a first move for the side that makes it."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class FirstMove:
    """A first move and its value.

    Attributes:
        plies: to the end of the game along the proof, this move among them. 0 without a win.
        nodes: that the search needed.
    """

    move: str
    value: Value
    plies: int
    nodes: int


def first_moves(position: Position, kernel: Kernel, *, most_nodes: int) -> Iterator[FirstMove]:
    """Yield the value of each move, searching at most the given number of nodes after each."""
    longest = load(position.ruleset.key).max_plies - position.ply
    side = position.side_to_move
    for move in position.legal_moves():
        kernel.load(position.play(move))
        yield _value(kernel, move, side, longest, most_nodes)


def _value(kernel: Kernel, move: str, side: Side, longest: int, most_nodes: int) -> FirstMove:
    outcome = kernel.outcome()
    if outcome is not None:
        return FirstMove(move, _of(outcome, side), 1, 0)
    kernel.begin_search(method=_PRINCIPAL_SEARCH, reduction=1)
    report = kernel.search_on(1)
    # A search to the end of every game, without reductions, is exact also if neither side wins.
    while not report.is_finished and report.depth < longest and report.nodes < most_nodes:
        report = kernel.search_on(_NODES_AT_ONCE)
    forced = report.lines[0].forced_plies
    if not forced:
        value = Value.DRAW if report.depth >= longest else Value.OPEN
        return FirstMove(move, value, 0, report.nodes)
    is_win = (forced > 0) == (kernel.side_to_move is side)
    return FirstMove(move, Value.WIN if is_win else Value.LOSS, 1 + abs(forced), report.nodes)


def _of(outcome: Outcome, side: Side) -> Value:
    if outcome is Outcome.DRAW:
        return Value.DRAW
    return Value.WIN if outcome is Outcome.won_by(side) else Value.LOSS
