"""Boards in words, for screen-reader users and captions: cells, moves, frames and control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

if TYPE_CHECKING:
    from collections.abc import Sequence

    import games
    from games.view import Cell, Trait

_GROUNDS = {
    "throne": gettext_noop("Throne"),
    "centre": gettext_noop("Centre"),
    "band-1": gettext_noop("indigo band"),
    "band-2": gettext_noop("blue band"),
    "band-3": gettext_noop("green band"),
    "band-4": gettext_noop("yellow band"),
    "band-5": gettext_noop("orange band"),
    "band-6": gettext_noop("red band"),
    "purple": gettext_noop("purple square"),
    "yellow": gettext_noop("yellow square"),
    "start-red": gettext_noop("red start square"),
    "start-orange": gettext_noop("orange start square"),
    "start-blue": gettext_noop("blue start square"),
    "start-green": gettext_noop("green start square"),
    "tile-red": gettext_noop("red tile"),
    "tile-orange": gettext_noop("orange tile"),
    "tile-blue": gettext_noop("blue tile"),
    "tile-green": gettext_noop("green tile"),
    "flipped-purple": gettext_noop("flipped tile on purple"),
    "flipped-yellow": gettext_noop("flipped tile on yellow"),
}
_PIECES = {
    "black": gettext_noop("black stone"),
    "white": gettext_noop("white stone"),
    "black-piece": gettext_noop("black piece"),
    "white-piece": gettext_noop("white piece"),
    "black-king": gettext_noop("black King"),
    "white-king": gettext_noop("white King"),
    "black-tower": gettext_noop("black tower"),
    "white-tower": gettext_noop("white tower"),
    "red-man": gettext_noop("red man"),
    "blue-man": gettext_noop("blue man"),
}
# Whole sentences for each colour, which other languages cannot assemble from parts.
_TRAITS = {
    ("frame", "black"): gettext_noop("Black holds the frame %(name)s: %(cells)s."),
    ("frame", "white"): gettext_noop("White holds the frame %(name)s: %(cells)s."),
    ("frame", None): gettext_noop("The frame %(name)s: %(cells)s."),
    ("frame-lacking-one", "black"): gettext_noop("Black has three corners of %(name)s: %(cells)s."),
    ("frame-lacking-one", "white"): gettext_noop("White has three corners of %(name)s: %(cells)s."),
    ("controlled", "black"): gettext_noop("Black controls %(cells)s."),
    ("controlled", "white"): gettext_noop("White controls %(cells)s."),
    ("seen", "black"): gettext_noop("%(from)s sees a black stone on %(to)s."),
    ("seen", "white"): gettext_noop("%(from)s sees a white stone on %(to)s."),
    ("lasting", "red"): gettext_noop("Red's tiles that nothing can flip: %(cells)s."),
    ("lasting", "blue"): gettext_noop("Blue's tiles that nothing can flip: %(cells)s."),
    ("last-opening", "red"): gettext_noop("Red flips tiles by laying one on: %(cells)s."),
    ("last-opening", "blue"): gettext_noop("Blue flips tiles by laying one on: %(cells)s."),
    ("in-danger", "red"): gettext_noop("Red is in danger on %(cells)s."),
    ("in-danger", "blue"): gettext_noop("Blue is in danger on %(cells)s."),
    ("sheltered", "red"): gettext_noop("Red's men on ground of their own: %(cells)s."),
    ("sheltered", "blue"): gettext_noop("Blue's men on ground of their own: %(cells)s."),
    ("must-jump", "red"): gettext_noop("Red must capture and can, from %(from)s to %(to)s."),
    ("must-jump", "blue"): gettext_noop("Blue must capture and can, from %(from)s to %(to)s."),
}


def labels(position: games.Position) -> dict[str, str]:
    """Every cell in words, by name: `C5, orange band, black stone`."""
    edition = position.ruleset.options.get("edition", "")
    return {cell.name: _label(cell, edition=edition) for cell in position.cells()}


def _label(cell: Cell, *, edition: str) -> str:
    ground, piece = cell.ground, cell.piece
    if edition == "original":  # it says Centre and tower
        ground = "centre" if ground == "throne" else ground
        piece = piece.replace("king", "tower") if piece else None
    elif edition and piece in {"black", "white"}:  # and the revised one calls its stones pieces
        piece = f"{piece}-piece"
    if ground.startswith("band-") and ground not in _GROUNDS:
        ground_name = _("band %(number)s") % {"number": ground.removeprefix("band-")}
    else:
        ground_name = _(_GROUNDS[ground]) if ground in _GROUNDS else ""
    piece_name = _(_PIECES[piece]) if piece else _("empty")
    parts = {"cell": cell.name, "ground": ground_name, "piece": piece_name}
    text = _("%(cell)s, %(ground)s, %(piece)s") if ground_name else _("%(cell)s, %(piece)s")
    return text % parts


def traits(pointed_out: Sequence[Trait]) -> list[str]:
    """A sentence for each of the traits."""
    return [
        _(_TRAITS[trait.code, trait.colour])
        % {
            "name": frame_words(trait.name),
            "cells": listed(trait.cells),
            "from": trait.cells[0],
            "to": trait.cells[-1],
        }
        for trait in pointed_out
    ]


def frame_words(name: str) -> str:
    """A frame's name in the reader's language: `Orange 5`, `Band 7 3`."""
    band, _space, number = name.rpartition(" ")
    words = {
        "Indigo": _("Indigo"),
        "Blue": _("Blue"),
        "Green": _("Green"),
        "Yellow": _("Yellow"),
        "Orange": _("Orange"),
        "Red": _("Red"),
    }
    return f"{words.get(band, band)} {number}"


def listed(cells: Sequence[str]) -> str:
    """The cells as a list in words: `A1, B2 and C3`."""
    *others, last = cells
    if not others:
        return last
    return _("%(others)s and %(last)s") % {"others": _(", ").join(others), "last": last}


def effect(ruleset: games.Ruleset, move: str) -> str:
    """What `move` captures, in words; empty when nothing."""
    captured = [cell for cells in ruleset.move_takes(move) for cell in cells]
    is_crowned = move.endswith("*")
    if ruleset.family == "perfect":
        return _("captures %(cells)s") % {"cells": listed(captured)} if captured else ""
    is_original = ruleset.options.get("edition") == "original"
    if is_crowned and captured:
        text = (
            _("captures %(cells)s and takes the Centre")
            if is_original
            else _("captures %(cells)s and takes the Throne")
        )
        return text % {"cells": listed(captured)}
    if is_crowned:
        return _("takes the Centre") if is_original else _("takes the Throne")
    return _("captures %(cells)s") % {"cells": listed(captured)} if captured else ""


def flips(cells: Sequence[str]) -> str:
    """The tiles that laying one flips, in words; empty when there are none."""
    return _("flips %(cells)s") % {"cells": listed(cells)} if cells else ""


def move_sentence(
    ruleset: games.Ruleset, move: str, *, name: str, flipped: Sequence[str] = ()
) -> str:
    """A move in words, such as `Pola moves from D12 to G9: captures F8 and H8.`.

    `flipped` are the tiles that it turned over.
    """
    path = ruleset.move_path(move)
    if not path:
        return _without_cells(move) % {"name": name}
    where = {"name": name, "start": path[0], "end": path[-1], "effect": effect(ruleset, move)}
    if move.startswith("+"):
        where["effect"] = flips(flipped)
        text = (
            _("%(name)s lays a tile on %(end)s: %(effect)s.")
            if flipped
            else _("%(name)s lays a tile on %(end)s.")
        )
        return text % where
    if move.startswith("@") or ruleset.family == "morlox":
        is_flip = ruleset.family == "morlox" and move.endswith("x")
        text = (
            _("%(name)s flips the stone on %(end)s.")
            if is_flip
            else _("%(name)s places on %(end)s.")
        )
        return text % where
    if where["effect"]:
        return _("%(name)s moves from %(start)s to %(end)s: %(effect)s.") % where
    return _("%(name)s moves from %(start)s to %(end)s.") % where


def _without_cells(move: str) -> str:
    match move:
        case "swap":
            return _("%(name)s swapped colours.")
        case "pass":
            return _("%(name)s passes.")
        case _:
            return _("The game is ended by agreement.")
