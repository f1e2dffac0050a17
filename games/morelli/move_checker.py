"""Checks one move against the rules without listing the others.

The result is the turn that the text means, or the paragraph that refuses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.core import IllegalMoveError
from games.messages import message
from games.morelli import moves
from games.morelli.board import cells_of
from games.morelli.editions import Edition, Law
from games.morelli.moves import MorelliTurn, Step, Stones
from games.morelli.notation import cell_list, cell_on, parse_move

if TYPE_CHECKING:
    from games.morelli.board import MorelliBoard
    from games.morelli.notation import MoveText


@dataclass(frozen=True, slots=True)
class MoveChecker:
    """A judge of the move `text` for the `stones` on `board`."""

    board: MorelliBoard
    edition: Edition
    stones: Stones
    text: str

    def turn(self) -> MorelliTurn:
        """Return the turn the text means. Raises IllegalMoveError."""
        move_text = parse_move(self.text)
        if move_text is None:
            raise self._refusal(
                Law.NOTATION, message("this is no move such as D12-G9 xF8H8 or L10-K9*")
            )
        step = Step(self._cell(move_text.start), self._cell(move_text.end))
        self._check_step(step)
        if self.edition is Edition.REVISED:
            return self._revised_turn(step, move_text)
        return self._original_turn(step, move_text)

    def _check_step(self, step: Step) -> None:
        board, stones, names = self.board, self.stones, self.board.names
        start, end = step
        pieces = stones.mover | stones.other
        if not stones.mover >> start & 1:
            raise self._refusal(
                Law.TURN,
                message("no %(piece)s of the side to move is on %(cell)s"),
                piece=self.edition.piece,
                cell=names[start],
            )
        if end == board.throne:
            raise self._refusal(
                Law.LANDING_ON_THRONE,
                message("no piece lands on the %(throne)s"),
                throne=self.edition.throne,
            )
        between = board.between(start, end)
        if between is None:
            raise self._refusal(
                Law.LINE,
                message("%(start)s and %(end)s are not on one line"),
                start=names[start],
                end=names[end],
            )
        if board.depth[end] >= board.depth[start]:
            raise self._refusal(
                Law.INWARDS,
                message("%(end)s is not closer to the %(throne)s than %(start)s"),
                start=names[start],
                end=names[end],
                throne=self.edition.throne,
            )
        if pieces >> end & 1:
            raise self._refusal(Law.OBSTACLE, message("%(cell)s is occupied"), cell=names[end])
        if between & pieces:
            raise self._refusal(
                Law.OBSTACLE,
                message("%(cells)s is in the way"),
                cells=cell_list(board, between & pieces),
            )
        if between & stones.obstacles(board):
            raise self._refusal(
                Law.CROSSING_THRONE,
                message("the %(throne)s is occupied"),
                throne=self.edition.throne,
            )

    def _revised_turn(self, step: Step, move_text: MoveText) -> MorelliTurn:
        (turn,) = moves.turns_of_step(self.board, self.stones, step, self.edition)
        # D-M25: effects may be left out altogether on input, for they are compulsory. They may not
        # be left out in part.
        if not move_text.has_effects:
            return turn
        captures = self._named_captures(step, move_text, turn.captured)
        if captures != turn.captured:
            missing = cell_list(self.board, turn.captured & ~captures)
            raise self._refusal(
                Law.ALL_CAPTURES,
                message("the move also captures %(cells)s; this is not a choice"),
                cells=missing,
            )
        if move_text.is_enthroning and not turn.is_enthroning:
            raise self._no_enthroning(step, captures)
        if turn.is_enthroning and not move_text.is_enthroning:
            raise self._refusal(
                Law.ENTHRONING,
                message("the move completes a frame, so the King takes the Throne: *"),
            )
        return turn

    def _original_turn(self, step: Step, move_text: MoveText) -> MorelliTurn:
        possible = moves.captures(self.board, self.stones, step)
        captures = self._named_captures(step, move_text, possible)
        turn = MorelliTurn(step, captures, move_text.is_enthroning)
        if move_text.is_enthroning and (
            self.stones.is_mover_enthroned
            or not moves.completes_frame(self.board, self.stones, step, captures)
        ):
            raise self._no_enthroning(step, captures)
        return turn

    def _named_captures(self, step: Step, move_text: MoveText, possible: int) -> int:
        """Return the set of cells named after `x`, all of them in `possible`."""
        cells = [self._cell(name) for name in move_text.captured]
        if cells != sorted(set(cells)):
            raise self._refusal(
                Law.NOTATION,
                message("captured cells are named once each, by file, then rank"),
            )
        captures = sum(1 << cell for cell in cells)
        for cell in cells_of(captures & ~possible):
            raise self._no_capture(step, cell, possible)
        return captures

    def _no_capture(self, step: Step, cell: int, possible: int) -> IllegalMoveError:
        board, name = self.board, self.board.names[cell]
        if not self.stones.other >> cell & 1:
            return self._refusal(
                Law.CAPTURE,
                message("no %(piece)s of the opponent is on %(cell)s"),
                piece=self.edition.piece,
                cell=name,
            )
        if board.outer >> cell & 1:
            return self._refusal(
                Law.OUTERMOST_IMMUNE, message("%(cell)s is on the outermost band"), cell=name
            )
        mover = self.stones.mover & ~(1 << step.start) | possible | 1 << step.end
        if self._is_flanked_by_converts(cell, mover, possible):
            return self._refusal(
                Law.RIPPLE,
                message("%(cell)s is flanked only through a %(piece)s just captured"),
                cell=name,
                piece=self.edition.piece,
            )
        return self._refusal(Law.CAPTURE, message("the move does not flank %(cell)s"), cell=name)

    def _is_flanked_by_converts(self, cell: int, mover: int, converts: int) -> bool:
        return any(
            bracket.victim == 1 << cell and bracket.flanker & mover
            for convert in cells_of(converts)
            for bracket in self.board.brackets[convert]
        )

    def _no_enthroning(self, step: Step, captures: int) -> IllegalMoveError:
        board, stones = self.board, self.stones
        if stones.is_mover_enthroned:
            return self._refusal(
                Law.ALREADY_ENTHRONED,
                message("the mover's %(king)s is on the %(throne)s already"),
                king=self.edition.king,
                throne=self.edition.throne,
            )
        mine = stones.mover & ~(1 << step.start) | captures | 1 << step.end
        if any(frame & mine == frame for frame in board.inner_frames):
            return self._refusal(Law.STANDING_FRAME, message("the frame existed before this move"))
        return self._refusal(Law.ENTHRONING, message("the move completes no frame"))

    def _cell(self, name: str) -> int:
        return cell_on(self.board, name, move=self.text, edition=self.edition)

    def _refusal(self, law: Law, detail: str, **parts: str) -> IllegalMoveError:
        return IllegalMoveError(self.text, rule=self.edition.cite(law), detail=detail, **parts)
