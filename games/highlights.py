"""What is pointed out on a board, drawn over it: frames with their names, spots, lines."""

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


def highlights_svg(traits: Sequence[Trait], *, corners: Mapping[str, tuple[int, int]]) -> str:
    """The traits as one group; `corners` has left and top of every cell by name."""
    middles = {name: (x + _HALF, y + _HALF) for name, (x, y) in corners.items()}
    return f'<g class="traits" aria-hidden="true">{"".join(_one(trait, middles) for trait in traits)}</g>'


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
    sides = "".join(
        f'<polygon points="{outline}" fill="none" stroke="{ink}" stroke-width="{width}" stroke-linejoin="round"{dashes}/>'
        for ink, width, dashes in ((inks.casing, 6, ""), (inks.core, 3, broken))
    )
    # Frames of one band share their centre and never a corner: a name beside its own corner belongs
    # to no other.
    x, y = min(points, key=lambda point: (point[1], point[0]))
    name = (
        f'<text x="{x}" y="{y - 11}" text-anchor="middle" font-family="system-ui,sans-serif" font-size="13" '
        f'font-weight="700" fill="{inks.core}" stroke="{inks.casing}" stroke-width="3.5" stroke-linejoin="round" '
        f'paint-order="stroke">{escape(trait.name)}</text>'
    )
    return sides + (name if trait.name else "")


def _spot(trait: Trait, point: tuple[int, int], inks: _Inks) -> str:
    """A lozenge in the corner for a firm spot, a broken ring around the piece for another."""
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
