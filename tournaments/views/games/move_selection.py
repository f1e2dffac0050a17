"""A person at a board: the cells clicked so far, where they may go on, and the moves they have completed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.views.games import move_choices

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import games

_PATH = re.compile(r"[A-Za-z]{1,2}\d{1,2}(,[A-Za-z]{1,2}\d{1,2}){0,60}")


@dataclass(frozen=True, slots=True)
class MoveSelection:
    """The legal moves of a position, and what the cells of `path` have made of them.

    Attributes:
        targets: the cells that may be clicked next.
        pending: the moves that the path completes.
        buttons: moves without a cell (`pass`, `swap`).
    """

    choices: Sequence[move_choices.Choice]
    path: tuple[str, ...]

    @property
    def _fitting(self) -> Sequence[move_choices.Choice]:
        return [c for c in self.choices if c.path and c.path[: len(self.path)] == self.path]

    @property
    def targets(self) -> Sequence[str]:
        if not self.path:
            return ()
        return [c.path[len(self.path)] for c in self._fitting if len(c.path) > len(self.path)]

    @property
    def selected(self) -> str | None:
        return self.path[-1] if self.path else None

    @property
    def pending(self) -> Sequence[move_choices.Choice]:
        return [c for c in self._fitting if c.path == self.path] if self.path else []

    @property
    def buttons(self) -> Sequence[move_choices.Choice]:
        return [c for c in self.choices if not c.path]

    @property
    def data(self) -> list[dict[str, object]]:
        """The choices for the page's script."""
        return [choice.data for choice in self.choices]

    def links(self, address: Callable[[Sequence[str]], str]) -> Mapping[str, str]:
        """Where a click on each cell leads without a script: on along a legal path, or to its beginning."""
        starts = {c.path[0]: (c.path[0],) for c in self.choices if c.path}
        steps = {cell: (*self.path, cell) for cell in self.targets}
        return {cell: address(cells) for cell, cells in {**starts, **steps}.items()}


def hand(position: games.Position, path: tuple[str, ...]) -> MoveSelection:
    """The hand of whoever is to move in `position`."""
    return MoveSelection(move_choices.choices(position), path)


def path_of(text: str) -> tuple[str, ...]:
    """The cells of `?path=`, which may be anything; empty when it names none."""
    return tuple(text.split(",")) if _PATH.fullmatch(text) else ()
