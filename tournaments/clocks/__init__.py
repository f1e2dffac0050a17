"""Clocks: what a side has at the start, and what each of its turns costs. Pure: every moment is an argument."""

from tournaments.clocks.charges import (
    MAX_LAG_MS,
    Charge,
    Reason,
    Turn,
    after,
    lag_ms,
    moved,
    paid_ms,
    stopped,
)
from tournaments.clocks.control import (
    DAY_MS,
    MAX_CLOCK_MS,
    MIN_CLOCK_MS,
    ClockError,
    Kind,
    TimeControl,
)

__all__ = [
    "DAY_MS",
    "MAX_CLOCK_MS",
    "MAX_LAG_MS",
    "MIN_CLOCK_MS",
    "Charge",
    "ClockError",
    "Kind",
    "Reason",
    "TimeControl",
    "Turn",
    "after",
    "lag_ms",
    "moved",
    "paid_ms",
    "stopped",
]
