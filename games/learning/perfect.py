"""The actions and planes of The Perfect Game?.

One man has up to about 1,500 series of jumps, and their number on the board has no small bound. So
each jump is an action. The man continues from the square that it reached until `STOP`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from games.core import Ruleset
from games.learning.encoding import STOP, Encoding
from games.perfect.board import HOMES, JUMPS, MEN, NAMES, NEUTRAL, SQUARES, STEPS, STRIDE
from games.perfect.notation import MoveKind, parse_move
from games.perfect.position import PerfectPosition
from games.perfect.tiles import Stock

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.core import Position

_MOST_TILES = max(Stock())


class PerfectEncoding(Encoding):
    """Tiles, re-entries, steps, jumps, `pass` and `STOP`: 718 actions."""

    sets = {
        "own men": "men of the side to move",
        "enemy men": "the other men",
        "own start": "start squares of the side to move",
        "enemy start": "the other start squares",
        "own tiles": "tiles of the side to move that show its colours",
        "enemy tiles": "the other tiles that show their colours",
        "flipped": "flipped tiles",
        "start": "the square that the man leaves in this series of jumps",
        "end": "the square that it has reached",
        "jumped": "the men jumped in this series. Enemies on squares that do not shelter them are captured",
    }
    numbers = {
        "men": "1 if men move, 0 if tiles are laid",
        "own purple": "tiles left to the side to move for purple squares, in 21",
        "own yellow": "its tiles left for yellow squares, in 21",
        "enemy purple": "the other side's tiles left for purple squares, in 21",
        "enemy yellow": "the other side's tiles left for yellow squares, in 21",
        "ply": "plies played, in the most plies of a game",
    }
    # Each man can be jumped once (D-P12), except the one that jumps.
    longest_word = 2 * MEN - 1 + 1

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self._stride = STRIDE

    def _actions(self) -> Iterable[str]:
        yield from (f"+{name}" for square, name in NAMES.items() if NEUTRAL >> square & 1)
        yield from (f"@{name}" for square, name in NAMES.items() if not NEUTRAL >> square & 1)
        for square, name in NAMES.items():
            ends = [square + way for way in STEPS if square + way in NAMES]
            yield from (f"{name}-{NAMES[end]}" for end in ends)
        for square, name in NAMES.items():
            yield from (f"{name}-{NAMES[jump.square]}" for jump in JUMPS[square])
        yield from ("pass", STOP)

    def _spelling(self, move: str) -> Sequence[str]:
        parts = parse_move(move)
        if parts.kind is not MoveKind.GO:
            return (move,)
        # The position determines which jumps capture (D-P14).
        return [f"{NAMES[start]}-{NAMES[end]}" for start, end in pairwise(parts.squares)]

    def _squares(self, position: Position, chosen: Sequence[str]) -> Sequence[int]:
        assert isinstance(position, PerfectPosition)  # of this rule set
        layout, own = position.layout, position.turn
        enemy = own.other
        path = [SQUARES[name] for jump in chosen for name in jump.split("-")]
        jumps = zip(path[::2], path[1::2], strict=True)
        return (
            *(layout.men(own), layout.men(enemy), HOMES[own], HOMES[enemy]),
            *(layout.tiles(own), layout.tiles(enemy), layout.flipped),
            *((1 << path[0], 1 << path[-1]) if path else (0, 0)),
            # The square jumped over has the mean number.
            sum(1 << (start + end) // 2 for start, end in jumps),
        )

    def _values(self, position: Position) -> Sequence[float]:
        assert isinstance(position, PerfectPosition)  # of this rule set
        stock, own = position.stock, position.turn
        tiles = (*stock.of(own), *stock.of(own.other))
        return (
            float(position.phase == "men"),
            *(count / _MOST_TILES for count in tiles),
            position.ply / self.ruleset.max_plies,
        )
