"""The Perfect Game?: the rule set with its options.

Readings of the rule text are cited as `D-P1` to `D-P25`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Self

from games.core import (
    MAX_TEXT,
    BadPositionError,
    BadSetupError,
    IllegalMoveError,
    Option,
    UnknownOptionError,
    quote,
)
from games.perfect.board import NAMES, SIZE, Colour
from games.perfect.layout import Layout
from games.perfect.notation import parse_move
from games.perfect.position import PerfectPosition
from games.perfect.tiles import TILES, Stock

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.core import Position
    from games.view import Goal

_LIMITS = range(1, 2001)

OPTIONS = (
    Option(
        name="first",
        default="red",
        menu=("red", "blue"),
        accepts=frozenset(("red", "blue")).__contains__,
    ),
    Option(
        name="limit",
        default="400",
        menu=("200", "300", "400", "600"),
        accepts=frozenset(map(str, _LIMITS)).__contains__,
    ),
)


@dataclass(frozen=True)
class Perfect:
    """The rules of The Perfect Game?, with the colour of the first tile and the turn limit."""

    first: Colour = Colour.RED  # D-P2: alternates between the games of two players
    limit: int = 400  # D-P22

    family = "perfect"
    size = SIZE
    has_agreement = False
    has_draw_offers = True
    goals: ClassVar[tuple[Goal, ...]] = ()

    def __post_init__(self) -> None:
        if self.limit not in _LIMITS:
            raise UnknownOptionError(f"perfect: limit {self.limit} is not between 1 and 2000")

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Self:
        """Return the rule set with these options, defaults for the rest. Raises UnknownOptionError."""
        values = {option.name: option.default for option in OPTIONS} | dict(options)
        if len(values) > len(OPTIONS):
            raise UnknownOptionError(f"perfect has not all of {quote(','.join(options))}")
        for option in OPTIONS:
            if not option.accepts(values[option.name]):
                raise UnknownOptionError(f"perfect: {option.name} {quote(values[option.name])}")
        return cls(first=Colour(values["first"]), limit=int(values["limit"]))

    @property
    def options(self) -> dict[str, str]:
        """Return the options as text, in canonical order."""
        return {"first": self.first.value, "limit": str(self.limit)}

    @property
    def key(self) -> str:
        """`perfect(first=red,limit=400)`."""
        return f"perfect({','.join(f'{name}={value}' for name, value in self.options.items())})"

    @property
    def max_plies(self) -> int:
        """Return the tiles and the turns of the main phase. D-P24."""
        return TILES + self.limit

    def initial(self, **setup: object) -> PerfectPosition:
        """Return the bare board with the men at home.

        An integer seed is accepted and has no effect.

        Raises:
            BadSetupError: for any other argument.
        """
        if setup.keys() - {"seed"} or not isinstance(setup.get("seed", 0), int):
            raise BadSetupError(f"perfect takes no set-up but an integer seed: {quote(str(setup))}")
        return PerfectPosition(self)

    def setup_text(self, position: Position) -> str:
        """Return an empty text, because there is no choice or draw before the first ply."""
        return ""

    def start(self, setup: str) -> PerfectPosition:
        """Return the starting position, if `setup` is empty. Raises BadSetupError."""
        if setup:
            raise BadSetupError(f"perfect has no set-up: {quote(setup)}")
        return self.initial()

    def parse(self, text: str) -> PerfectPosition:
        """Return the position whose `text()` this is. Raises BadPositionError."""
        position = self._parse_loosely(text.split(" ")) if len(text) <= MAX_TEXT else None
        if position is None or position.text() != text or not position.is_plausible():
            raise BadPositionError(f"{quote(text)} is no position of {self.key}")
        return position

    def _parse_loosely(self, words: list[str]) -> PerfectPosition | None:
        """Return the position nearest to `words`, or None when they are too far from any."""
        if len(words) != 6:
            return None
        layout = Layout.parse(ground=words[0], men=words[1])
        counts = [words[4], *words[5].split(",")]
        if layout is None or len(counts) != 5 or not all(count.isdecimal() for count in counts):
            return None
        ply, *stock = (min(int(count), self.max_plies) for count in counts)
        return PerfectPosition(self, layout, Stock(*stock), ply)

    def move_path(self, move: str) -> tuple[str, ...]:
        """Return the squares of a move in order, or an empty path for `pass` and other texts."""
        try:
            return tuple(NAMES[square] for square in parse_move(move).squares)
        except IllegalMoveError:
            return ()

    def move_takes(self, move: str) -> tuple[tuple[str, ...], ...]:
        """Return the man taken by each jump of a series: squares between the links written `x`."""
        try:
            parts = parse_move(move)
        except IllegalMoveError:
            return ()
        links = zip(pairwise(parts.squares), parts.signs, strict=True)
        return tuple(
            (NAMES[(here + stop) // 2],) if sign == "x" else () for (here, stop), sign in links
        )
