"""Time controls and the two clocks of a game. Pure: durations come in as milliseconds, nothing is measured here."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from engine.errors import EngineError
from games.core import Side

if TYPE_CHECKING:
    from typing import Self

# A flag falls this long after zero: the referee's own reading of the pipe is not the bot's fault.
FLAG_MARGIN_MS = 50

_FISCHER = re.compile(r"([0-9]+(?:\.[0-9]+)?)\+([0-9]+(?:\.[0-9]+)?)")
_PER_MOVE = re.compile(r"([0-9]+)ms")


class BadTimeControlError(EngineError, ValueError):
    """A text that is no time control, or times that are not positive."""

    code = "bad-time-control"


@dataclass(frozen=True, slots=True)
class Fischer:
    """A budget for the whole game, with `increment_ms` added after each ply."""

    initial_ms: int
    increment_ms: int = 0

    def __post_init__(self) -> None:
        if self.initial_ms <= 0 or self.increment_ms < 0:
            raise BadTimeControlError(f"no time to play in: {self!r}")

    def __str__(self) -> str:
        return f"{self.initial_ms / 1000:g}+{self.increment_ms / 1000:g}"


@dataclass(frozen=True, slots=True)
class PerMove:
    """The same budget for each ply; what is left over is lost."""

    budget_ms: int

    def __post_init__(self) -> None:
        if self.budget_ms <= 0:
            raise BadTimeControlError(f"no time to play in: {self!r}")

    def __str__(self) -> str:
        return f"{self.budget_ms}ms"


TimeControl = Fischer | PerMove


def parse_time_control(text: str) -> TimeControl:
    """The time control written as `60+0.5` (seconds for the game, seconds a ply) or `500ms` (a ply).

    Raises:
        BadTimeControlError: `text` is neither.
    """
    if fischer := _FISCHER.fullmatch(text):
        initial_s, increment_s = fischer.groups()
        return Fischer(round(float(initial_s) * 1000), round(float(increment_s) * 1000))
    if per_move := _PER_MOVE.fullmatch(text):
        return PerMove(int(per_move[1]))
    raise BadTimeControlError(f"neither `60+0.5` nor `500ms`: {text[:60]!r}")


@dataclass(frozen=True, slots=True)
class Clock:
    """What both sides have left, in milliseconds, never negative."""

    control: TimeControl
    first_ms: int
    second_ms: int

    @classmethod
    def start(cls, control: TimeControl) -> Self:
        """Both clocks at the beginning of a game under `control`."""
        match control:
            case Fischer(initial_ms, _):
                return cls(control, initial_ms, initial_ms)
            case PerMove(budget_ms):
                return cls(control, budget_ms, budget_ms)
            case _:
                assert_never(control)

    def remaining_ms(self, side: Side) -> int:
        """What `side` has left."""
        return self.first_ms if side is Side.FIRST else self.second_ms

    def deadline_ms(self, side: Side) -> int:
        """How long `side` may take for the ply before its flag falls, the margin included."""
        return self.remaining_ms(side) + FLAG_MARGIN_MS

    def charge(self, side: Side, *, charged_ms: int) -> Self:
        """The clocks after a ply of `side` that cost `charged_ms`, its increment added."""
        match self.control:
            case Fischer(_, increment_ms):
                return self._with(side, max(0, self.remaining_ms(side) - charged_ms) + increment_ms)
            case PerMove(_):
                return self
            case _:
                assert_never(self.control)

    def stop(self, side: Side) -> Self:
        """The clocks after the flag of `side` has fallen."""
        return self._with(side, 0)

    def _with(self, side: Side, left_ms: int) -> Self:
        if side is Side.FIRST:
            return replace(self, first_ms=left_ms)
        return replace(self, second_ms=left_ms)


def charged_ms(*, wall_ms: int, credit_ms: int = 0) -> int:
    """What a ply costs its side: wall time less what the machine, not the bot, has spent of it."""
    return max(0, wall_ms - credit_ms)
