"""The pictures of which a board consists: grounds, pieces and marks in a cell of 40 x 40 units.

Each is SVG text in which `~` replaces the prefix of the drawing's ids. No style attributes and no
style elements, so that a strict Content-Security-Policy lets them pass and a saved file looks
alike.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from games.palette import DARK_INK, LIGHT_INK, PAINTS, PALETTES

if TYPE_CHECKING:
    from games.palette import Palette

CELL = 40

BED = "#24232b"
INK = "#d9d5e0"

_SQUARE = '<rect x=".7" y=".7" width="38.6" height="38.6" rx="5" fill="{}"/>'
_SHEEN = '<rect x=".7" y=".7" width="38.6" height="38.6" rx="5" fill="url(#~sheen)"/>'
# In the corner, so that a man on the square does not hide it.
_LETTER = (
    '<text x="{}" y="{}" text-anchor="middle" font-family="Georgia,serif" font-size="10" font-weight="700" '
    'fill="#fff" stroke="#15131c" stroke-width="2.4" stroke-linejoin="round" paint-order="stroke">{}</text>'
)
_TILE = (
    '<rect x="3.5" y="4.5" width="33" height="33" rx="7" fill="#000" fill-opacity=".35"/>'
    '<rect x="3.5" y="3" width="33" height="33" rx="7" fill="{}" stroke="#fff" stroke-opacity=".55"/>'
    '<rect x="3.5" y="3" width="33" height="33" rx="7" fill="url(#~sheen)"/>'
)
_HATCH = (
    '<path d="M10 30 30 10M10 20 20 10M20 30 30 20" stroke="{0}" stroke-width="1.6" stroke-linecap="round" '
    'stroke-opacity=".75"/><circle cx="20" cy="20" r="4.2" fill="{1}" stroke="{0}" stroke-width="1.4"/>'
)
_DIAMOND = '<path d="m20 15 5 5-5 5-5-5Z" fill="#fff" fill-opacity=".22"/>'
_NOTCHES = '<path d="M4 9V4h5M31 4h5v5M36 31v5h-5M9 36H4v-5" fill="none" stroke="{}" stroke-width="1.6" stroke-opacity=".6"/>'
# The band's number, in the corner that no stone covers.
_NUMBER = (
    '<text class="band-number" x="4.8" y="8.8" text-anchor="middle" font-family="system-ui,sans-serif" '
    'font-size="8.6" font-weight="700" fill="{}">{}</text>'
)
_STAR = (
    '<path d="M20 6.5 23.1 12.5 29.5 10.5 27.5 16.9 33.5 20 27.5 23.1 29.5 29.5 23.1 27.5 20 33.5 16.9 27.5 '
    '10.5 29.5 12.5 23.1 6.5 20 12.5 16.9 10.5 10.5 16.9 12.5Z" fill="#fff" fill-opacity=".28" stroke="#3d2a73" '
    'stroke-opacity=".55" stroke-width=".9"/>'
)

_NEUTRAL_INK = {"purple": "#2b1a4a", "yellow": "#5d4a00"}
# Bands are counted from the Throne. No board has more (D-M22).
_BANDS = 16


def _square(colour: str, decoration: str = "") -> str:
    return _SQUARE.format(colour) + _SHEEN + decoration


def _perfect_grounds(palette: Palette) -> dict[str, str]:
    neutrals = palette.neutrals
    grounds = {
        "purple": _square(neutrals["purple"], _DIAMOND),
        "yellow": _square(neutrals["yellow"]),
    }
    for name, colour in palette.tiles.items():
        letter = name[0].upper()
        # A start square is printed: flat, with notches. A tile lies on the board, framed in white.
        start = _NOTCHES.format("#fff") + _LETTER.format(8, 12, letter)
        grounds[f"start-{name}"] = _square(colour, start)
        below = neutrals["purple" if name in {"red", "blue"} else "yellow"]
        tile = _TILE.format(colour) + _LETTER.format(9, 12.6, letter)
        grounds[f"tile-{name}"] = _square(below) + tile
    for name, colour in neutrals.items():
        hatch = _HATCH.format(_NEUTRAL_INK[name], colour)
        grounds[f"flipped-{name}"] = _square(colour) + _TILE.format(colour) + hatch
    return grounds


@functools.cache
def grounds(palette_name: str, *, has_numbers: bool = False) -> dict[str, str]:
    """Return the pictures of all grounds by token. `has_numbers` writes its number on every band."""
    palette = PALETTES[palette_name]
    bands = {
        f"band-{depth}": _square(
            palette.band(depth),
            _NUMBER.format(_ink_on(palette.band(depth)), depth) if has_numbers else "",
        )
        for depth in range(_BANDS)
    }
    plain = {name: _square(colour) for name, colour in palette.plain.items()}
    throne = {"throne": _square(palette.band(0), _STAR), "plain": _square("#d8d3c8")}
    return throne | plain | bands | _perfect_grounds(palette)


def _ink_on(colour: str) -> str:
    """Return the ink that is read best on a colour, by the eye's sensitivity to red, green and blue."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return DARK_INK if 0.3 * red + 0.59 * green + 0.11 * blue > 115 else LIGHT_INK


