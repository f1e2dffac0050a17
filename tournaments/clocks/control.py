"""Time controls: the kinds of clock, and the time that one gives its sides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

DAY_MS = 24 * 3600 * 1000
MIN_CLOCK_MS = 1_000
# The remaining time of a clock is a 32-bit integer in PostgreSQL. Increments add up no further than
# this.
MAX_CLOCK_MS = 24 * DAY_MS

_TEXT = re.compile(
    r"(?P<initial>\d+(\.\d+)?)(?P<kind>[+d])(?P<ply>\d+(\.\d+)?)(<(?P<cap>\d+(\.\d+)?))?"
)


class ClockError(ValueError):
    """No clock can be set like this."""


class Kind(StrEnum):
    """Effect of a turn on a clock."""

    FISCHER = "fischer"  # something is added after each ply
    DELAY = "delay"  # the first part of each turn is free
    BANK = "bank"  # days, with something added after each ply, up to a cap
    UNLIMITED = "unlimited"  # no time is measured, and nobody loses by it

    @property
    def is_over_days(self) -> bool:
        """Return whether games last for days: with a cap, vacations, and without a display of milliseconds."""
        return self is Kind.BANK

    @property
    def is_unlimited(self) -> bool:
        """Return whether no time is measured: no flag, no charges, and no rating."""
        return self is Kind.UNLIMITED


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A clock as both sides have it, in milliseconds.

    Attributes:
        initial_ms: on the clock at the start.
        increment_ms: the addition after each ply, or with a delay the free part of its turn.
        cap_ms: the limit to which a bank is filled up. The other kinds have no cap.

    All three are zero if the time is unlimited.

    Raises:
        ClockError: for less than a second at the start, more than 24 days anywhere, a bank of less
            than a day or with a cap below its start, a cap without a bank, and any time if it is
            unlimited.
    """

    initial_ms: int
    increment_ms: int = 0
    kind: Kind = Kind.FISCHER
    cap_ms: int | None = None

    def __post_init__(self) -> None:
        if self.kind.is_unlimited:
            if self.initial_ms or self.increment_ms or self.cap_ms is not None:
                raise ClockError(f"unlimited {self.initial_ms}+{self.increment_ms}")
            return
        if not (
            MIN_CLOCK_MS <= self.initial_ms <= MAX_CLOCK_MS
            and 0 <= self.increment_ms <= MAX_CLOCK_MS
            and self._fits_its_cap()
        ):
            raise ClockError(self.text())

    def _fits_its_cap(self) -> bool:
        if not self.kind.is_over_days:
            return self.cap_ms is None
        if self.cap_ms is None or self.initial_ms < DAY_MS:
            return False
        return self.initial_ms <= self.cap_ms <= MAX_CLOCK_MS

    @property
    def delay_ms(self) -> int:
        """Return the free part of each turn."""
        return self.increment_ms if self.kind is Kind.DELAY else 0

    @property
    def added_ms(self) -> int:
        """Return the addition after each ply, before any cap."""
        return 0 if self.kind is Kind.DELAY else self.increment_ms

    @property
    def most_ms(self) -> int:
        """Return the limit of a clock with additions."""
        return MAX_CLOCK_MS if self.cap_ms is None else self.cap_ms

    @property
    def between_bots(self) -> TimeControl:
        """Return the clock by which two bots play instead: their referee knows the Fischer clock."""
        return TimeControl(self.initial_ms, self.increment_ms)

    def text(self) -> str:
        """Return the control as text, in seconds.

        The forms are `180+2`, `300d3` with a delay, `604800+86400<1209600` for a bank and its cap,
        and `unlimited`.
        """
        if self.kind.is_unlimited:
            return self.kind.value
        sign = "d" if self.kind is Kind.DELAY else "+"
        cap = "" if self.cap_ms is None else f"<{_seconds(self.cap_ms)}"
        return f"{_seconds(self.initial_ms)}{sign}{_seconds(self.increment_ms)}{cap}"

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Return the control that `text` writes. Raises ClockError."""
        if text == Kind.UNLIMITED:
            return UNLIMITED
        match = _TEXT.fullmatch(text) if text.isascii() and len(text) <= 60 else None
        if match is None:
            raise ClockError(text[:60])
        cap = match["cap"]
        kind = Kind.FISCHER if cap is None else Kind.BANK
        if match["kind"] == "d":
            kind = Kind.DELAY
        return cls(
            initial_ms=_milliseconds(match["initial"]),
            increment_ms=_milliseconds(match["ply"]),
            kind=kind,
            cap_ms=None if cap is None else _milliseconds(cap),
        )


UNLIMITED = TimeControl(0, kind=Kind.UNLIMITED)


def _seconds(milliseconds: int) -> str:
    return f"{(Decimal(milliseconds) / 1000).normalize():f}"


def _milliseconds(seconds: str) -> int:
    return int(Decimal(seconds) * 1000)
