"""The starting phase of The Perfect Game?: laying tiles and flipping enclosed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from games.perfect.board import HOMES, NEUTRAL, PURPLE, YELLOW, Colour, group, spread

if TYPE_CHECKING:
    from collections.abc import Iterator

TILES = 80  # one for each neutral square
_IN_ATARI = 0.3  # a tile in a group with one free neighbour, for its owner to move
_CAPTURABLE = 0.8  # the same for the enemy to move


class Stock(NamedTuple):
    """Tiles not yet laid. Red and blue go on purple squares, orange and green on yellow ones."""

    red: int = 19
    orange: int = 21
    blue: int = 19
    green: int = 21

    def of(self, colour: Colour) -> tuple[int, int]:
        """Return the remaining tiles of `colour` for purple and for yellow squares."""
        return self[:2] if colour is Colour.RED else self[2:]

    def squares(self, colour: Colour) -> int:
        """Return the squares for which `colour` has a tile left, free or not. D-P3."""
        purple, yellow = self.of(colour)
        return (PURPLE if purple else 0) | (YELLOW if yellow else 0)

    def after(self, colour: Colour, tile: int) -> Self:
        """Return the stock once `colour` has laid `tile`."""
        counts = list(self)
        counts[(0 if colour is Colour.RED else 2) + (0 if tile & PURPLE else 1)] -= 1
        return type(self)(*counts)


class Mosaic(NamedTuple):
    """The tiles on the board as seen by one colour: its own, the enemy's, and the flipped ones."""

    own: int
    enemy: int
    flipped: int

    @property
    def bare_squares(self) -> int:
        """Return the squares without a tile."""
        return NEUTRAL & ~(self.own | self.enemy | self.flipped)

    def after(self, tile: int, colour: Colour) -> Mosaic:
        """Return the tiles once `colour` has laid `tile`. perfect/tiles.

        Only enemy groups next to the new tile are examined, each on its own (D-P9). Suicide does
        not flip tiles (D-P8).
        """
        own = self.own | tile
        # A group is enclosed if it touches no bare square, no flipped tile (D-P6) and no start
        # square of its colour (D-P7). The board edge and the other side's start squares enclose
        # (D-P4, D-P5).
        refuge = self.bare_squares & ~tile | self.flipped | HOMES[colour.other]
        losses, candidates = 0, spread(tile) & self.enemy
        while candidates:
            tiles = group(candidates & -candidates, self.enemy)
            if not spread(tiles) & refuge:
                losses |= tiles
            candidates &= ~tiles
        return Mosaic(own, self.enemy & ~losses, self.flipped | losses)

    def for_opponent(self) -> Mosaic:
        """Return these tiles as the other colour sees them."""
        return Mosaic(self.enemy, self.own, self.flipped)

    def balance(self, colour: Colour) -> float:
        """Tiles ahead of the enemy with `colour`, the owner of `own`, to lay.

        Groups in danger count less.
        """
        mine = self.own.bit_count() - _IN_ATARI * self._in_atari(self.own, colour)
        theirs = self.enemy.bit_count() - _CAPTURABLE * self._in_atari(self.enemy, colour.other)
        return mine - theirs

    def _in_atari(self, tiles: int, colour: Colour) -> int:
        """Return how many of `tiles`, of `colour`, are in groups that one more enemy tile encloses."""
        lasting, bare_squares = self.flipped | HOMES[colour], self.bare_squares
        return sum(
            members.bit_count()
            for members in _groups(tiles)
            if not spread(members) & lasting and (spread(members) & bare_squares).bit_count() == 1
        )


def _groups(tiles: int) -> Iterator[int]:
    while tiles:
        members = group(tiles & -tiles, tiles)
        yield members
        tiles ^= members
