"""Questions about a position, typed in the move field, and answers in words for screen readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from django.utils.translation import gettext as _

from games import Side
from games.view import Cell
from tournaments.templatetags.rayuela import clock, colour_name
from tournaments.text import descriptions
from tournaments.views.games.boards import GamePage

_LINE = re.compile(r"(?:([rf]) *)([A-Za-z]{1,2}|\d{1,2})", re.IGNORECASE)
_CELL = re.compile(r"(\?|moves) *([A-Za-z]{1,2}\d{1,2})", re.IGNORECASE)


def answer(page: GamePage, question: str) -> str:
    """Return the answer to `question`, or the list of questions if it is not understood."""
    words = " ".join(question.split())
    if words.lower() in _ANSWERS:
        return _ANSWERS[words.lower()](page)
    if match := _CELL.fullmatch(words):
        return _about_cell(page, match[2], has_moves=match[1] != "?")
    if match := _LINE.fullmatch(words):
        return _line(page, match[2], is_rank=match[1].lower() == "r")
    return help_text()


def pointed_out(page: GamePage, question: str) -> list[dict[str, object]]:
    """Return the drawing for a question about one cell: shapes and the cells they go through."""
    match = _CELL.fullmatch(" ".join(question.split()))
    cell = _named(page, match[2]) if match else None
    about = page.position.traits(cell.name) if cell else ()
    return [{"shape": trait.shape.value, "cells": list(trait.cells)} for trait in about]


def help_text() -> str:
    """All questions there are."""
    return _(
        "You may ask: “? A5” what is on a cell, “moves A5” where it can go, “r 5” to read a rank, “f C” to read "
        "a file, “my” and “their” for the pieces, “last” for the last move, “show” for frames, control or "
        "territory, “clocks”, “help”. Anything else is played as a move."
    )


def _named(page: GamePage, name: str) -> Cell | None:
    """The cell called so, in upper or lower case."""
    return next((c for c in page.position.cells() if c.name.lower() == name.lower()), None)


def _about_cell(page: GamePage, name: str, *, has_moves: bool) -> str:
    cell = _named(page, name)
    if cell is None:
        return _("There is no cell %(cell)s on this board.") % {"cell": name}
    if has_moves:
        ways = page.selection.beginning_with((cell.name,))
        ends = sorted({choice.path[-1] for choice in ways}, key=lambda end: (len(end), end))
        if not ends:
            return _("Nothing can be played from %(cell)s.") % {"cell": cell.name}
        return _("From %(cell)s: %(cells)s.") % {
            "cell": cell.name,
            "cells": descriptions.listed(ends),
        }
    label = descriptions.labels(page.position)[cell.name]
    about = page.position.traits(cell.name)
    return (
        " ".join(
            [
                _("%(label)s.") % {"label": label},
                *descriptions.traits(page.position.ruleset.family, about),
            ]
        )
        if about
        else label
    )


def _line(page: GamePage, which: str, *, is_rank: bool) -> str:
    """A rank or a file read cell by cell, the empty ones left out."""
    cells = [
        cell
        for cell in page.position.cells()
        if (cell.name.lstrip(_letters(cell)) if is_rank else _letters(cell).lower())
        == which.lower()
    ]
    if not cells:
        return _("There is no such line on this board.")
    return _read(page, sorted(cells, key=lambda cell: (cell.column, cell.row)))


def _letters(cell: Cell) -> str:
    return cell.name.rstrip("0123456789")


def _read(page: GamePage, cells: Iterable[Cell]) -> str:
    labels = descriptions.labels(page.position)
    return "; ".join(labels[cell.name] for cell in cells if cell.piece) or _("empty")


def _pieces(page: GamePage, *, is_mine: bool) -> str:
    side = Side(page.side or Side.FIRST)
    colour = page.position.colour_of(side if is_mine else side.opponent)
    owned = [cell for cell in page.position.cells() if (cell.piece or "").startswith(colour)]
    cells = descriptions.listed([cell.name for cell in owned]) if owned else _("none")
    return f"{colour_name(colour)}: {cells}"


def _clocks(page: GamePage) -> str:
    sentences = [f"{seat.player.name}: {clock(seat.remaining_ms)}" for seat in page.seats]
    return "; ".join(sentences)


def _traits(page: GamePage) -> str:
    family = page.position.ruleset.family
    sentences = descriptions.traits(family, page.position.traits())
    return " ".join(sentences) or _("There is no content to show.")


_ANSWERS: Mapping[str, Callable[[GamePage], str]] = {
    "my": lambda page: _pieces(page, is_mine=True),
    "their": lambda page: _pieces(page, is_mine=False),
    "last": lambda page: page.last_move_sentence or _("No move has been made yet."),
    "clocks": _clocks,
    "show": _traits,
}
