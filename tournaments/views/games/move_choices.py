"""The legal moves as a person chooses them: the cells to click, and the captures of each click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

import games
from games import animation
from games.view import Cell
from tournaments.text import descriptions


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move.

    Attributes:
        path: the cells a person clicks for it.
        takes: for each cell of `path`, the cells that the click turns or takes, including the
            Throne.
        effect: `takes` in words, or empty without an effect.
        touch: the text on choosing the last of them, or empty if it is a capture.
    """

    move: str
    path: tuple[str, ...]
    takes: tuple[tuple[str, ...], ...] = ()
    effect: str = ""
    touch: str = ""

    def begins_with(self, path: tuple[str, ...]) -> bool:
        """Return whether its clicks begin with the cells of `path`.

        A move without cells returns False.
        """
        return bool(self.path) and self.path[: len(path)] == path

    @property
    def data(self) -> dict[str, object]:
        """The choice for a page's script."""
        fields: dict[str, object] = {"move": self.move, "path": list(self.path)}
        if any(self.takes):
            fields["takes"] = [list(cells) for cells in self.takes]
        if self.effect:
            fields["effect"] = self.effect
        if self.touch:
            fields["touch"] = {"cell": self.takes[-1][-1], "words": self.touch}
        return fields


def changes(position: games.Position, moves: Sequence[Choice]) -> dict[str, list[Cell]]:
    """The cells that each of the moves changes in `position`, as they look after it, by move."""
    cells = position.cells()
    return {choice.move: _changed(cells, position.play(choice.move).cells()) for choice in moves}


def _changed(before: Sequence[Cell], after: Sequence[Cell]) -> list[Cell]:
    # Equal cells are one object mostly, and most of them are equal.
    pairs = zip(before, after, strict=True)
    return [cell for old, cell in pairs if cell is not old and cell != old]


def choices(position: games.Position) -> list[Choice]:
    """Every legal move of `position`."""
    cell_of_ground = {cell.ground: cell.name for cell in position.cells()}
    return [_choice(position, move, cell_of_ground) for move in position.legal_moves()]


def _choice(position: games.Position, move: str, cell_of_ground: Mapping[str, str]) -> Choice:
    ruleset = position.ruleset
    path = ruleset.move_path(move)
    words = descriptions.words_of_move(ruleset, move)
    if words.is_seen:
        after = position.play(move)
        flipped = tuple(animation.changed_cells(position.cells(), after.cells(), path))
        return Choice(move, path, (flipped,), descriptions.effect(ruleset, move, flipped=flipped))
    takes = ((), *ruleset.move_takes(move)) if path else ()
    if words.touches:
        takes = (*takes[:-1], (*takes[-1], cell_of_ground[words.touches]))
    touch = _(words.touch) if words.touch else ""
    return Choice(move, path, takes, descriptions.effect(ruleset, move), touch)
