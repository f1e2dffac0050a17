"""The interface every game fulfils: sides, outcomes, rule sets, positions and their errors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

    from games.view import Cell, Goal, Notice, Trait

# Text longer than this is garbage. Errors quote only its beginning.
MAX_TEXT = 4096
# The ply that ends a game by agreement, if the rules know one (`Ruleset.has_agreement`).
AGREE = "agree"
_MAX_QUOTED = 60


class Side(StrEnum):
    """One of the two persons at the board.

    FIRST makes the first ply of the game, SECOND is the other.

    A side is a person, not a colour: after a Morlox swap a side owns the other colour.
    """

    FIRST = "first"
    SECOND = "second"

    @property
    def opponent(self) -> Side:
        """Return the other side."""
        return Side.SECOND if self is Side.FIRST else Side.FIRST


class Outcome(StrEnum):
    """The result of a finished game: the winning side, or a draw."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"

    @classmethod
    def won_by(cls, side: Side) -> Outcome:
        """Return the outcome in which `side` wins."""
        return cls(side.value)


def quote(text: str) -> str:
    """`text` for an error message, quoted and escaped, cut after 60 characters."""
    return repr(text if len(text) <= _MAX_QUOTED else text[:_MAX_QUOTED] + "…")


class RulesError(ValueError):
    """Base of all exceptions that this package raises on wrong input.

    `code` is stable. The message includes the input.
    """

    code = "rules"


class UnknownRulesetError(RulesError):
    """A key that names no rule set, or is not of the form `family(option=value,...)`."""

    code = "unknown-ruleset"


class UnknownOptionError(RulesError):
    """An option the family does not have, or a value the option does not take."""

    code = "unknown-option"


class BadSetupError(RulesError):
    """Set-up arguments that describe no starting position, such as a ring of the wrong length."""

    code = "bad-setup"


class BadPositionError(RulesError):
    """A text that is no position of the rule set."""

    code = "bad-position"


