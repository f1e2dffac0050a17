"""The colours of the boards: the official ones, and others that hold for people who see fewer.

docs/explanation/board-colours.md has the figures, and a test keeps them true: contrasts of pieces, differences between
bands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DARK_INK, LIGHT_INK = "#15131c", "#ffffff"


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of a piece: middle, lit, in shadow, and the rim that sets it off any ground."""

    fill: str
    lit: str
    shade: str
    rim: str


@dataclass(frozen=True, slots=True)
class Palette:
    """The grounds of all boards.

    Attributes:
        bands: Morelli's, from the Throne outwards. Beyond the last the final two alternate.
        tiles: The Perfect Game's four colours by name.
        neutrals: its two colours of bare squares.
        plain: Morlox's two grounds, `light` and `dark`, which have no meaning.
        has_signs: whether pieces carry their own sign, so that their shape tells them apart.
    """

    bands: tuple[str, ...]
    tiles: Mapping[str, str]
    neutrals: Mapping[str, str]
    plain: Mapping[str, str]
    has_signs: bool = False

    def band(self, depth: int) -> str:
        """Return the colour of the band at this distance from the Throne."""
        last = len(self.bands) - 1
        return self.bands[depth if depth <= last else last - (depth - last) % 2]


PAINTS = {
    "black": Paint(fill="#2b2931", lit="#77737f", shade="#08070a", rim="#f6f1e6"),
    "white": Paint(fill="#f3efe6", lit="#ffffff", shade="#bdb5a4", rim="#1d1a22"),
    "red": Paint(fill="#d8232b", lit="#ff9d8f", shade="#7d0912", rim="#ffffff"),
    "blue": Paint(fill="#2458c8", lit="#9cc4ff", shade="#0b2266", rim="#ffffff"),
}

PALETTES = {
    "official": Palette(
        # The revised rules give the first seven (docs/games/notation.md, slip 2). Bands without a
        # name follow (D-M22).
        bands=(
            *("#ab82ff", "#5a529b", "#5c91fb", "#66cd00", "#ffcc00", "#ff8c00", "#cc0000"),
            *("#8e2f3c", "#a8626a", "#8a6a70", "#a58a8c", "#857a80", "#9f9aa0", "#7b7d86"),
            *("#989ca6", "#747a86"),
        ),
        tiles={"red": "#d23c3c", "orange": "#f08a24", "blue": "#3b6fd4", "green": "#4da04a"},
        neutrals={"purple": "#7a5aa6", "yellow": "#ecca4e"},
        plain={"light": "#eadfc8", "dark": "#cdb893"},
    ),
    "safe": Palette(
        # The hues of the palette above, light and dark by turns: every kind of eye sees lightness.
        bands=(
            *("#d9b8ff", "#2f2a7a", "#6fbdf2", "#0b5a3c", "#ffe45c", "#c85200", "#5c0a1e"),
            *("#e3c9cd", "#5f474b", "#cdbfc1", "#50474a", "#d5cdd1", "#4b4a50", "#cbccd2"),
            *("#494c55", "#c3c8d2"),
        ),
        tiles={"red": "#9e1b32", "orange": "#e8871e", "blue": "#1f4fa3", "green": "#2fa98a"},
        neutrals={"purple": "#b49ad8", "yellow": "#fff6cf"},
        plain={"light": "#e6e2da", "dark": "#c9c4ba"},
        has_signs=True,
    ),
}
