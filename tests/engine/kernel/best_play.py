"""Values with best play, by the rules of `games` alone."""

from __future__ import annotations

from games.core import Outcome, Position


def value_of(position: Position, values: dict[str, int]) -> int:
    """1, 0 or -1 for the side to move: a win, a draw or a loss. `values` by text are used and added to."""
    text = position.text()
    if text not in values:
        outcome = position.outcome()
        if outcome is not None:
            is_won = outcome is Outcome.won_by(position.side_to_move)
            values[text] = 0 if outcome is Outcome.DRAW else 1 if is_won else -1
        else:
            values[text] = max(
                value_after(position, move, values) for move in position.legal_moves()
            )
    return values[text]


def value_after(position: Position, move: str, values: dict[str, int]) -> int:
    """Return the value of a move for the side that makes it."""
    after = position.play(move)
    sign = 1 if after.side_to_move is position.side_to_move else -1
    return sign * value_of(after, values)
