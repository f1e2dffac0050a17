"""Tiles and men as sets of squares.

A flipped tile has no owner. Men on no square are in hand.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple, Self

from games.perfect.board import (
    BLUE_HOME,
    HOMES,
    MEN,
    NAMES,
    NEUTRAL,
    PURPLE,
    PURPLE_PARITY,
    RED_HOME,
    SIZE,
    STRIDE,
    YELLOW,
    Colour,
    numbers,
)
from games.view import Cell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.perfect.tiles import Mosaic, Stock

_PIECES = {"r": "red-man", "b": "blue-man", ".": None}
_TOP_DOWN = [rank * STRIDE + file for rank in reversed(range(SIZE)) for file in range(SIZE)]


class Layout(NamedTuple):
    """Tiles and men as sets of squares.

    A flipped tile has no owner. Men on no square are in hand.
    """

    red_tiles: int = 0
    blue_tiles: int = 0
    flipped: int = 0
    red_men: int = RED_HOME
    blue_men: int = BLUE_HOME

    def tiles(self, colour: Colour) -> int:
        """Return the tiles of `colour` that show its face."""
        return self.red_tiles if colour is Colour.RED else self.blue_tiles

    def men(self, colour: Colour) -> int:
        """Return the men of `colour` on the board."""
        return self.red_men if colour is Colour.RED else self.blue_men

    def colours_of(self, colour: Colour) -> int:
        """Return the squares showing one of the two colours of `colour`: its start squares and tiles."""
        return HOMES[colour] | self.tiles(colour)

    def arrivals(self, colour: Colour) -> int:
        """Return how many men of `colour` are on the opposing start squares."""
        return (self.men(colour) & HOMES[colour.other]).bit_count()

    def waiting(self, colour: Colour) -> int:
        """Return how many men of `colour` are on their own start squares or in hand."""
        men = self.men(colour)
        return (men & HOMES[colour]).bit_count() + MEN - men.bit_count()

    def leader(self) -> Colour | None:
        """Return the winner when the turns run out, or None for a draw.

        D-P22: arrivals, then fewest men not yet out.
        """
        red, blue = (
            (self.arrivals(colour), -self.waiting(colour)) for colour in (Colour.RED, Colour.BLUE)
        )
        if red == blue:
            return None
        return Colour.RED if red > blue else Colour.BLUE

    def with_tiles(self, colour: Colour, mosaic: Mosaic) -> Self:
        """Return these men on the tiles `mosaic` as `colour` sees them."""
        own, enemy, flipped = mosaic
        red, blue = (own, enemy) if colour is Colour.RED else (enemy, own)
        return self._replace(red_tiles=red, blue_tiles=blue, flipped=flipped)

    def with_men(self, colour: Colour, *, own: int, enemy: int) -> Self:
        """Return these tiles under the men `own` of `colour` and `enemy` of the other."""
        red, blue = (own, enemy) if colour is Colour.RED else (enemy, own)
        return self._replace(red_men=red, blue_men=blue)

    def fits(self, stock: Stock) -> bool:
        """Return whether these tiles can have been laid when `stock` is left."""
        all_tiles = self.red_tiles | self.blue_tiles | self.flipped
        purple, yellow = (all_tiles & PURPLE).bit_count(), (all_tiles & YELLOW).bit_count()
        kinds = (
            (self.red_tiles, stock.red, stock.orange),
            (self.blue_tiles, stock.blue, stock.green),
        )
        return (
            not all_tiles & ~NEUTRAL
            and purple + stock.red + stock.blue == PURPLE.bit_count()
            and yellow + stock.orange + stock.green == YELLOW.bit_count()
            and all(
                (tiles & PURPLE).bit_count() + on_purple <= PURPLE.bit_count() // 2
                and (tiles & YELLOW).bit_count() + on_yellow <= YELLOW.bit_count() // 2
                for tiles, on_purple, on_yellow in kinds
            )
            and max(self.red_men.bit_count(), self.blue_men.bit_count()) <= MEN
        )

    def text(self) -> str:
        """Return the ground and the men as two blocks of rows from the top.

        Ground: `R` `B` start squares, `r` `b` `f` tiles, `.`. Men: `r` `b` `.`.
        """
        return f"{_rows(self._ground_letters())} {_rows(self._men_letters())}"

    def _ground_letters(self) -> dict[int, str]:
        sets = (RED_HOME, BLUE_HOME, self.red_tiles, self.blue_tiles, self.flipped)
        return _letters("RBrbf", sets)

    def _men_letters(self) -> dict[int, str]:
        return _letters("rb", (self.red_men, self.blue_men))

    @classmethod
    def parse(cls, *, ground: str, men: str) -> Self | None:
        """Return the layout of two blocks of `text`, or the nearest one, or None for a wrong length."""
        below, above = ground.replace("/", ""), men.replace("/", "")
        if not len(below) == len(above) == len(_TOP_DOWN):
            return None
        return cls(
            *(_squares_with(letter, below) for letter in "rbf"),
            *(_squares_with(letter, above) for letter in "rb"),
        )

    def cells(self) -> list[Cell]:
        """Return the board in reading order from the top left."""
        ground, men = self._ground_letters(), self._men_letters()
        return [_cell(square, ground[square], men[square]) for square in _TOP_DOWN]


@functools.cache
def _cell(square: int, ground_letter: str, man_letter: str) -> Cell:
    rank, file = divmod(square, STRIDE)
    return Cell(
        name=NAMES[square],
        column=file,
        row=rank,
        ground=_ground(square, ground_letter),
        piece=_PIECES[man_letter],
    )


def _ground(square: int, letter: str) -> str:
    """Return the style token of the ground: `purple`, `start-red`, `tile-orange`, `flipped-yellow`, ..."""
    is_purple = bool(PURPLE_PARITY >> square & 1)
    red, blue, bare = ("red", "blue", "purple") if is_purple else ("orange", "green", "yellow")
    grounds = {"R": f"start-{red}", "B": f"start-{blue}", "r": f"tile-{red}", "b": f"tile-{blue}"}
    grounds |= {"f": f"flipped-{bare}", ".": bare}
    return grounds[letter]


def _letters(letters: str, sets: Iterable[int]) -> dict[int, str]:
    """Return for each square, in reading order, the letter of the set that has it, or a dot."""
    letter_of = dict.fromkeys(_TOP_DOWN, ".")
    for letter, squares in zip(letters, sets, strict=True):
        letter_of |= dict.fromkeys(numbers(squares), letter)
    return letter_of


def _rows(letters: dict[int, str]) -> str:
    text = "".join(letters.values())
    return "/".join(text[start : start + SIZE] for start in range(0, len(text), SIZE))


def _squares_with(letter: str, letters: str) -> int:
    squares = zip(_TOP_DOWN, letters, strict=True)
    return sum(1 << square for square, here in squares if here == letter)