_SHADOW = '<ellipse cx="20.6" cy="22.2" rx="14.6" ry="14.2" fill="#000" fill-opacity=".3"/>'
_STONE = '<circle cx="20" cy="20" r="14.4" fill="url(#~{})" stroke="{}" stroke-width="1.9"/>'
# Signs by which stones differ in shape, independent of their colours.
_SIGNS = {
    "black": '<path d="m20 14.5 5.5 5.5-5.5 5.5-5.5-5.5Z" fill="{}"/>',
    "white": '<circle cx="20" cy="20" r="6.2" fill="none" stroke="{}" stroke-width="2.2"/>',
}
_CROWN = (
    '<path d="M10.8 14.2 15.4 19 20 10.6 24.6 19 29.2 14.2 27.4 26.6H12.6Z" fill="{0}" stroke="{1}" '
    'stroke-width="1.2" stroke-linejoin="round"/><path d="M12.4 29.2H27.6" stroke="{0}" stroke-width="2.2" '
    'stroke-linecap="round"/><g fill="{0}" stroke="{1}" stroke-width=".8"><circle cx="10.6" cy="13.4" r="1.9"/>'
    '<circle cx="20" cy="9.8" r="2.1"/><circle cx="29.4" cy="13.4" r="1.9"/></g>'
)
_RIM = '<circle cx="20" cy="20" r="16.6" fill="none" stroke="{}" stroke-width="1.8"/>'
# Men differ in shape too: Red has round heads, Blue pointed ones.
_BODY = "M9.8 33.5c.6-7.6 5-9.4 5.8-14h8.8c.8 4.6 5.2 6.4 5.8 14Z"
_MAN = (
    '<ellipse cx="20.6" cy="33.6" rx="11.8" ry="2.8" fill="#000" fill-opacity=".35"/>'
    f'<g fill="none" stroke="{DARK_INK}" stroke-width="4.6" stroke-linejoin="round"><path d="{_BODY}"/>{{1}}</g>'
    f'<g fill="url(#~{{0}})" stroke="#fff" stroke-width="1.8" stroke-linejoin="round"><path d="{_BODY}"/>{{1}}</g>'
)
_HEADS = {
    "red": '<circle cx="20" cy="13.4" r="6.6"/>',
    "blue": '<path d="M20 4.6 27.4 19.6H12.6Z"/>',
}
_KING_INK = {"black": ("#f4c95d", "#5a3d05"), "white": ("#2c2540", "#f4c95d")}


@functools.cache
def pieces(palette_name: str) -> dict[str, str]:
    """Return the pictures of all pieces by token."""
    has_signs = PALETTES[palette_name].has_signs
    pictures = {f"{colour}-man": _MAN.format(colour, head) for colour, head in _HEADS.items()}
    for colour, sign in _SIGNS.items():
        rim = PAINTS[colour].rim
        disc = _SHADOW + _STONE.format(colour, rim)
        pictures[colour] = disc + sign.format(rim) if has_signs else disc
        pictures[f"{colour}-king"] = (
            disc + _RIM.format("#f0c04a") + _CROWN.format(*_KING_INK[colour])
        )
    return pictures


MARKS = {
    "last": '<path d="M3 12V6a3 3 0 0 1 3-3h6M28 3h6a3 3 0 0 1 3 3v6M37 28v6a3 3 0 0 1-3 3h-6M12 37H6a3 3 0 0 1-3-3v-6" '
    'fill="none" stroke="#15131c" stroke-width="4.4" stroke-linecap="round"/>'
    '<path d="M3 12V6a3 3 0 0 1 3-3h6M28 3h6a3 3 0 0 1 3 3v6M37 28v6a3 3 0 0 1-3 3h-6M12 37H6a3 3 0 0 1-3-3v-6" '
    'fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/>',
    "selected": '<rect x="2" y="2" width="36" height="36" rx="5" fill="none" stroke="#15131c" stroke-width="4.6"/>'
    '<rect x="2" y="2" width="36" height="36" rx="5" fill="none" stroke="#fff" stroke-width="2.4"/>',
    "target": '<circle cx="20" cy="20" r="6" fill="#15131c" fill-opacity=".72" stroke="#fff" stroke-width="1.8"/>',
    "captured": '<circle cx="20" cy="20" r="17.4" fill="none" stroke="#15131c" stroke-width="3.6"/>'
    '<circle cx="20" cy="20" r="17.4" fill="none" stroke="#fff" stroke-width="2" stroke-dasharray="4.2 3"/>',
}

_STONE_GRADIENT = (
    '<radialGradient id="~{}" cx=".36" cy=".3" r=".8"><stop stop-color="{}"/><stop offset=".45" stop-color="{}"/>'
    '<stop offset="1" stop-color="{}"/></radialGradient>'
)
GRADIENTS = {
    "sheen": '<linearGradient id="~sheen" x2=".7" y2="1"><stop stop-color="#fff" stop-opacity=".26"/>'
    '<stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".16"/>'
    "</linearGradient>",
    **{
        name: _STONE_GRADIENT.format(name, paint.lit, paint.fill, paint.shade)
        for name, paint in PAINTS.items()
    },
}
