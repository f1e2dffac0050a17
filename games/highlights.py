"""Highlights of a board, drawn over it: frames with their names, spots, lines."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple, assert_never

from games.palette import DARK_INK, LIGHT_INK
from games.svg_defs import CELL
from games.view import Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.view import Trait

_HALF = CELL // 2
# Names are about as high as the gap between the stones of two cells.
_FONT_SIZE, _LETTER_WIDTH, _LABEL_GAP = 10, 5.9, 2
_ABOVE, _BELOW = -16.5, 23.5


class _Inks(NamedTuple):
    """The colour of a mark and the one around it, so that it is seen on every ground."""

    core: str
    casing: str


_INKS = {
    "black": _Inks("#15131c", "#ffffff"),
    "white": _Inks("#ffffff", "#15131c"),
    "red": _Inks("#d8232b", "#ffffff"),
    "blue": _Inks("#2458c8", "#ffffff"),
}
_NEUTRAL = _Inks(LIGHT_INK, DARK_INK)


class _Label(NamedTuple):
    """The name of a frame, with the middle of its base line."""

    trait: Trait
    x: int
    y: float

    @property
    def width(self) -> float:
        """About the width of the text, in units of the drawing."""
        return len(self.trait.name) * _LETTER_WIDTH

    def is_clear_of(self, other: _Label) -> bool:
        """Return whether the labels do not overlap."""
        room = (self.width + other.width) / 2 + _LABEL_GAP
        return abs(self.x - other.x) >= room or abs(self.y - other.y) >= _FONT_SIZE


def highlights_svg(traits: Sequence[Trait], *, corners: Mapping[str, tuple[int, int]]) -> str:
    """Return the traits as one group. `corners` has left and top of every cell by name."""
    middles = {name: (x + _HALF, y + _HALF) for name, (x, y) in corners.items()}
    drawn = "".join(_one(trait, middles) for trait in traits)
    names = "".join(_text(label) for label in _labels(traits, middles))
    return f'<g class="traits" aria-hidden="true">{drawn}{names}</g>'


def _labels(traits: Sequence[Trait], middles: Mapping[str, tuple[int, int]]) -> list[_Label]:
    """Return a place for each name, on the edge of one of its corners and clear of the names before it.

    Frames of one band share their centre and never a corner, so a name at a corner belongs to one
    frame only. On the edge of a cell it covers no stone.
    """
    labels: list[_Label] = []
    for trait in traits:
        if not trait.name:
            continue
        points = sorted((middles[name] for name in trait.cells), key=lambda at: (at[1], at[0]))
        places = [_Label(trait, x, y + down) for down in (_ABOVE, _BELOW) for x, y in points]
        clear = (place for place in places if all(map(place.is_clear_of, labels)))
        labels.append(next(clear, places[0]))
    return labels


def _text(label: _Label) -> str:
    inks = _INKS.get(label.trait.colour or "", _NEUTRAL)
    return (
        f'<text x="{label.x}" y="{label.y:g}" text-anchor="middle" font-family="system-ui,sans-serif" '
        f'font-size="{_FONT_SIZE}" font-weight="700" fill="{inks.core}" stroke="{inks.casing}" stroke-width="3" '
        f'stroke-linejoin="round" paint-order="stroke">{escape(label.trait.name)}</text>'
    )


def _one(trait: Trait, middles: Mapping[str, tuple[int, int]]) -> str:
    points = [middles[name] for name in trait.cells]
    inks = _INKS.get(trait.colour or "", _NEUTRAL)
    match trait.shape:
        case Shape.FRAME:
            return _frame(trait, points, inks)
        case Shape.SPOT:
            return "".join(_spot(trait, point, inks) for point in points)
        case Shape.LINE:
            return _line(points, inks)
        case _:
            assert_never(trait.shape)


def _frame(trait: Trait, points: Sequence[tuple[int, int]], inks: _Inks) -> str:
    outline = " ".join(f"{x},{y}" for x, y in points)
    broken = "" if trait.is_firm else ' stroke-dasharray="9 7"'
    return "".join(
        f'<polygon points="{outline}" fill="none" stroke="{ink}" stroke-width="{width}" stroke-linejoin="round"{dashes}/>'
        for ink, width, dashes in ((inks.casing, 6, ""), (inks.core, 3, broken))
    )


def _spot(trait: Trait, point: tuple[int, int], inks: _Inks) -> str:
    """Return a lozenge in the corner for a firm spot, a broken ring around the piece for another."""
    x, y = point
    if trait.is_firm:
        return (
            f'<path d="m{x + 12} {y - 18}l6 6-6 6-6-6Z" fill="{inks.core}" stroke="{inks.casing}" '
            'stroke-width="1.8"/>'
        )
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="17" fill="none" stroke="{ink}" stroke-width="{width}" {dashes}/>'
        for ink, width, dashes in (
            (inks.casing, 4.6, ""),
            (inks.core, 2.6, 'stroke-dasharray="5 4"'),
        )
    )


def _line(points: Sequence[tuple[int, int]], inks: _Inks) -> str:
    (x1, y1), (x2, y2) = points
    length = math.dist((x1, y1), (x2, y2)) or 1
    # From the edge of the first cell to the rim of the stone that is seen.
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    ends = f'x1="{x1 + dx * 14:.1f}" y1="{y1 + dy * 14:.1f}" x2="{x2 - dx * 14:.1f}" y2="{y2 - dy * 14:.1f}"'
    return "".join(
        f'<line {ends} stroke="{ink}" stroke-width="{width}" stroke-linecap="round"/>'
        for ink, width in ((inks.casing, 6.5), (inks.core, 3.2))
    )
