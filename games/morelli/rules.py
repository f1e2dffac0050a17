"""Morelli: the rule set with its options. Black is the first side (4.1).

Sources: Richard Moxham's revised rules (2015) and the original rules. Decisions D-M1 to D-M25
settle doubts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from games.core import (
    BadPositionError,
    BadSetupError,
    Option,
    Side,
    UnknownOptionError,
    quote,
)
from games.morelli import fen, notation
from games.morelli.board import SIZES, board
from games.morelli.editions import Edition
from games.morelli.position import MorelliPosition
from games.morelli.setup import SETUPS, start_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.core import Position
    from games.view import Goal

_ALL_SETUPS = tuple(dict.fromkeys(setup for setups in SETUPS.values() for setup in setups))

OPTIONS = (
    Option("edition", Edition.REVISED.value, tuple(Edition), frozenset(Edition).__contains__),
    Option("size", "13", ("7", "9", "11", "13"), frozenset(map(str, SIZES)).__contains__),
    # The default is the revised edition's. The original edition starts `facing`.
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
        """Return the rule set with these options, defaults for the rest. Raises UnknownOptionError."""
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
        """Return the options of `key`."""
        return {"edition": self.edition.value, "size": str(self.size), "setup": self.setup}

    @property
    def max_plies(self) -> int:
        """Return the limit of a game's length: placements, then `MorelliBoard.most_moves` moves (D-M24)."""
        may_place = self.setup in {"placement", "free", "ballot"}
        return board(self.size).most_moves + (self.placements if may_place else 0)

    @property
    def placements(self) -> int:
        """Return the plies of a placement phase: pairs (revised, 2.3) or stones (original, 2.6)."""
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
        """Return the starting position.

        Args:
            setup: `seed` (default 0) draws the ring of a random set-up or the votes of a ballot.
                `ring` is text, full or, in the revised edition, its first half. `votes` or `mode`
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
        """Return `ring=...`, `votes=...`, `mode=...`, or an empty text if the key says it all."""
        if not isinstance(position, MorelliPosition):
            raise TypeError(f"{position!r} is no position of Morelli")
        return position.start.text

    def start(self, setup: str) -> MorelliPosition:
        """Return the starting position described by a `setup_text`. Raises BadSetupError."""
        arguments: dict[str, object] = {}
        for part in setup.split(",") if setup else ():
            name, equals, value = part.partition("=")
            if not (name and equals and value) or name in arguments:
                raise BadSetupError(f"{quote(setup)} is no set-up such as 'ring=BW...'")
            arguments[name] = value
        return self.initial(**arguments)

    def parse(self, text: str) -> MorelliPosition:
        """Return the position whose `text()` this is. Raises BadPositionError."""
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
        """Return the cells to click: the origin and the target, or the cell of a placed stone."""
        move_text = notation.parse_move(move)
        if move_text is not None:
            return move_text.start, move_text.end
        cell = notation.parse_placement(move)
        return () if cell is None else (cell,)

    def move_takes(self, move: str) -> tuple[tuple[str, ...], ...]:
        """Return the pieces captured on landing."""
        move_text = notation.parse_move(move)
        return () if move_text is None else (move_text.captured,)
