"""Positions of The Perfect Game? in both phases: their legal moves and the position after each.

The rule text is cited as `perfect/tiles`, `perfect/men`, `perfect/phases`, readings of it as `D-P1`
to `D-P25`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, Self

from games.core import (
    Outcome,
    Ruleset,
    Side,
)
from games.messages import message
from games.perfect.board import HOMES, MEN, NAMES, NEUTRAL, Colour, numbers, steps_advanced
from games.perfect.layout import Layout
from games.perfect.men import PASS, MenBoard
from games.perfect.notation import MoveKind, judge, parse_move, spell
from games.perfect.territory import compulsory, of_men, of_tiles
from games.perfect.tiles import TILES, Mosaic, Stock
from games.view import Notice, Trait

if TYPE_CHECKING:
    import random

    from games.view import Cell


_START_LAYOUT, _FULL_STOCK = Layout(), Stock()


class PerfectRules(Ruleset, Protocol):
    """The part of its rule set that a position needs."""

    @property
    def first(self) -> Colour:
        """Return the colour that lays the first tile."""
        ...

    @property
    def limit(self) -> int:
        """Return the limit of the number of turns of men."""
        ...


@dataclass(frozen=True)
class PerfectPosition:
    """A position of The Perfect Game?: men, tiles, the stock of tiles and the ply."""

    ruleset: PerfectRules
    layout: Layout = _START_LAYOUT
    stock: Stock = _FULL_STOCK
    ply: int = 0

    @property
    def phase(self) -> str:
        """`tiles` while tiles are laid, then `men`."""
        return "tiles" if self.ply < TILES else "men"

    @property
    def turn(self) -> Colour:
        """Return the colour to move."""
        # perfect/phases: the side that laid the last tile, the 80th, moves first: two plies in a row.
        is_first = (self.ply % 2 == 0) == (self.ply < TILES)
        return self.ruleset.first if is_first else self.ruleset.first.other

    @property
    def side_to_move(self) -> Side:
        """Return the side whose colour is to move. FIRST laid the first tile."""
        return self._side_of(self.turn)

    def _side_of(self, colour: Colour) -> Side:
        return Side.FIRST if colour is self.ruleset.first else Side.SECOND

    def colour_of(self, side: Side) -> str:
        """`red` or `blue`, unchanged all game."""
        first = self.ruleset.first
        return (first if side is Side.FIRST else first.other).value

    @property
    def _mosaic(self) -> Mosaic:
        layout, turn = self.layout, self.turn
        return Mosaic(layout.tiles(turn), layout.tiles(turn.other), layout.flipped)

    @property
    def _field(self) -> MenBoard:
        return self._field_of(self.turn)

    def _field_of(self, colour: Colour) -> MenBoard:
        """Return the men as `colour` would see them if it were to move."""
        layout, enemy = self.layout, colour.other
        return MenBoard(
            own=layout.men(colour),
            enemy=layout.men(enemy),
            home=HOMES[colour],
            shelter=layout.colours_of(enemy),
            neutral=layout.flipped,
        )

    @cached_property
    def _outcome(self) -> Outcome | None:
        mover = self.turn.other  # alternates in the main phase, where alone games end
        # D-P21: at the end of one's own turn, all ten men.
        if self.ply > TILES and self.layout.men(mover) == HOMES[mover.other]:
            return Outcome.won_by(self._side_of(mover))
        if self.ply < self.ruleset.max_plies:
            return None
        leader = self.layout.leader()
        return Outcome.DRAW if leader is None else Outcome.won_by(self._side_of(leader))

    def outcome(self) -> Outcome | None:
        """Return the outcome, won at the goal (D-P21) or decided by arrivals at the turn limit (D-P22)."""
        return self._outcome

    def _free_squares(self) -> int:
        """Return the squares for a tile of the colour to move. D-P3."""
        return self._mosaic.bare_squares & self.stock.squares(self.turn)

    def legal_moves(self) -> list[str]:
        """Return tiles to lay, or turns of men. `pass` occurs only alone."""
        return [] if self._outcome else sorted(self._moves())

    def _moves(self) -> list[str]:
        if self.phase == "tiles":
            return [f"+{NAMES[square]}" for square in numbers(self._free_squares())]
        return [spell(turn) for turn in self._field.turns()]

    def play(self, move: str) -> Self:
        """Return the position after `move`. Raises IllegalMoveError."""
        if self._outcome:
            raise parse_move(move).refusal("men", message("the game is over"))
        return self._with_tile(move) if self.phase == "tiles" else self._with_turn(move)

    def canonical(self, move: str) -> str:
        """`move` itself: no move has two spellings. Raises IllegalMoveError."""
        self.play(move)
        return move

    def _with_tile(self, text: str) -> Self:
        move = parse_move(text)
        if move.kind is not MoveKind.LAY:
            raise move.refusal("phases", message("tiles are laid first"))
        tile, mosaic, turn = 1 << move.squares[0], self._mosaic, self.turn
        if not tile & NEUTRAL:
            raise move.refusal("tiles", message("a start square takes no tile"))
        if not tile & mosaic.bare_squares:
            raise move.refusal("tiles", message("a tile lies there"))
        if not tile & self.stock.squares(turn):
            raise move.refusal(
                "D-P3",
                message("%(colour)s has no tile left for a square of that colour"),
                colour=turn.capitalize(),
            )
        return type(self)(
            self.ruleset,
            self.layout.with_tiles(turn, mosaic.after(tile, turn)),
            self.stock.after(turn, tile),
            self.ply + 1,
        )

    def _with_turn(self, text: str) -> Self:
        field = self._field
        own, enemy = field.after(judge(field, text))
        layout = self.layout.with_men(self.turn, own=own, enemy=enemy)
        return type(self)(self.ruleset, layout, self.stock, self.ply + 1)

    def random_move(self, rng: random.Random) -> str:
        """Return one legal move, each equally likely. Raises ValueError when the game is over."""
        if self._outcome:
            raise ValueError("the game is over")
        if self.phase == "tiles":
            return f"+{NAMES[rng.choice(numbers(self._free_squares()))]}"
        return spell(self._field.random_turn(rng))

    def playout(self, rng: random.Random) -> Outcome:
        """Return the outcome of playing on at random."""
        return self._outcome or self._after_tiles(rng)._race_outcome(rng)

    def _after_tiles(self, rng: random.Random) -> Self:
        """Return the position after the rest of the tiles is laid at random."""
        if self.phase == "men":
            return self
        mosaic, stock, turn = self._mosaic, self.stock, self.turn
        for _ in range(self.ply, TILES):
            tile = 1 << rng.choice(numbers(mosaic.bare_squares & stock.squares(turn)))
            mosaic, stock = mosaic.after(tile, turn).for_opponent(), stock.after(turn, tile)
            turn = turn.other
        return type(self)(self.ruleset, self.layout.with_tiles(turn, mosaic), stock, TILES)

    def _race_outcome(self, rng: random.Random) -> Outcome:
        """Return the outcome of random play from here on, in the main phase."""
        field, rival, turn = self._field, self._field_of(self.turn.other), self.turn
        for _ in range(self.ply, self.ruleset.max_plies):
            own, enemy = field.after(field.random_turn(rng))
            if own == rival.home:
                return Outcome.won_by(self._side_of(turn))
            field, rival = rival.with_men(enemy, own), field
            turn = turn.other
        layout = self.layout.with_men(turn, own=field.own, enemy=field.enemy)
        leader = layout.leader()
        return Outcome.DRAW if leader is None else Outcome.won_by(self._side_of(leader))

    def evaluation(self) -> float:
        """From -1 to 1: tiles standing, then ground gained by the men and captures at hand."""
        if self._outcome:
            return 0.0 if self._outcome is Outcome.DRAW else self._sign(self._outcome)
        if self.phase == "tiles":
            return max(-0.9, min(0.9, self._mosaic.balance(self.turn) / TILES))
        own, enemy = self.turn, self.turn.other
        ahead = self._progress(own) - self._progress(enemy)
        # To capture now is worth more than to be threatened.
        ahead += 4 * min(1, self._field.victims().bit_count())
        ahead -= 2 * min(2, self._field_of(enemy).victims().bit_count())
        return max(-0.9, min(0.9, ahead / 160))

    def _sign(self, outcome: Outcome) -> float:
        return 1.0 if outcome.value == self.side_to_move.value else -1.0

    def _progress(self, colour: Colour) -> int:
        """Steps towards the goal, with a bonus for arrivals and a malus for men in hand."""
        men = self.layout.men(colour)
        in_hand = MEN - men.bit_count()
        return steps_advanced(colour, men) + 2 * self.layout.arrivals(colour) - 4 * in_hand

    def is_plausible(self) -> bool:
        """Return whether the counts fit together as they do in every game. `Perfect.parse` asks."""
        layout, stock, first = self.layout, self.stock, self.ruleset.first
        tile_count = min(self.ply, TILES)
        stock_sizes = {first: 40 - (tile_count + 1) // 2, first.other: 40 - tile_count // 2}
        counts_fit = all(sum(stock.of(colour)) == stock_sizes[colour] for colour in Colour)
        if not (counts_fit and layout.fits(stock)):
            return False
        if self.ply <= TILES:
            return layout.men(Colour.RED) == HOMES[Colour.RED] and (
                layout.men(Colour.BLUE) == HOMES[Colour.BLUE]
            )
        return layout.men(self.turn) != HOMES[self.turn.other]  # the game would have ended before

    def text(self) -> str:
        """Return the position as text: ground, men, colour to move, phase, ply and stock.

        Rows go from the top. The stock counts red, orange, blue and green tiles.
        """
        stock = ",".join(map(str, self.stock))
        return f"{self.layout.text()} {self.turn.value} {self.phase} {self.ply} {stock}"

    def cells(self) -> list[Cell]:
        """Return the squares in reading order from the top left, a1 at the bottom left."""
        return self.layout.cells()

    def traits(self, at: str | None = None) -> list[Trait]:
        """Return tiles in danger or permanently safe, men in danger or sheltered, and compulsory jumps."""
        if self.phase == "tiles":
            traits = of_tiles(self.layout, bare_squares=self._mosaic.bare_squares)
        else:
            fields = {colour: self._field_of(colour) for colour in Colour}
            traits = of_men(self.layout, fields=fields) + compulsory(self._field, self.turn)
        return [trait for trait in traits if at is None or at in trait.cells]

    def notices(self) -> list[Notice]:
        """Return the notices of the phase.

        Tiles: `tiles-left` of each kind.

        Men: why the game is over, `men-in-hand`, `arrived`, `turns-left` and the compulsory moves.
        """
        if self.phase == "tiles":
            return [Notice("tiles-left", *kind) for kind in self.stock._asdict().items()]
        facts = [
            Notice(code, colour.value, count)
            for colour in Colour
            for code, count in (
                ("men-in-hand", MEN - self.layout.men(colour).bit_count()),
                ("arrived", self.layout.arrivals(colour)),
            )
        ]
        facts.append(Notice("turns-left", None, self.ruleset.max_plies - self.ply))
        if self._outcome:
            return self._reasons() + facts
        return facts + [Notice(code, self.turn.value, 1) for code in self._duties()]

    def _reasons(self) -> list[Notice]:
        """`all-arrived` of the winner, or `out-of-turns` with the men `waiting` of both."""
        for colour in Colour:
            if self.layout.arrivals(colour) == MEN:
                return [Notice("all-arrived", colour.value, MEN)]
        waiting = [Notice("waiting", c.value, self.layout.waiting(c)) for c in Colour]
        return [Notice("out-of-turns", None, self.ruleset.max_plies), *waiting]

    def _duties(self) -> list[str]:
        """Return the moves that the rules compel: D-P18, D-P19, D-P15, D-P20."""
        field = self._field
        if field.turns() == [PASS]:
            return ["must-pass"]
        if field.has_men_in_hand:
            return ["must-re-enter" if field.vacant_home else "must-leave-home"]
        return ["must-capture"] if field.must_capture() else []
