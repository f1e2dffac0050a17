"""Clocks: the time of a side at the start, and the price of each of its turns.

Pure: every moment is an argument.
"""

from tournaments.clocks.charges import (
    MAX_LAG_MS,
    Charge,
    Reason,
    Turn,
    after,
    charges_of_ply,
    charges_of_stop,
    lag_ms,
    paid_ms,
    read,
    written,
)
from tournaments.clocks.control import (
    DAY_MS,
    MAX_CLOCK_MS,
    MIN_CLOCK_MS,
    UNLIMITED,
    ClockError,
    Kind,
    TimeControl,
)

__all__ = [
    "DAY_MS",
    "MAX_CLOCK_MS",
    "MAX_LAG_MS",
    "MIN_CLOCK_MS",
    "UNLIMITED",
    "Charge",
    "ClockError",
    "Kind",
    "Reason",
    "TimeControl",
    "Turn",
    "after",
    "charges_of_ply",
    "charges_of_stop",
    "lag_ms",
    "paid_ms",
    "read",
    "written",
]
