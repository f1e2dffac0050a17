"""Features of the board: tiles in danger or permanently safe, men in danger, compulsory jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.perfect.board import HOMES, JUMPS, NAMES, Colour, group, numbers, spread
from games.view import Shape, Trait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.perfect.layout import Layout
    from games.perfect.men import MenBoard


def of_tiles(layout: Layout, *, bare_squares: int) -> list[Trait]:
    """Return for each colour its lasting tiles, those in danger, and the squares of that danger."""
    traits: list[Trait] = []
    for colour in Colour:
        refuge = layout.flipped | HOMES[colour]  # D-P6, D-P7
        lasting = falling = openings = 0
        for tiles in _groups(layout.tiles(colour)):
            around = spread(tiles) & ~tiles
            if around & refuge:
                lasting |= tiles
            elif (around & bare_squares).bit_count() == 1:
                falling |= tiles
                openings |= around & bare_squares
        traits += _spots("lasting", lasting, colour)
        traits += _spots("last-opening", openings, colour.other)
        traits += _spots("in-danger", falling, colour, is_firm=False)
    return traits


def of_men(layout: Layout, *, fields: dict[Colour, MenBoard]) -> list[Trait]:
    """Return for each colour its men on own ground, those a jump would take, and compulsory jumps."""
    traits: list[Trait] = []
    for colour, field in fields.items():
        traits += _spots("sheltered", field.own & layout.colours_of(colour), colour)
        traits += _spots("in-danger", fields[colour.other].victims(), colour, is_firm=False)
    return traits


def compulsory(field: MenBoard, colour: Colour) -> list[Trait]:
    """`must-jump`: a line for every single jump over a man on a neutral square. D-P15."""
    men, victims = field.own | field.enemy, field.enemy & field.neutral
    return [
        Trait("must-jump", Shape.LINE, (NAMES[start], NAMES[jump.square]), colour=colour.value)
        for start in numbers(field.own)
        for jump in JUMPS[start]
        if jump.over & victims and not jump.landing & men
    ]


def _groups(tiles: int) -> Iterator[int]:
    while tiles:
        members = group(tiles & -tiles, tiles)
        yield members
        tiles ^= members


def _spots(code: str, squares: int, colour: Colour, *, is_firm: bool = True) -> list[Trait]:
    names = tuple(NAMES[square] for square in numbers(squares))
    return [Trait(code, Shape.SPOT, names, colour=colour.value, is_firm=is_firm)] if names else []
