"""Premoves: a move chosen while the opponent thinks, which the page sends once it is legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournaments.views.games.boards import GamePage

# A series of jumps begins with two cells as well, and is not chosen in advance.
_MOST_CELLS = 2


def cell_count(page: GamePage) -> int:
    """How many cells the viewer clicks for a premove, as for the last move on the board.

    None where there are no premoves: for spectators, on one's turn, in correspondence games, which
    have conditional moves, and before the first move.
    """
    game = page.game
    is_live = game.result is None and not game.is_over_days and game.match_id is None
    if page.side is None or page.may_move or not is_live or page.shown_ply < game.ply:
        return 0
    paths = (page.position.ruleset.move_path(ply.move) for ply in reversed(page.plies))
    return min(_MOST_CELLS, next((len(path) for path in paths if path), 0))
