"""Puzzles in games: positions with one move that is clearly better than all others.

A quick search looks at every position, and a deeper one confirms what it finds. The line continues
as long as the solver's next move is the only good one too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.kernel.host import Kernel
    from games import Position

# Nodes of the first look, and of the search that confirms a puzzle.
SCREEN_NODES, NODES = 20_000, 1_000_000
# By how much the best move must be better than the second, as a chance of winning in thousandths.
SCREEN_GAP, GAP = 100, 150
# The second move may not win as well, and the best one may not be hopeless.
_MOST_OF_SECOND, _LEAST_OF_BEST = 700, 300
_LEAST_MOVES = 4
_MOST_PLIES = 5
# A file for each game, with a list of [rule set, position, line].
_STOCK = Path(__file__).parent / "stock"


def stock(family: str) -> Sequence[tuple[str, str, Sequence[str]]]:
    """Return the puzzles of a game that come with the software: rule set, position and line of each.

    They are from games between the levels.
    """
    path = _STOCK / f"{family}.json"
    rows = json.loads(path.read_text()) if path.exists() else []
    return [(ruleset, position, line) for ruleset, position, line in rows]


def solution(kernel: Kernel, position: Position) -> Sequence[str]:
    """Return the moves of the puzzle in the position, the solver's at even places; empty if it is none.

    Raises KernelError as `Kernel.load` and its searches.
    """
    if position.outcome() is not None or len(position.legal_moves()) < _LEAST_MOVES:
        return ()
    move = only_move(kernel, position, SCREEN_NODES, SCREEN_GAP)
    if not move or only_move(kernel, position, NODES, GAP) != move:
        return ()
    line, after = [move], position.play(move)
    while after.outcome() is None and len(line) < _MOST_PLIES:
        reply = kernel.load(after).search(NODES).lines[0].moves[0]
        following = after.play(reply)
        if following.outcome() is not None or len(following.legal_moves()) < _LEAST_MOVES:
            break
        move = only_move(kernel, following, NODES, GAP)
        if not move:
            break
        line += [reply, move]
        after = following.play(move)
    return line


def only_move(kernel: Kernel, position: Position, nodes: int, gap: int) -> str:
    """Return the move that is better than all others by `gap` thousandths, or an empty text."""
    lines = kernel.load(position).search(nodes, lines=2).lines
    if len(lines) < 2:
        return ""
    best, second = lines[0], lines[1]
    is_clear = best.win_permille - second.win_permille >= gap
    is_fair = second.win_permille <= _MOST_OF_SECOND and best.win_permille >= _LEAST_OF_BEST
    return best.moves[0] if is_clear and is_fair else ""
