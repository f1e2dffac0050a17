"""Questions that claims about figures ask the rules."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import games
from games import animation
from games.presentation import Figure


def pieces(position: games.Position) -> dict[str, str]:
    return {cell.name: cell.piece for cell in position.cells() if cell.piece}


def grounds(position: games.Position) -> dict[str, str]:
    return {cell.name: cell.ground for cell in position.cells()}


def ends(position: games.Position, start: str) -> set[str]:
    """Return the cells that the piece on `start` may reach."""
    paths = [position.ruleset.move_path(move) for move in position.legal_moves()]
    return {path[-1] for path in paths if path and path[0] == start}


def played(position: games.Position, moves: Sequence[str]) -> games.Position:
    """Return the position after `moves`."""
    for move in moves:
        position = position.play(move)
    return position


def rule_against(position: games.Position, move: str) -> str:
    with pytest.raises(games.IllegalMoveError) as refused:
        position.play(move)
    return refused.value.rule


def turned(figure: Figure) -> set[str]:
    after = figure.position.play(figure.move)
    path = after.ruleset.move_path(figure.move)
    return set(animation.changed_cells(figure.position.cells(), after.cells(), path))
