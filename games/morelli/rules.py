"""Morelli: the rule set with its options, and its positions. Black is the first side (4.1).

Sources: Richard Moxham's revised rules (2015) and the original rules; decisions D-M1 to D-M25
settle doubts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from games.core import (
    AGREE,
    BadPositionError,
    BadSetupError,
    IllegalMoveError,
    Option,
    Outcome,
    Side,
    UnknownOptionError,
    quote,
)
from games.messages import message
from games.morelli import chance, fen, frames, moves, notation
from games.morelli.board import SIZES, board, cells_of
from games.morelli.display import COLOURS, display_cells
from games.morelli.editions import Edition, Law
from games.morelli.evaluation import evaluation
from games.morelli.move_checker import MoveChecker
from games.morelli.moves import Stones
from games.morelli.setup import SETUPS, Start, start_for
from games.view import Cell, Goal, Notice, Trait

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from games.core import Position
    from games.morelli.board import MorelliBoard

_ALL_SETUPS = tuple(dict.fromkeys(setup for setups in SETUPS.values() for setup in setups))

OPTIONS = (
    Option("edition", Edition.REVISED.value, tuple(Edition), frozenset(Edition).__contains__),
    Option("size", "13", ("7", "9", "11", "13"), frozenset(map(str, SIZES)).__contains__),
    # The default is the revised edition's; the original edition starts `facing`.
    Option("setup", SETUPS[Edition.REVISED][0], _ALL_SETUPS, frozenset(_ALL_SETUPS).__contains__),
)


@dataclass(frozen=True, slots=True)
class Morelli:
    """The rules of Morelli in one edition, on one size of board, with one way to set up."""

    edition: Edition = Edition.REVISED
    size: int = 13
    setup: str = "random"

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Self:
        """The rule set with these options, defaults for the rest. Raises UnknownOptionError."""
        accepts = {option.name: option.accepts for option in OPTIONS}
        for name, value in options.items():
            if name not in accepts or not accepts[name](value):
                raise UnknownOptionError(f"morelli takes no {quote(f'{name}={value}')}")
        edition = Edition(options.get("edition", Edition.REVISED))
        setup = options.get("setup", SETUPS[edition][0])
        if setup not in SETUPS[edition]:
            raise UnknownOptionError(
                f"morelli(edition={edition}) takes no {quote(f'setup={setup}')}"
            )
        return cls(edition, int(options.get("size", "13")), setup)

    @property
    def key(self) -> str:
        """Such as `morelli(edition=revised,size=13,setup=random)`."""
        return (
            f"{self.family}({','.join(f'{name}={value}' for name, value in self.options.items())})"
        )

    @property
    def family(self) -> str:
        """`morelli`."""
        return "morelli"

    @property
    def options(self) -> Mapping[str, str]:
        """The options of `key`."""
        return {"edition": self.edition.value, "size": str(self.size), "setup": self.setup}

    @property
    def max_plies(self) -> int:
        """No game is longer: placements, then as many moves as `MorelliBoard.most_moves` (D-M24)."""
        may_place = self.setup in {"placement", "free", "ballot"}
        return board(self.size).most_moves + (self.placements if may_place else 0)

    @property
    def placements(self) -> int:
        """The plies of a placement phase: pairs (revised, 2.3) or stones (original, 2.6)."""
        ring = len(board(self.size).ring)
        return ring // 2 if self.edition is Edition.REVISED else ring

    @property
    def has_agreement(self) -> bool:
        """Both editions know an end by agreement: 8.1 / 7.1."""
        return True

    @property
    def has_draw_offers(self) -> bool:
        """An agreement is not a draw: the Throne decides (D-M1)."""
        return False

    @property
    def goals(self) -> tuple[Goal, ...]:
        """None: the only goal is the Throne."""
        return ()

    def initial(self, **setup: object) -> MorelliPosition:
        """The starting position.

        Args:
            setup: `seed` (default 0) draws the ring of a random set-up or the votes of a ballot;
                `ring` is text, full or, in the revised edition, its first half; `votes` or `mode`
                settle a ballot.

        Raises:
            BadSetupError: arguments that are unknown or do not fit the rule set.
        """
        table = board(self.size)
        start = start_for(table, self.edition, self.setup, setup)
        black = white = 0
        if start.ring is not None:
            black = sum(
                1 << cell
                for cell, letter in zip(table.ring, start.ring, strict=True)
                if letter == "B"
            )
            white = table.outer & ~black
        # 2.4 / 3.2: the Throne is vacant at the start.
        return MorelliPosition(self, start, black, white, None, Side.FIRST, 0, is_agreed=False)

    def setup_text(self, position: Position) -> str:
        """`ring=...`, `votes=...`, `mode=...` or nothing where the key says it all."""
        if not isinstance(position, MorelliPosition):
            raise TypeError(f"{position!r} is no position of Morelli")
        return position.start.text

    def start(self, setup: str) -> MorelliPosition:
        """The starting position described by a `setup_text`. Raises BadSetupError."""
        arguments: dict[str, object] = {}
        for part in setup.split(",") if setup else ():
            name, equals, value = part.partition("=")
            if not (name and equals and value) or name in arguments:
                raise BadSetupError(f"{quote(setup)} is no set-up such as 'ring=BW...'")
            arguments[name] = value
        return self.initial(**arguments)

    def parse(self, text: str) -> MorelliPosition:
        """The position whose `text()` this is. Raises BadPositionError."""
        fields = fen.fields_from(text, self.size)
        try:
            first = self.start(fields.setup)
        except BadSetupError as error:
            raise BadPositionError(f"{quote(text)}: {error}") from error
        position = replace(
            first,
            black=fields.black,
            white=fields.white,
            throne=fields.throne,
            side_to_move=fields.side_to_move,
            ply=fields.ply,
            is_agreed=fields.is_agreed,
        )
        flaw = fen.flaw(position) or (
            "" if position.text() == text else "not in its one canonical form"
        )
        if flaw:
            raise BadPositionError(f"{quote(text)}: {flaw}")
        return position

    def move_path(self, move: str) -> tuple[str, ...]:
        """The cells to click: where from and where to, or where a stone is placed."""
        move_text = notation.parse_move(move)
        if move_text is not None:
            return move_text.start, move_text.end
        cell = notation.parse_placement(move)
        return () if cell is None else (cell,)

    def move_takes(self, move: str) -> tuple[tuple[str, ...], ...]:
        """The pieces captured on landing."""
        move_text = notation.parse_move(move)
        return () if move_text is None else (move_text.captured,)


@dataclass(frozen=True, slots=True)
class MorelliPosition:
    """A position of Morelli.

    Attributes:
        ruleset: the rules it is played by.
        start: how the game began.
        black: the cells of Black's pieces as a set; `white` likewise.
        white: see `black`.
        throne: whose King is on the Throne.
        side_to_move: whose decision it is.
        ply: plies played.
        is_agreed: whether the sides have agreed to end the game.
    """

    ruleset: Morelli
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
        """All legal moves in canonical form, sorted by code point; empty when the game is over."""
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
        """The position after `move`. Raises IllegalMoveError with the paragraph that refuses it."""
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
        """How the game ended, or None while it goes on."""
        if not self.is_agreed and self._can_move():
            return None
        # 3.2, 3.3 / 3.1, 3.4: the owner of the King on the Throne wins; while it is vacant, the
        # game is drawn. D-M3, D-M4: no matter which side is stuck, and only the side to move
        # counts.
        return Outcome.DRAW if self.throne is None else Outcome.won_by(self.throne)

    def text(self) -> str:
        """Board, side to move, Throne, phase, ply, agreement and set-up in one line."""
        return fen.line_of(self)

    def evaluation(self) -> float:
        """An estimate from the Throne, unfinished frames and mobility; exact at the end."""
        outcome = self.outcome()
        if outcome is Outcome.DRAW:
            return 0.0
        if outcome is not None:
            return 1.0 if outcome == Outcome.won_by(self.side_to_move) else -1.0
        return 0.0 if self._vacant() else evaluation(self._board(), self.stones())

    def random_move(self, rng: random.Random) -> str:
        """One legal move, each equally likely. Raises ValueError when the game is over."""
        table, turn = self._board(), None
        if (vacant := self._vacant()) and not self.is_agreed:
            return f"@{table.names[rng.choice(cells_of(vacant))]}"
        if not self.is_agreed:
            turn = chance.random_turn(table, self.ruleset.edition, self.stones(), rng)
        if turn is None:
            raise ValueError("the game is over")
        return notation.turn_text(table, turn)

    def playout(self, rng: random.Random) -> Outcome:
        """The outcome of playing on, each move of `legal_moves` equally likely."""
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
        """The number of sequences of exactly `depth` legal moves."""
        if depth <= 0 or self.is_agreed:
            return int(depth == 0)
        if vacant := self._vacant():
            return sum(self._after_placement(cell).perft(depth - 1) for cell in cells_of(vacant))
        return moves.perft(self._board(), self.stones(), self.ruleset.edition, depth)

    def cells(self) -> tuple[Cell, ...]:
        """The board in reading order.

        Grounds are `throne` and `band-1`, ... counted from the centre (D-M21).
        """
        size = self.ruleset.size
        return display_cells(size, black=self.black, white=self.white, throne=self.throne)

    def traits(self, at: str | None = None) -> list[Trait]:
        """The frames that stand or lack one corner; with `at`, the frame with a corner there."""
        size = self.ruleset.size
        return (
            frames.frames(size, black=self.black, white=self.white)
            if at is None
            else frames.frame_at(size, at)
        )

    def notices(self) -> tuple[Notice, ...]:
        """`throne` with the colour of the King there (count 1) or none (0).

        In a placement phase `to-place` too, with the plies left; where the game is over because the
        side to move is stuck, `cannot-move` with its colour before all.
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
        """The pieces and Kings as the side to move sees them."""
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
        """In a placement phase the vacant cells of the outermost band, else the empty set."""
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
