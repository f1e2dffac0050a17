"""The move that a person is choosing on a board: the cells clicked so far and the moves they lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import games
from games.view import Cell
from tournaments.views.games import move_choices
from tournaments.views.games.move_choices import Choice

_PATH = re.compile(r"[A-Za-z]{1,2}\d{1,2}(,[A-Za-z]{1,2}\d{1,2}){0,60}")
# With more moves than this the game page is sent only their first cells (31x31 has thousands).
MAX_CHOICES_SENT = 900


@dataclass(frozen=True)
class MoveSelection:
    """A half-chosen move: the legal moves of a position and the cells clicked so far.

    Attributes:
        choices: the legal moves, empty for a person who may not move.
        path: the cells clicked, in their order.
        position: the position of the moves, or None for a person who may not move.
    """

    choices: Sequence[Choice] = ()
    path: tuple[str, ...] = ()
    position: games.Position | None = None

    @classmethod
    def of(cls, position: games.Position, path: tuple[str, ...]) -> MoveSelection:
        """The selection of the player to move in `position` after clicks on the cells of `path`."""
        return cls(move_choices.choices(position), path, position)

    def beginning_with(self, path: tuple[str, ...]) -> list[Choice]:
        """The choices whose clicks begin with the cells of `path`."""
        return [choice for choice in self.choices if choice.begins_with(path)]

    @property
    def targets(self) -> Sequence[str]:
        """The cells that may be clicked next, once one is clicked."""
        if not self.path:
            return ()
        clicks = len(self.path)
        fitting = self.beginning_with(self.path)
        return [choice.path[clicks] for choice in fitting if len(choice.path) > clicks]

    @property
    def selected(self) -> str | None:
        """The cell clicked last, or None."""
        return self.path[-1] if self.path else None

    @property
    def pending(self) -> Sequence[Choice]:
        """The moves that the clicked cells complete."""
        return [choice for choice in self.choices if self.path and choice.path == self.path]

    @property
    def buttons(self) -> Sequence[Choice]:
        """The moves without a cell: `pass`, `swap`."""
        return [choice for choice in self.choices if not choice.path]

    @property
    def data(self) -> list[dict[str, object]]:
        """The choices for the page's script."""
        return self.data_of(self.choices)

    @property
    def data_or_first_cells(self) -> list[dict[str, object]]:
        """Return the choices for the page's script, or for too many only the first cells, marked `more`."""
        if not self.has_too_many:
            return self.data
        first_cells = dict.fromkeys(choice.path[:1] for choice in self.choices)
        return [{"move": "", "path": list(cells), "more": True} for cells in first_cells]

    @property
    def has_too_many(self) -> bool:
        """Return whether a page is sent only the first cells of the moves."""
        return len(self.choices) > MAX_CHOICES_SENT

    def data_of(self, choices: Sequence[Choice]) -> list[dict[str, object]]:
        """Return some of the choices for the page's script, each with the board after it.

        `after` has the ground and the piece of every cell that the move changes.
        """
        changes = self._changes
        if self.has_too_many and self.position:
            changes = move_choices.changes(self.position, choices)
        return [
            {
                **choice.data,
                "after": {cell.name: [cell.ground, cell.piece] for cell in changes[choice.move]},
            }
            for choice in choices
        ]

    @property
    def spare(self) -> list[Cell]:
        """Cells with every ground and piece that a move may bring to the board."""
        cells = [cell for changed in self._changes.values() for cell in changed]
        return list({(cell.ground, cell.piece): cell for cell in cells}.values())

    @cached_property
    def _changes(self) -> Mapping[str, Sequence[Cell]]:
        if self.position is None or self.has_too_many:
            return {}
        return move_choices.changes(self.position, self.choices)

    def links(self, address: Callable[[Sequence[str]], str]) -> Mapping[str, str]:
        """Return addresses by cell, for a click without a script.

        A click continues a legal path, or returns to the beginning of one.
        """
        starts = {choice.path[0]: (choice.path[0],) for choice in self.choices if choice.path}
        steps = {cell: (*self.path, cell) for cell in self.targets}
        return {cell: address(cells) for cell, cells in {**starts, **steps}.items()}


def path_of(text: str) -> tuple[str, ...]:
    """Return the cells of `?path=`, which may be any text. Return an empty tuple without cells."""
    return tuple(text.split(",")) if _PATH.fullmatch(text) else ()
