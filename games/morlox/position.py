"""Positions of Morlox: their text, their legal moves and the position after each.

The rule text is cited as `morlox/play`, `morlox/control`, `morlox/win`, readings of it as `D-X1` to
`D-X16`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, Self

from games.core import (
    IllegalMoveError,
    Outcome,
    Ruleset,
    Side,
)
from games.messages import message
from games.morlox.board import BLIND, Colour, MorloxBoard, Sight, Stone, board_of
from games.morlox.chance import random_winner
from games.morlox.fen import Fields, line_of
from games.morlox.sight import chain_trait, control_traits, sight_traits
from games.view import Cell, Notice, Trait

if TYPE_CHECKING:
    import random


def cells_of(size: int, *, black: int, white: int) -> list[Cell]:
    """Return the squares from the top left, row by row. Their two grounds are decoration (D-X15)."""
    bits = board_of(size).bits
    squares = (rank * size + file for rank in reversed(range(size)) for file in range(size))
    return [_cell(size, square, _piece(bits[square], black, white)) for square in squares]


# A move changes a few squares of many: equal cells are one object, and soon compared.
@functools.cache
def _cell(size: int, square: int, piece: str | None) -> Cell:
    rank, file = divmod(square, size)
    ground = "light" if (file + rank) % 2 else "dark"
    return Cell(board_of(size).names[square], file, rank, ground, piece)


def _piece(bit: int, black: int, white: int) -> str | None:
    if bit & black:
        return "black"
    return "white" if bit & white else None


class MorloxRules(Ruleset, Protocol):
    """The part of its rule set that a position needs."""

    @property
    def swap(self) -> bool:
        """Return whether the second player may take the first stone over."""
        ...


@dataclass(frozen=True)
class MorloxPosition:
    """A position of Morlox.

    `turn` is the colour to move. `swapped` tells whether the persons changed colours.
    """

    ruleset: MorloxRules
    black: int = 0
    white: int = 0
    sight: Sight = field(default=BLIND, compare=False, repr=False)
    turn: Colour = Colour.BLACK
    ply: int = 0
    is_swapped: bool = False

    phase = "play"

    @property
    def side_to_move(self) -> Side:
        """Return the person who plays the colour to move."""
        return self._side_of(self.turn)

    def _side_of(self, colour: Colour) -> Side:
        # D-X9: a swap exchanges the persons' colours. D-X11: results belong to persons.
        return Side.FIRST if (colour is Colour.BLACK) != self.is_swapped else Side.SECOND

    def colour_of(self, side: Side) -> str:
        """`black` or `white`."""
        is_black = (side is Side.FIRST) != self.is_swapped
        return (Colour.BLACK if is_black else Colour.WHITE).value

    @cached_property
    def _board(self) -> MorloxBoard:
        return board_of(self.ruleset.size)

    @property
    def _own(self) -> int:
        return self.black if self.turn is Colour.BLACK else self.white

    @property
    def _hostile(self) -> int:
        return self.white if self.turn is Colour.BLACK else self.black

    @cached_property
    def _control(self) -> dict[Colour, int]:
        """Return the squares controlled by each colour, occupied or not (D-X1)."""
        lanes = self._board.control(self.sight)
        return {Colour.BLACK: lanes & self._board.full, Colour.WHITE: lanes >> self._board.lane}

    def _cheap(self, colour: Colour) -> int:
        """Return the squares for a stone of `colour` by placement or flip. morlox/play, with either side to move."""
        hostile = self.white if colour is Colour.BLACK else self.black
        empty = self._board.full & ~(self.black | self.white)
        return (empty & ~self._control[colour.other]) | (hostile & self._control[colour])

    @property
    def _may_swap(self) -> bool:
        # D-X9: the second player's first turn only.
        return self.ruleset.swap and self.ply == 1

    @property
    def _must_pass(self) -> bool:
        # D-X8: exactly when there is neither a placement nor a flip.
        return not (self._is_won or self._may_swap or self._cheap(self.turn))

    @cached_property
    def _is_won(self) -> bool:
        # morlox/win, D-X6: tested only for the side to move, at the start of its turn.
        near = self._board.edges[self.turn].near
        return self._board.has_chain(self.turn, self._own, through=near)

    @property
    def _winning_chain(self) -> int:
        """Return the stones that join both edges for the side to move, or no stones while it has not won."""
        near, far = self._board.edges[self.turn]
        return self._board.chain(near, self._own) & self._board.chain(far, self._own)

    def can_chain(self) -> bool:
        """Return whether the side to move has a placement or flip that joins its edges."""
        board, own = self._board, self._own
        near, far = board.edges[self.turn]
        beside_near = near | board.spread(board.chain(near, own))
        beside_far = far | board.spread(board.chain(far, own))
        return bool(self._cheap(self.turn) & beside_near & beside_far)

    def outcome(self) -> Outcome | None:
        """The side to move wins if it finds its chain standing. There are no draws (D-X12)."""
        return Outcome.won_by(self.side_to_move) if self._is_won else None

    def legal_moves(self) -> list[str]:
        """Placements, flips and `swap`, or else `pass`."""
        return [] if self._is_won else sorted(self._moves())

    def _moves(self) -> list[str]:
        names, empty = self._board.names, ~(self.black | self.white)
        bits = self._board.bits
        moves = [
            names[square] if bits[square] & empty else f"{names[square]}x"
            for square in self._board.squares_of(self._cheap(self.turn))
        ]
        if self._may_swap:
            moves.append("swap")
        return moves or ["pass"]  # D-X8

    def play(self, move: str) -> Self:
        """Return the position after `move`. Raises IllegalMoveError."""
        if self._is_won:
            raise IllegalMoveError(move, rule="morlox/win", detail=message("the game is over"))
        if move == "swap":
            return self._after_swap()
        if move == "pass":
            return self._after_pass()
        stone = self._board.parse_stone(move)
        self._check(move, stone)
        return self._after_stone(stone.square)

    def canonical(self, move: str) -> str:
        """`move` itself: no move has two spellings. Raises IllegalMoveError."""
        self.play(move)
        return move

    def _check(self, move: str, stone: Stone) -> None:
        """Raise IllegalMoveError unless `stone` may be placed or flipped now. morlox/play."""
        bit, control = self._board.bits[stone.square], self._control
        if stone.is_flip and not bit & self._hostile:
            raise IllegalMoveError(
                move, rule="morlox/play", detail=message("no enemy stone is there")
            )
        if stone.is_flip and not bit & control[self.turn]:
            raise IllegalMoveError(
                move,
                rule="morlox/control",
                detail=message("%(colour)s does not control the square"),
                colour=self.turn.capitalize(),
            )
        if not stone.is_flip and bit & (self.black | self.white):
            raise IllegalMoveError(
                move, rule="morlox/play", detail=message("the square is occupied")
            )
        if not stone.is_flip and bit & control[self.turn.other]:
            raise IllegalMoveError(
                move,
                rule="morlox/control",
                detail=message("%(colour)s controls the square"),
                colour=self.turn.other.capitalize(),
            )

    def _after_stone(self, square: int) -> Self:
        bit, is_black = self._board.bits[square], self.turn is Colour.BLACK
        occupied = self.black | self.white | bit
        return type(self)(
            self.ruleset,
            self.black | bit if is_black else self.black & ~bit,
            self.white & ~bit if is_black else self.white | bit,
            self._board.sight_after(self.sight, square, occupied, self.turn),
            self.turn.other,
            self.ply + 1,
            self.is_swapped,
        )

    def _after_swap(self) -> Self:
        if not self._may_swap:
            raise IllegalMoveError(
                "swap",
                rule="morlox/D-X9",
                detail=message("only the second player's first turn may be a swap"),
            )
        # D-X9: the stone stays and it is White's turn still, now the first player's.
        return self._with(self.turn, is_swapped=True)

    def _after_pass(self) -> Self:
        if not self._must_pass:
            raise IllegalMoveError(
                "pass", rule="morlox/D-X8", detail=message("there is a move to make")
            )
        return self._with(self.turn.other, is_swapped=self.is_swapped)

    def _with(self, turn: Colour, *, is_swapped: bool) -> Self:
        return type(self)(
            self.ruleset, self.black, self.white, self.sight, turn, self.ply + 1, is_swapped
        )

    def random_move(self, rng: random.Random) -> str:
        """Return one legal move, each equally likely. Raises ValueError when the game is over."""
        if self._is_won:
            raise ValueError("the game is over")
        return rng.choice(self._moves())

    def playout(self, rng: random.Random) -> Outcome:
        """Return the outcome of playing on at random."""
        if self._is_won:
            return Outcome.won_by(self.side_to_move)
        if self._may_swap and rng.randrange(self._cheap(self.turn).bit_count() + 1) == 0:
            return self._after_swap().playout(rng)
        if self.ruleset.swap and not self.ply:
            return self.play(self.random_move(rng)).playout(rng)  # the next ply may be a swap
        winner = random_winner(
            self._board, self.sight, self.turn, own=self._own, hostile=self._hostile, rng=rng
        )
        return Outcome.won_by(self._side_of(winner))

    def evaluation(self) -> float:
        """Return an estimate from -1 to 1, by the distance between the edges of each side.

        A move counts 1, a barred square 3.
        """
        if self._is_won:
            return 1.0
        turn, other, edges = self.turn, self.turn.other, self._board.edges
        own = self._board.distance(edges[turn], self._own, self._cheap(turn))
        hostile = self._board.distance(edges[other], self._hostile, self._cheap(other))
        return (hostile - own + 0.5) / (hostile + own + 1)  # half a move for having the turn

    def is_plausible(self) -> bool:
        """Return whether the counts fit together as they do in every game. `Morlox.parse` asks."""
        turns, stones = self.ply - self.is_swapped, (self.black | self.white).bit_count()
        return (
            (self.turn is Colour.BLACK) == (turns % 2 == 0)
            and min(turns, 1) <= stones <= turns
            and (self.ply != 1 or self.white == 0)
            and (not self.is_swapped or (self.ruleset.swap and self.ply >= 2))
        )

    def text(self) -> str:
        """Return rows from the top, `b`, `w` or `.` a square, then colour to move, ply, `swapped` or `-`."""
        fields = Fields(self.black, self.white, self.turn, self.ply, self.is_swapped)
        return line_of(fields, self.ruleset.size)

    def cells(self) -> list[Cell]:
        """Return the squares from the top left, row by row.

        Their two grounds are decoration (D-X15).
        """
        return cells_of(self.ruleset.size, black=self.black, white=self.white)

    def traits(self, at: str | None = None) -> list[Trait]:
        """Return the controlled squares and the winning chain, or, with `at`, the stones that square sees."""
        size = self.ruleset.size
        if at is not None:
            return sight_traits(size, at, black=self.black, white=self.white)
        traits = control_traits(size, self._control)
        if self._is_won:
            traits.append(chain_trait(size, self.turn, self._winning_chain))
        return traits

    def notices(self) -> list[Notice]:
        """Return `stones` of each colour, and the facts that hold.

        These are `may-swap`, `swapped`, `must-pass`, `standing-chain` and, with its stones,
        `winning-chain`. A standing chain is the opponent's: he wins unless it is broken
        immediately.
        """
        other = self.turn.other
        near = self._board.edges[other].near
        chain = self._winning_chain.bit_count()
        facts = {
            Notice("may-swap", self.turn.value, 1): self._may_swap,
            Notice("swapped", None, 1): self.is_swapped,
            Notice("must-pass", self.turn.value, 1): self._must_pass,
            Notice("standing-chain", other.value, 1): self._board.has_chain(
                other, self._hostile, near
            ),
            Notice("winning-chain", self.turn.value, chain): self._is_won,
        }
        sets = {Colour.BLACK: self.black, Colour.WHITE: self.white}
        stones = [Notice("stones", colour.value, held.bit_count()) for colour, held in sets.items()]
        return stones + [notice for notice, holds in facts.items() if holds]
