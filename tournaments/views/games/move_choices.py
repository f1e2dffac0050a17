"""The legal moves as a person chooses them: cells to click, one after the other, and what each click turns or takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tournaments.text import descriptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    import games

# With more moves than this a page is sent the beginnings only; the rest on demand (31x31 has thousands).
MOST = 900


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move.

    Attributes:
        path: the cells a person clicks for it.
        takes: for each cell of `path`, those that the click turns or takes; the Throne among them.
        effect: the same in words; empty when nothing.
    """

    move: str
    path: tuple[str, ...]
    takes: tuple[tuple[str, ...], ...] = ()
    effect: str = ""

    @property
    def data(self) -> dict[str, object]:
        """The choice for a page's script."""
        told: dict[str, object] = {"move": self.move, "path": list(self.path)}
        if any(self.takes):
            told["takes"] = [list(cells) for cells in self.takes]
        if self.effect:
            told["effect"] = self.effect
        return told


def choices(position: games.Position) -> list[Choice]:
    """Every legal move of `position`."""
    throne = next((cell.name for cell in position.cells() if cell.ground == "throne"), "")
    return [_choice(position, move, throne) for move in position.legal_moves()]


def _choice(position: games.Position, move: str, throne: str) -> Choice:
    ruleset = position.ruleset
    path = ruleset.move_path(move)
    if move.startswith("+"):
        flipped = tuple(changed(position, position.play(move), path))
        return Choice(move, path, (flipped,), descriptions.flips(flipped))
    takes = ((), *ruleset.move_takes(move)) if path else ()
    if move.endswith("*"):
        takes = (*takes[:-1], (*takes[-1], throne))
    return Choice(move, path, takes, descriptions.effect(ruleset, move))


def changed(before: games.Position, after: games.Position, path: Sequence[str]) -> list[str]:
    """The cells besides those of the move's path that look different after it."""
    looks = {cell.name: (cell.ground, cell.piece) for cell in before.cells()}
    return [
        cell.name
        for cell in after.cells()
        if cell.name not in path and looks[cell.name] != (cell.ground, cell.piece)
    ]


def beginning_with(found: Sequence[Choice], path: tuple[str, ...]) -> list[Choice]:
    """Those whose clicks begin with `path`."""
    return [choice for choice in found if choice.path[: len(path)] == path and choice.path]


def links(found: Sequence[Choice], path: tuple[str, ...], *, url: str) -> dict[str, str]:
    """Where a click on a cell leads without a script: on along a legal path, or to its beginning."""
    starts = {choice.path[0]: (choice.path[0],) for choice in found if choice.path}
    steps = {
        choice.path[len(path)]: (*path, choice.path[len(path)])
        for choice in beginning_with(found, path)
        if path and len(choice.path) > len(path)
    }
    return {
        cell: f"{url}?{urlencode({'path': ','.join(cells)})}#board"
        for cell, cells in {**starts, **steps}.items()
    }


def data(found: Sequence[Choice]) -> list[dict[str, object]]:
    """The choices for a page's script; of too many only where each begins, marked `more`."""
    if len(found) <= MOST:
        return [choice.data for choice in found]
    starts = dict.fromkeys(choice.path[:1] for choice in found)
    return [{"move": "", "path": list(start), "more": True} for start in starts]
