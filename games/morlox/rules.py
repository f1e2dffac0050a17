"""Morlox: the rule set with its options.

Readings of the rule text are cited as `D-X1` to `D-X16`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from games.core import (
    MAX_TEXT,
    BadPositionError,
    BadSetupError,
    Option,
    UnknownOptionError,
    quote,
)
from games.morlox.board import board_of
from games.morlox.fen import fields_from
from games.morlox.position import MorloxPosition
from games.view import Goal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.core import Position

_SIZES = range(2, 27)  # files are single letters

OPTIONS = (
    Option(
        name="size",
        default="11",
        menu=("5", "7", "9", "11", "13", "15", "19"),  # D-X14
        accepts=frozenset(map(str, _SIZES)).__contains__,
    ),
    Option(
        name="swap",
        default="on",
        menu=("on", "off"),
        accepts=frozenset(("on", "off")).__contains__,
    ),
)


@dataclass(frozen=True)
class Morlox:
    """The rules of Morlox on a board of `size` x `size` squares, with or without the pie rule."""

    size: int = 11
    swap: bool = True

    family = "morlox"
    has_agreement = False
    has_draw_offers = False  # D-X12
    goals = (
        Goal("top", "black"),
        Goal("bottom", "black"),
        Goal("left", "white"),
        Goal("right", "white"),
    )

    def __post_init__(self) -> None:
        if self.size not in _SIZES:
            raise UnknownOptionError(f"morlox: size {self.size} is not between 2 and 26")

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Self:
        """Return the rule set with these options, defaults for the rest. Raises UnknownOptionError."""
        values = {option.name: option.default for option in OPTIONS} | dict(options)
        if len(values) > len(OPTIONS):
            raise UnknownOptionError(f"morlox has not all of {quote(','.join(options))}")
        for option in OPTIONS:
            if not option.accepts(values[option.name]):
                raise UnknownOptionError(f"morlox: {option.name} {quote(values[option.name])}")
        return cls(size=int(values["size"]), swap=values["swap"] == "on")

    @property
    def options(self) -> dict[str, str]:
        """Return the options as text, in canonical order."""
        return {"size": str(self.size), "swap": "on" if self.swap else "off"}

    @property
    def key(self) -> str:
        """`morlox(size=11,swap=on)`."""
        return f"morlox({','.join(f'{name}={value}' for name, value in self.options.items())})"

    @property
    def max_plies(self) -> int:
        """Return a bound on the length of a game. Random games take about one ply a square.

        With P = 3 x visible orthogonal pairs + visible diagonal pairs of equal colour, 0 <= P <
        8n^2. Each of the n^2 placements lowers P by at most 8. A flip raises it, unless it is
        *balanced*: by case 2, all eight stones seen, the other four hostile. Therefore at most
        16n^2 flips are not balanced. Balanced flips cannot cycle (D-X12), but no small bound on
        them is proved: they are granted 8n^2. No two passes follow each other, hence twice (1 + 16
        + 8)n^2.
        """
        return 50 * self.size**2

    def initial(self, **setup: object) -> MorloxPosition:
        """Return the empty board with Black to move (D-X15).

        An integer seed is accepted and has no effect.

        Raises:
            BadSetupError: for any other argument.
        """
        if setup.keys() - {"seed"} or not isinstance(setup.get("seed", 0), int):
            raise BadSetupError(f"morlox takes no set-up but an integer seed: {quote(str(setup))}")
        return MorloxPosition(self)

    def setup_text(self, position: Position) -> str:
        """Return an empty text, because there is no choice or draw before the first ply."""
        return ""

    def start(self, setup: str) -> MorloxPosition:
        """Return the empty board, if `setup` is empty. Raises BadSetupError."""
        if setup:
            raise BadSetupError(f"morlox has no set-up: {quote(setup)}")
        return self.initial()

    def parse(self, text: str) -> MorloxPosition:
        """Return the position whose `text()` this is. Raises BadPositionError."""
        fields = fields_from(text, self.size) if len(text) <= MAX_TEXT else None
        if fields is not None:
            position = MorloxPosition(
                self,
                fields.black,
                fields.white,
                board_of(self.size).sight_of(fields.black, fields.white),
                turn=fields.turn,
                ply=min(fields.ply, self.max_plies),
                is_swapped=fields.is_swapped,
            )
            if position.text() == text and position.is_plausible():
                return position
        raise BadPositionError(f"{quote(text)} is no position of {self.key}")

    def move_path(self, move: str) -> tuple[str, ...]:
        """Return the square of a placement or flip, or an empty path for `swap`, `pass` and other texts."""
        board = board_of(self.size)
        square = board.placements.get(move, board.flips.get(move))
        return () if square is None else (board.names[square],)

    def move_takes(self, move: str) -> tuple[tuple[str, ...], ...]:
        """Return no captures, because a flip is on the square of the move."""
        return ()
