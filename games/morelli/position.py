"""Positions of Morelli: their text, their legal moves and the position after each.

Rules are cited by paragraph through the edition, readings of them as D-M1 to D-M25.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from games.core import (
    AGREE,
    IllegalMoveError,
    Outcome,
    Ruleset,
    Side,
)
from games.messages import message
from games.morelli import chance, fen, frames, moves, notation
from games.morelli.board import board, cells_of
from games.morelli.display import COLOURS, display_cells
from games.morelli.editions import Edition, Law
from games.morelli.evaluation import evaluation
from games.morelli.move_checker import MoveChecker
from games.morelli.moves import Stones
from games.view import Cell, Notice, Trait

if TYPE_CHECKING:
    import random

    from games.morelli.board import MorelliBoard
    from games.morelli.setup import Start


class MorelliRules(Ruleset, Protocol):
    """The part of its rule set that a position needs."""

    @property
    def edition(self) -> Edition:
        """Return the edition of the rules."""
        ...

    @property
    def placements(self) -> int:
        """Return the plies of a placement phase."""
        ...


@dataclass(frozen=True, slots=True)
class MorelliPosition:
    """A position of Morelli.

    Attributes:
        ruleset: the rules it is played by.
        start: how the game began.
        black: the cells of Black's pieces as a set. `white` likewise.
        white: see `black`.
        throne: the colour of the King on the Throne.
        side_to_move: the side to decide.
        ply: plies played.
        is_agreed: whether the sides have agreed to end the game.
    """

    ruleset: MorelliRules
    start: Start
    black: int
    white: int
    throne: Side | None
    side_to_move: Side
    ply: int
    is_agreed: bool

    @property
    def phase(self) -> str:
        """`placement` until the outermost band is full, then `play`."""
        return "placement" if self._vacant() else "play"

    def colour_of(self, side: Side) -> str:
        """`black` for the first side, `white` for the second, from start to end."""
        return COLOURS[side]

    def legal_moves(self) -> list[str]:
        """Return all legal moves in canonical form, sorted by code point, empty when the game is over."""
        if self.is_agreed:
            return []
        table = self._board()
        if vacant := self._vacant():
            return sorted(f"@{table.names[cell]}" for cell in cells_of(vacant))
        edition = self.ruleset.edition
        return sorted(
            notation.turn_text(table, turn) for turn in moves.turns(table, self.stones(), edition)
        )

    def play(self, move: str) -> MorelliPosition:
        """Return the position after `move`.

        Raises IllegalMoveError with the paragraph that refuses it.
        """
        self._check_going_on(move)
        if move == AGREE:
            # 8.1 / 7.1: at any earlier moment by agreement. D-M1: the Throne decides, as at any
            # other end.
            return replace(self, is_agreed=True, ply=self.ply + 1)
        if self._vacant():
            return self._after_placement(self._placement_cell(move))
        return self._after_turn(self._checker(move).turn())

    def canonical(self, move: str) -> str:
        """`move` with all it does named and without `//` (D-M25).

        Raises IllegalMoveError as `play` does.
        """
        self._check_going_on(move)
        if move == AGREE:
            return move
        if self._vacant():
            return f"@{self._board().names[self._placement_cell(move)]}"
        return notation.turn_text(self._board(), self._checker(move).turn())

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game, or None while it is not over."""
        if not self.is_agreed and self._can_move():
            return None
        # 3.2, 3.3 / 3.1, 3.4: the owner of the King on the Throne wins. While it is vacant, the
        # game is drawn. D-M3, D-M4: no matter which side is stuck, and only the side to move
        # counts.
        return Outcome.DRAW if self.throne is None else Outcome.won_by(self.throne)

    def text(self) -> str:
        """Board, side to move, Throne, phase, ply, agreement and set-up in one line."""
        return fen.line_of(self)

    def evaluation(self) -> float:
        """Return an estimate from the Throne, unfinished frames and mobility, exact at the end."""
        outcome = self.outcome()
        if outcome is Outcome.DRAW:
            return 0.0
        if outcome is not None:
            return 1.0 if outcome == Outcome.won_by(self.side_to_move) else -1.0
        return 0.0 if self._vacant() else evaluation(self._board(), self.stones())

    def random_move(self, rng: random.Random) -> str:
        """Return one legal move, each equally likely. Raises ValueError when the game is over."""
        table, turn = self._board(), None
        if (vacant := self._vacant()) and not self.is_agreed:
            return f"@{table.names[rng.choice(cells_of(vacant))]}"
        if not self.is_agreed:
            turn = chance.random_turn(table, self.ruleset.edition, self.stones(), rng)
        if turn is None:
            raise ValueError("the game is over")
        return notation.turn_text(table, turn)

    def playout(self, rng: random.Random) -> Outcome:
        """Return the outcome of playing on, each move of `legal_moves` equally likely."""
        outcome = self.outcome()
        if outcome is not None:
            return outcome
        position = self
        while vacant := position._vacant():
            position = position._after_placement(rng.choice(cells_of(vacant)))
        last = chance.random_end(position._board(), self.ruleset.edition, position.stones(), rng)
        if last.is_mover_enthroned:
            return Outcome.won_by(position.side_to_move)
        if last.is_other_enthroned:
            return Outcome.won_by(position.side_to_move.opponent)
        return Outcome.DRAW

    def perft(self, depth: int) -> int:
        """Return the number of sequences of exactly `depth` legal moves."""
        if depth <= 0 or self.is_agreed:
            return int(depth == 0)
        if vacant := self._vacant():
            return sum(self._after_placement(cell).perft(depth - 1) for cell in cells_of(vacant))
        return moves.perft(self._board(), self.stones(), self.ruleset.edition, depth)

    def cells(self) -> tuple[Cell, ...]:
        """Return the board in reading order.

        Grounds are `throne` and `band-1`, ... counted from the centre (D-M21).
        """
        size = self.ruleset.size
        return display_cells(size, black=self.black, white=self.white, throne=self.throne)

    def traits(self, at: str | None = None) -> list[Trait]:
        """Return the frames that are complete or lack one corner, or, with `at`, the frame with a corner there."""
        size = self.ruleset.size
        return (
            frames.frames(size, black=self.black, white=self.white)
            if at is None
            else frames.frame_at(size, at)
        )

    def notices(self) -> tuple[Notice, ...]:
        """Return `throne` with the colour of the King there (count 1) or without one (0).

        In a placement phase the notices contain `to-place` too, with the plies left. If the game is
        over because the side to move is stuck, `cannot-move` with its colour comes first.
        """
        colour = None if self.throne is None else COLOURS[self.throne]
        throne = Notice("throne", colour, 0 if colour is None else 1)
        if not self._vacant():
            can_move = self._can_move()
            stuck = () if can_move else (Notice("cannot-move", COLOURS[self.side_to_move], 1),)
            return (*stuck, throne)
        return throne, Notice(
            "to-place", COLOURS[self.side_to_move], self.ruleset.placements - self.ply
        )

    def stones(self) -> Stones:
        """Return the pieces and Kings as the side to move sees them."""
        owns, other_owns = (
            self.throne is self.side_to_move,
            self.throne is self.side_to_move.opponent,
        )
        if self.side_to_move is Side.FIRST:
            return Stones(self.black, self.white, owns, other_owns)
        return Stones(self.white, self.black, owns, other_owns)

    def _board(self) -> MorelliBoard:
        return board(self.ruleset.size)

    def _vacant(self) -> int:
        """Return the vacant cells of the outermost band in a placement phase, else the empty set."""
        if self.start.ring is not None:
            return 0
        table = self._board()
        pieces = self.black | self.white
        return table.outer & ~pieces if pieces.bit_count() < len(table.ring) else 0

    def _can_move(self) -> bool:
        return bool(self._vacant()) or moves.can_move(self._board(), self.stones())

    def _check_going_on(self, move: str) -> None:
        if self.outcome() is not None:
            rule = self.ruleset.edition.cite(Law.END)
            raise IllegalMoveError(move, rule=rule, detail=message("the game is over"))

    def _checker(self, move: str) -> MoveChecker:
        edition = self.ruleset.edition
        if notation.parse_placement(move) is not None:
            raise IllegalMoveError(
                move, rule=edition.cite(Law.PLACEMENT), detail=message("the set-up is complete")
            )
        return MoveChecker(self._board(), edition, self.stones(), move)

    def _placement_cell(self, move: str) -> int:
        edition, table = self.ruleset.edition, self._board()
        name = notation.parse_placement(move)
        if name is None and notation.is_move_text(move):
            raise IllegalMoveError(
                move, rule=edition.cite(Law.PLACEMENT), detail=message("the set-up is not complete")
            )
        if name is None:
            raise IllegalMoveError(
                move,
                rule=edition.cite(Law.NOTATION),
                detail=message("this is no placement such as @A5"),
            )
        cell = notation.cell_on(table, name, move=move, edition=edition)
        if not self._vacant() >> cell & 1:
            raise IllegalMoveError(
                move,
                rule=edition.cite(Law.PLACEMENT),
                detail=message("%(cell)s is not a vacant cell of the outermost band"),
                cell=name,
            )
        return cell

    def _after_placement(self, cell: int) -> MorelliPosition:
        black, white, bit, ply = self.black, self.white, 1 << cell, self.ply + 1
        if self.ruleset.edition is Edition.REVISED:
            # 2.3.2, D-M18: a black piece on the cell named, a white one diametrically opposite.
            black, white = black | bit, white | 1 << self._board().opposite(cell)
        elif self.side_to_move is Side.FIRST:
            black |= bit  # 2.6, D-M19: one stone of one's own colour.
        else:
            white |= bit
        return replace(
            self,
            black=black,
            white=white,
            ply=ply,
            side_to_move=fen.placing_side(ply, self.ruleset.placements),
        )

    def _after_turn(self, turn: moves.MorelliTurn) -> MorelliPosition:
        mover = self.side_to_move
        stones = moves.after(self.stones(), turn)
        is_black = mover is Side.FIRST
        return MorelliPosition(
            self.ruleset,
            self.start,
            black=stones.other if is_black else stones.mover,
            white=stones.mover if is_black else stones.other,
            throne=mover if turn.is_enthroning else self.throne,
            side_to_move=mover.opponent,
            ply=self.ply + 1,
            is_agreed=False,
        )
