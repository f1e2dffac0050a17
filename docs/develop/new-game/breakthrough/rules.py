"""The rules of Breakthrough: rule set, positions, moves and notation.

The rules page is cited as `breakthrough/move`, `breakthrough/capture`, `breakthrough/end` and
`breakthrough/notation`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from games.core import (
    BadPositionError,
    BadSetupError,
    IllegalMoveError,
    Option,
    Outcome,
    Side,
    UnknownOptionError,
    quote,
)
from games.view import Cell, Goal, Notice, Shape, Trait

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping

    from games.core import Position

_SIZES = range(5, 9)
_FILES = "abcdefgh"
# White begins, at the bottom.
COLOURS = {Side.FIRST: "white", Side.SECOND: "black"}
_LETTERS = {Side.FIRST: "w", Side.SECOND: "b"}
_PIECES = {"w": "white", "b": "black"}
_MOVE = re.compile(r"([a-h][1-8])([-x])([a-h][1-8])")

OPTIONS = (
    Option(
        name="size",
        default="8",
        menu=("5", "6", "7", "8"),
        accepts=frozenset(map(str, _SIZES)).__contains__,
    ),
)


@dataclass(frozen=True)
class Breakthrough:
    """The rules of Breakthrough on a board of `size` x `size` squares."""

    size: int = 8

    family = "breakthrough"
    has_agreement = False
    has_draw_offers = False  # there are no draws
    goals: ClassVar[tuple[Goal, ...]] = (Goal("top", "white"), Goal("bottom", "black"))

    def __post_init__(self) -> None:
        if self.size not in _SIZES:
            raise UnknownOptionError(f"breakthrough: size {self.size} is not between 5 and 8")

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Self:
        """The rule set with these options, defaults for the rest. Raises UnknownOptionError."""
        values = {option.name: option.default for option in OPTIONS} | dict(options)
        if len(values) > len(OPTIONS) or not OPTIONS[0].accepts(values["size"]):
            raise UnknownOptionError(f"breakthrough has not all of {quote(str(options))}")
        return cls(size=int(values["size"]))

    @property
    def options(self) -> dict[str, str]:
        """The options as text, in canonical order."""
        return {"size": str(self.size)}

    @property
    def key(self) -> str:
        """The canonical name, such as `breakthrough(size=8)`."""
        return f"breakthrough(size={self.size})"

    @property
    def max_plies(self) -> int:
        """A bound on the length of a game: every ply brings a piece one rank nearer to its goal."""
        steps_of_a_side = self.size * (self.size - 1) + self.size * (self.size - 2)
        return 2 * steps_of_a_side

    def initial(self, **setup: object) -> BreakthroughPosition:
        """Two full ranks of each side; an integer seed is accepted and changes nothing.

        Raises:
            BadSetupError: for any other argument.
        """
        if setup.keys() - {"seed"} or not isinstance(setup.get("seed", 0), int):
            raise BadSetupError(f"breakthrough takes no set-up: {quote(str(setup))}")
        home, between = 2 * self.size, (self.size - 4) * self.size
        return BreakthroughPosition(self, "w" * home + "." * between + "b" * home)

    def setup_text(self, position: Position) -> str:
        """Empty: nothing is chosen or drawn before the first ply."""
        return ""

    def start(self, setup: str) -> BreakthroughPosition:
        """The starting position, if `setup` is empty. Raises BadSetupError."""
        if setup:
            raise BadSetupError(f"breakthrough has no set-up: {quote(setup)}")
        return self.initial()

    def parse(self, text: str) -> BreakthroughPosition:
        """The position whose `text()` this is. Raises BadPositionError."""
        ranks, _, ply = text.partition(" ")
        squares = "".join(reversed(ranks.split("/")))
        is_board = len(squares) == self.size**2 and set(squares) <= set("wb.")
        is_number = ply.isascii() and ply.isdecimal() and len(ply) <= 3
        if is_board and is_number and int(ply) <= self.max_plies:
            position = BreakthroughPosition(self, squares, int(ply))
            if position.text() == text and position.is_plausible():
                return position
        raise BadPositionError(f"{quote(text)} is no position of {self.key}")

    def square(self, name: str) -> int | None:
        """The number of a square, from a1 rank by rank; None when the board has no such square."""
        if not re.fullmatch("[a-h][1-8]", name):
            return None
        file, rank = _FILES.index(name[0]), int(name[1]) - 1
        return rank * self.size + file if max(file, rank) < self.size else None

    def name(self, square: int) -> str:
        """The name of a square by its number."""
        rank, file = divmod(square, self.size)
        return f"{_FILES[file]}{rank + 1}"

    def move_path(self, move: str) -> tuple[str, ...]:
        """The square that the piece leaves and the one that it comes to."""
        match = _MOVE.fullmatch(move)
        return (match[1], match[3]) if match else ()

    def move_takes(self, move: str) -> tuple[tuple[str, ...], ...]:
        """The square of the piece that is taken, where the move has an x."""
        match = _MOVE.fullmatch(move)
        return ((match[3],),) if match and match[2] == "x" else ()


@dataclass(frozen=True)
class BreakthroughPosition:
    """A position: the squares from a1 rank by rank, `w`, `b` or `.`, and the plies played."""

    ruleset: Breakthrough
    squares: str
    ply: int = 0

    phase = "play"

    @property
    def side_to_move(self) -> Side:
        """The sides move by turns."""
        return Side.SECOND if self.ply % 2 else Side.FIRST

    def colour_of(self, side: Side) -> str:
        """`white` for the first side, `black` for the second."""
        return COLOURS[side]

    def is_plausible(self) -> bool:
        """Return whether there are not too many pieces, and not two winners."""
        home = 2 * self.ruleset.size
        counts = [self.squares.count(letter) for letter in "wb"]
        return max(counts) <= home and any(counts) and len(self._winners()) <= 1

    def _winners(self) -> set[Side]:
        size = self.ruleset.size
        far = {Side.FIRST: self.squares[-size:], Side.SECOND: self.squares[:size]}
        return {
            side
            for side, letter in _LETTERS.items()
            if letter in far[side] or _LETTERS[side.opponent] not in self.squares
        }

    def outcome(self) -> Outcome | None:
        """The side that is on its far rank or has taken every piece (`breakthrough/end`)."""
        winners = self._winners()
        return Outcome.won_by(winners.pop()) if winners else None

    def _steps(self, side: Side) -> Iterator[tuple[int, int]]:
        """Every step that a piece of `side` could make, from square to square."""
        size, letter = self.ruleset.size, _LETTERS[side]
        forward = 1 if side is Side.FIRST else -1
        for start, piece in enumerate(self.squares):
            rank, file = divmod(start, size)
            if piece != letter or not 0 <= rank + forward < size:
                continue
            for across in (-1, 0, 1):
                if 0 <= file + across < size and self._may_step(
                    start, start + forward * size, across
                ):
                    yield start, start + forward * size + across

    def _may_step(self, start: int, ahead: int, across: int) -> bool:
        """Straight on to an empty square, at an angle to one without a piece of one's own."""
        target = self.squares[ahead + across]
        return target == "." or (across != 0 and target != self.squares[start])

    def _text_of(self, start: int, end: int) -> str:
        mark = "-" if self.squares[end] == "." else "x"
        return f"{self.ruleset.name(start)}{mark}{self.ruleset.name(end)}"

    def legal_moves(self) -> list[str]:
        """All legal moves, sorted; empty when the game is over."""
        if self.outcome() is not None:
            return []
        return sorted(self._text_of(*step) for step in self._steps(self.side_to_move))

    def canonical(self, move: str) -> str:
        """The move itself. Raises IllegalMoveError, as `play` does."""
        self.play(move)
        return move

    def play(self, move: str) -> Self:
        """The position after `move`. Raises IllegalMoveError."""
        start, end = self._read(move)
        squares = list(self.squares)
        squares[start], squares[end] = ".", squares[start]
        return type(self)(self.ruleset, "".join(squares), self.ply + 1)

    def _read(self, move: str) -> tuple[int, int]:
        """The squares of a legal move. Raises IllegalMoveError with the paragraph against it."""
        match = _MOVE.fullmatch(move)
        start, end = (match and self.ruleset.square(match[k]) for k in (1, 3))
        if match is None or start is None or end is None:
            raise IllegalMoveError(
                move,
                rule="breakthrough/notation",
                detail="a move is two squares with - or x between",
            )
        if self.outcome() is not None:
            raise IllegalMoveError(move, rule="breakthrough/end", detail="the game is over")
        if (start, end) not in set(self._steps(self.side_to_move)):
            is_straight = start % self.ruleset.size == end % self.ruleset.size
            if is_straight and self.squares[end] != ".":
                raise IllegalMoveError(
                    move, rule="breakthrough/capture", detail="a piece ahead blocks the way"
                )
            raise IllegalMoveError(
                move, rule="breakthrough/move", detail=f"no piece of the side to move goes {move}"
            )
        if self._text_of(start, end) != move:
            raise IllegalMoveError(
                move, rule="breakthrough/notation", detail="x is for captures and - for the others"
            )
        return start, end

    def text(self) -> str:
        """The ranks from the top and the ply, such as `bbbbb/bbbbb/...../wwwww/wwwww 0`."""
        size = self.ruleset.size
        ranks = [self.squares[k : k + size] for k in range(0, size * size, size)]
        return f"{'/'.join(reversed(ranks))} {self.ply}"

    def evaluation(self) -> float:
        """The lead in pieces and in the rank of the foremost one, for the side to move."""
        outcome = self.outcome()
        if outcome is not None:
            return 1.0 if outcome.value == self.side_to_move.value else -1.0
        size = self.ruleset.size
        white_rank = self.squares.rindex("w") // size
        black_rank = size - 1 - self.squares.index("b") // size
        lead = self.squares.count("w") - self.squares.count("b") + white_rank - black_rank
        value = lead / (4 * size)
        return value if self.side_to_move is Side.FIRST else -value

    def random_move(self, rng: random.Random) -> str:
        """One legal move, each equally likely. Raises ValueError when the game is over."""
        moves = self.legal_moves()
        if not moves:
            raise ValueError("the game is over")
        return rng.choice(moves)

    def playout(self, rng: random.Random) -> Outcome:
        """The outcome of playing on with uniformly random legal moves."""
        position = self
        while (outcome := position.outcome()) is None:
            position = position.play(position.random_move(rng))
        return outcome

    def cells(self) -> list[Cell]:
        """The squares from the top left, light and dark by turns."""
        size = self.ruleset.size
        return [
            Cell(
                self.ruleset.name(rank * size + file),
                column=file,
                row=rank,
                ground="dark" if (file + rank) % 2 == 0 else "light",
                piece=_PIECES.get(self.squares[rank * size + file]),
            )
            for rank in reversed(range(size))
            for file in range(size)
        ]

    def traits(self, at: str | None = None) -> list[Trait]:
        """The pieces of each side that the other could take, or the one on `at`."""
        traits = []
        for side in Side:
            steps = self._steps(side.opponent)
            squares = {end for _, end in steps if self.squares[end] != "."}
            cells = tuple(self.ruleset.name(square) for square in sorted(squares))
            cells = cells if at is None else tuple(cell for cell in cells if cell == at)
            if cells:
                traits.append(Trait("in-danger", Shape.SPOT, cells, COLOURS[side]))
        return traits

    def notices(self) -> list[Notice]:
        """Return the number of pieces that each side has left."""
        return [
            Notice("pieces", COLOURS[side], self.squares.count(letter))
            for side, letter in _LETTERS.items()
        ]