class BadRecordError(RulesError):
    """A text that is no game record, or whose moves cannot be played.

    Attributes:
        line, column: the place in the text, both from 1, or 0 if that cannot be said.
    """

    code = "bad-record"

    def __init__(self, message: str, *, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class IllegalMoveError(RulesError):
    """A move the rules refuse here.

    Attributes:
        move: the text as it was given.
        rule: the paragraph or decision that refuses it, such as `morelli-2015/4.2.1`,
            `morlox/control`, `perfect/D-P15`. It is `.../notation` if the text is no move at all.
        pattern: the error, in English, with a place such as `%(cell)s` for each of `parts`.
            `games.messages.message` marks it, so that interfaces can show it in other languages.
        parts: the values of the places: cells, or words that are marked as well.
        detail: the pattern with its parts.
    """

    code = "illegal-move"

    def __init__(self, move: str, *, rule: str, detail: str, **parts: str) -> None:
        self.pattern = detail
        self.parts = parts
        self.detail = detail % parts if parts else detail
        super().__init__(f"{quote(move)}: {self.detail} [{rule}]")
        self.move = move
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a family of rule sets, as written in a key: `name=value`.

    Attributes:
        name: the word before the equals sign.
        default: the value of a key that does not name the option.
        menu: the values to offer a person, in order of display. May be fewer than `accepts` takes.
        accepts: whether a value, exactly as written, is one the option takes at all.
    """

    name: str
    default: str
    menu: tuple[str, ...]
    accepts: Callable[[str], bool]


class Position(Protocol):
    """A position of one game: immutable, hashable, compared by value.

    `side_to_move` and the colours are for persons: see `Side`. A *ply* is one decision by one side
    and a side may decide twice in a row, so never derive the side to move from the ply's
    parity.
    """

    def __hash__(self) -> int:
        """Return a number that equal positions share."""
        ...

    @property
    def ruleset(self) -> Ruleset:
        """Return the rule set this position belongs to."""
        ...

    @property
    def ply(self) -> int:
        """Return the number of plies that led here from the initial position, 0 or more."""
        ...

    @property
    def side_to_move(self) -> Side:
        """Return the side to decide. In a finished game it is the side that would be to move."""
        ...

    @property
    def phase(self) -> str:
        """Return the phase of play as a stable word: `play`, `placement`, `tiles`, `men`, ..."""
        ...

    def colour_of(self, side: Side) -> str:
        """Return the colour `side` plays now, in lower case: `black`, `white`, `red` or `blue`."""
        ...

    def legal_moves(self) -> list[str]:
        """Return all legal moves, unique and sorted by code point, empty exactly when the game is over."""
        ...

    def play(self, move: str) -> Self:
        """Return the position after `move`. This position is not changed.

        Raises:
            IllegalMoveError: with the paragraph, when the rules refuse `move` here or it is no move
                at all.
        """
        ...

    def canonical(self, move: str) -> str:
        """Return the one spelling under which the legal `move` is stored: the move itself in most games.

        Raises:
            IllegalMoveError: exactly when `play(move)` does, if a game has several spellings of one
                move.
        """
        return move

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game, or None while it is not over."""
        ...

    def text(self) -> str:
        """Return the position as one line of printable ASCII, at most 4,096 characters.

        `Ruleset.parse` reads it back.
        """
        ...

    def evaluation(self) -> float:
        """Return an estimate for the side to move, from -1 (lost) to 1 (won), cheap enough for engines."""
        ...

    def random_move(self, rng: random.Random) -> str:
        """Return one legal move, each equally likely. Raises ValueError when the game is over."""
        ...

    def playout(self, rng: random.Random) -> Outcome:
        """Return the outcome of playing on with uniformly random legal moves.

        Much faster than `random_move` in a loop.
        """
        ...

    def cells(self) -> Sequence[Cell]:
        """Return the board for display, one `Cell` a square.

        The order is from the top left as the first side sees it.
        """
        ...

    def traits(self, at: str | None = None) -> Sequence[Trait]:
        """Return the features of the board worth pointing out, or those about one cell.

        Empty for a cell that the board does not have.
        """
        ...

    def notices(self) -> Sequence[Notice]:
        """Facts beside the board: men in hand, tiles left, the King on the Throne, ..."""
        ...


class Ruleset(Protocol):
    """The rules of one game with all its options fixed. Compared by `key`."""

    @property
    def key(self) -> str:
        """Return the canonical name with every option, such as `morlox(size=11,swap=on)`."""
        ...

    @property
    def family(self) -> str:
        """Return the registry's name of the game, such as `morelli`."""
        ...

    @property
    def options(self) -> Mapping[str, str]:
        """Return the options of `key` as text, in canonical order."""
        ...

    @property
    def size(self) -> int:
        """Cells along one edge of the square board."""
        ...

    @property
    def max_plies(self) -> int:
        """Return no game is longer than this many plies."""
        ...

    @property
    def has_agreement(self) -> bool:
        """Return whether `play("agree")` ends the game by agreement (it is never listed)."""
        ...

    @property
    def has_draw_offers(self) -> bool:
        """Return whether the players may agree on a draw.

        True where draws exist and the rules know no other agreement.
        """
        ...

    @property
    def goals(self) -> Sequence[Goal]:
        """Return coloured edges or areas of the board, for display, or an empty sequence if the game has no such areas."""
        ...

    def initial(self, **setup: object) -> Position:
        """Return the starting position.

        The arguments are the family's own, and `seed=INT` always works.

        Raises:
            BadSetupError: arguments that are unknown or do not fit the rule set.
        """
        ...

    def setup_text(self, position: Position) -> str:
        """Return the choices before the first ply of `position`, as `name=value,...`.

        The text is empty without choices. `initial(**parsed)` of it gives an equal start. It is
        stored with the game.
        """
        ...

    def start(self, setup: str) -> Position:
        """Return the starting position described by a `setup_text`. Raises BadSetupError."""
        ...

    def parse(self, text: str) -> Position:
        """Return the position whose `text()` this is. Raises BadPositionError."""
        ...

    def move_path(self, move: str) -> tuple[str, ...]:
        """Return the cells that a person clicks, in order, to make `move`.

        Empty for moves without a cell such as `pass`.

        Several legal moves may share one path: the person then chooses between them by name.
        """
        ...

    def move_takes(self, move: str) -> tuple[tuple[str, ...], ...]:
        """Return, for each step of `move_path`, the cells of the pieces that it takes or turns.

        There is one entry for each cell of the path after the first, read off the text of the move.
        Empty for moves whose text contains no captures.
        """
        ...
