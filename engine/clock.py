"""Time controls, the two clocks of a game and the price of a ply.

Pure: the module receives durations and measures no time.

Clocks run in nanoseconds, so that no ply is free and no duration is rounded up. People and bots see
milliseconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from engine.errors import EngineError
from games.core import Side

if TYPE_CHECKING:
    from typing import Self

# Limit of a side's debt: the referee's own reading of the pipe is not the bot's fault. The part of
# it that a ply takes is owed, and goes off the clock with the next ply.
FLAG_MARGIN_MS = 50
NS_PER_MS = 1_000_000
# Fuel ends a ply long before. If it does not, the machine is at fault and the game is void.
SAFETY_MS = 600_000

_FISCHER = re.compile(r"([0-9]+(?:\.[0-9]+)?)\+([0-9]+(?:\.[0-9]+)?)")
_PER_MOVE = re.compile(r"([0-9]+)ms")
_FUEL = re.compile(r"([0-9]{1,18})([kMG]?)fuel")
_UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}
# Up to 2**53, so that a reader that parses numbers as floats reads the exact number.
_MOST_FUEL = 10**15


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
    """A fixed budget for each ply. The rest of a budget is lost."""

    budget_ms: int

    def __post_init__(self) -> None:
        if self.budget_ms <= 0:
            raise BadTimeControlError(f"no time to play in: {self!r}")

    def __str__(self) -> str:
        return f"{self.budget_ms}ms"


@dataclass(frozen=True, slots=True)
class Fuel:
    """A budget for each ply in units of work, counted by the host of a WebAssembly module.

    A bot plays one move with one budget on every machine.

    No clock runs. If a ply takes `SAFETY_MS` on the wall, neither side is at fault and the game is
    void.
    """

    units: int

    def __post_init__(self) -> None:
        if not 1 <= self.units <= _MOST_FUEL:
            raise BadTimeControlError(f"no fuel to play with in: {self!r}")

    def __str__(self) -> str:
        for letter, units in reversed(_UNITS.items()):
            if self.units % units == 0:
                return f"{self.units // units}{letter}fuel"
        raise AssertionError("every number is a multiple of one")


TimeControl = Fischer | PerMove | Fuel


def parse_time_control(text: str) -> TimeControl:
    """Return the time control of a text such as `60+0.5`, `500ms` or `100Mfuel`.

    `60+0.5` is seconds for the game and seconds a ply, the other two are for each ply.

    Fuel takes `k`, `M` and `G` for thousands, millions and thousands of millions of units.

    Raises:
        BadTimeControlError: `text` is neither.
    """
    if fischer := _FISCHER.fullmatch(text):
        initial_s, increment_s = fischer.groups()
        return Fischer(round(float(initial_s) * 1000), round(float(increment_s) * 1000))
    if per_move := _PER_MOVE.fullmatch(text):
        return PerMove(int(per_move[1]))
    if fuel := _FUEL.fullmatch(text):
        return Fuel(int(fuel[1]) * _UNITS[fuel[2]])
    raise BadTimeControlError(f"neither `60+0.5` nor `500ms` nor `100Mfuel`: {text[:60]!r}")


@dataclass(frozen=True, slots=True)
class GameClock:
    """The remaining and the owed time of both sides, in nanoseconds, never negative.

    A side owes time that its clock could not pay, and time that it used while no clock ran. The
    debt is charged with its next ply.
    """

    control: TimeControl
    first_ns: int
    second_ns: int
    first_owed_ns: int = 0
    second_owed_ns: int = 0

    @classmethod
    def start(cls, control: TimeControl) -> Self:
        """Return both clocks at the beginning of a game under `control`."""
        match control:
            case Fischer(initial_ms, _):
                return cls.at(control, first_ms=initial_ms, second_ms=initial_ms)
            case PerMove(budget_ms):
                return cls.at(control, first_ms=budget_ms, second_ms=budget_ms)
            case Fuel(_):
                return cls.at(control, first_ms=SAFETY_MS, second_ms=SAFETY_MS)
            case _:
                assert_never(control)

    @classmethod
    def at(cls, control: TimeControl, *, first_ms: int, second_ms: int) -> Self:
        """Return the clocks of an ongoing game."""
        return cls(control, first_ms * NS_PER_MS, second_ms * NS_PER_MS)

    @property
    def first_ms(self) -> int:
        """Return the remaining time of the first side, in whole milliseconds."""
        return self.first_ns // NS_PER_MS

    @property
    def second_ms(self) -> int:
        """Return the remaining time of the second side, in whole milliseconds."""
        return self.second_ns // NS_PER_MS

    def remaining_ns(self, side: Side) -> int:
        """Return the remaining time of `side`, in nanoseconds."""
        return self.first_ns if side is Side.FIRST else self.second_ns

    def remaining_ms(self, side: Side) -> int:
        """Return the remaining time of `side`, in whole milliseconds."""
        return self.remaining_ns(side) // NS_PER_MS

    def owed_ns(self, side: Side) -> int:
        """Return the time that `side` will be charged with its next ply beside the ply's own time."""
        return self.first_owed_ns if side is Side.FIRST else self.second_owed_ns

    def available_ms(self, side: Side) -> int:
        """Return the time that `side` may use for the ply, in whole milliseconds: at least 1."""
        return max(1, (self.remaining_ns(side) - self.owed_ns(side)) // NS_PER_MS)

    def limit_ns(self, side: Side) -> int:
        """Return the time that `side` may use for the ply before its flag falls, the margin included.

        The limit is negative if the side already owes more than that.
        """
        return self.remaining_ns(side) - self.owed_ns(side) + FLAG_MARGIN_MS * NS_PER_MS

    def owe(self, side: Side, used_ns: int) -> Self:
        """Return the clocks after `side` has used `used_ns` while no clock ran."""
        if isinstance(self.control, Fuel):
            return self
        return self._with(side, self.remaining_ns(side), self.owed_ns(side) + used_ns)

    def price_ns(self, side: Side, *, used_ns: int) -> int:
        """Return the time that a ply for which `side` used `used_ns` takes off its clock, its debt included."""
        match self.control:
            case Fischer(_, _):
                return min(self.owed_ns(side) + used_ns, self.remaining_ns(side))
            case PerMove(_):
                return self.owed_ns(side) + used_ns
            case Fuel(_):
                return 0
            case _:
                assert_never(self.control)

    def charge(self, side: Side, *, used_ns: int) -> Self:
        """Return the clocks after a ply for which `side` used `used_ns`, its increment added."""
        total_ns = self.owed_ns(side) + used_ns
        match self.control:
            case Fischer(_, increment_ms):
                price_ns = self.price_ns(side, used_ns=used_ns)
                remaining_ns = self.remaining_ns(side) - price_ns + increment_ms * NS_PER_MS
                return self._with(side, remaining_ns, total_ns - price_ns)
            case PerMove(budget_ms):
                owed_ns = max(0, total_ns - budget_ms * NS_PER_MS)
                return self._with(side, self.remaining_ns(side), owed_ns)
            case Fuel(_):
                return self
            case _:
                assert_never(self.control)

    def _with(self, side: Side, remaining_ns: int, owed_ns: int) -> Self:
        if side is Side.FIRST:
            return replace(self, first_ns=remaining_ns, first_owed_ns=owed_ns)
        return replace(self, second_ns=remaining_ns, second_owed_ns=owed_ns)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a bot's time, in nanoseconds.

    Attributes:
        wall_ns: from the write of the last byte of `go` to the newline of `bestmove`.
        cpu_ns: processor time of all its threads between the readings of the counters, those that
            have ended included, or None if the system does not tell.
        waited_ns: how long its threads were ready to run and had no processor, in sum, or None if
            the system does not tell.
        delayed_ns: the wait of the referee's thread: how long after the arrival of the newline it
            was read.
        outside_ns: how much longer than `wall_ns` the counters ran: they are read before the
            question and after the answer.
    """

    wall_ns: int
    cpu_ns: int | None = None
    waited_ns: int | None = None
    delayed_ns: int = 0
    outside_ns: int = 0

    @property
    def credit_ns(self) -> int:
        """Return the time of it that the machine, not the bot, has spent: 0 to `wall_ns`.

        Sleeping earns no credit, because a sleeper does not wait for a processor. Further threads
        earn no credit either: the time that they take from one another is processor time of the
        bot.
        """
        if self.cpu_ns is None or self.waited_ns is None:
            return 0
        idle_ns = self.waited_ns + self.delayed_ns
        return max(0, min(idle_ns, self.wall_ns - max(0, self.cpu_ns)))

    @property
    def charged_ns(self) -> int:
        """Return the time that the bot has used: the processor time of all its threads, and its sleep.

        So the charge is equal on one processor and on many, on a busy machine and on an idle one.
        One thread is never charged more than `wall_ns`, because `outside_ns` is not on the clock.
        """
        return max(self.wall_ns - self.credit_ns, (self.cpu_ns or 0) - self.outside_ns)

    def plus(self, other: Span) -> Span:
        """Return both stretches as one. A figure that one of them lacks is None."""
        return Span(
            self.wall_ns + other.wall_ns,
            _sum(self.cpu_ns, other.cpu_ns),
            _sum(self.waited_ns, other.waited_ns),
            self.delayed_ns + other.delayed_ns,
            self.outside_ns + other.outside_ns,
        )


def off_the_clock(cpu_ns: int) -> Span:
    """Return the stretch of a bot that has run for `cpu_ns` while it should have been stopped."""
    return Span(cpu_ns, cpu_ns, 0)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
