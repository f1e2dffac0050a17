"""Fuel as a budget and as a clock, which shows a metered module its own work only."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.errors import EngineError

if TYPE_CHECKING:
    import wasmtime

# Enough for centuries: if the referee's clock rules, fuel must not.
_ENDLESS = 2**62
_LONGEST_SLEEP_S = 3600


class OutOfFuelError(EngineError):
    """A call into the host costs more fuel than is left."""

    code = "out-of-fuel"


class FuelMeter:
    """The fuel of one instance, counted in stretches: each begins with its own budget.

    Its clock starts at 0 and shows one nanosecond for a unit of fuel used, so that a module which
    watches the time watches its budget. In a stretch without a budget it shows real time, or the
    time that the referee charges: processor time and sleep.
    """

    def __init__(self, store: wasmtime.Store) -> None:
        self._store = store
        self._elapsed_ns = 0
        self._budget = 0
        self._began_ns: int | None = None
        self._slept_ns = 0
        self._is_cpu = False
        store.set_fuel(0)

    def allow(self, units: int) -> None:
        """Begin a stretch of `units` of fuel. The rest of the stretch before is lost."""
        self._elapsed_ns = self.now_ns()
        self._budget = min(units, _ENDLESS)
        self._began_ns = None
        self._store.set_fuel(self._budget)

    def allow_real_time(self) -> None:
        """Begin a stretch that another component ends."""
        self.allow(_ENDLESS)
        self._began_ns = self._real_ns()

    def count_cpu(self) -> None:
        """Show processor time instead of the wall's from the next stretch on."""
        self._is_cpu = True

    def spend(self, units: int) -> None:
        """Use up `units`. Raises OutOfFuelError if fewer are left."""
        remaining = self._store.get_fuel() - units
        self._store.set_fuel(max(0, remaining))
        if remaining < 0:
            raise OutOfFuelError(f"{-remaining} units short")

    def sleep(self, duration_ns: int) -> None:
        """Wait for `duration_ns`, or use fuel if fuel is the clock. Raises OutOfFuelError."""
        if self._began_ns is None:
            self.spend(duration_ns)
        else:
            time.sleep(min(duration_ns / 1e9, _LONGEST_SLEEP_S))
            self._slept_ns += duration_ns

    def now_ns(self) -> int:
        """Return the time since the instance began, by its own clock."""
        if self._began_ns is not None:
            return self._elapsed_ns + self._real_ns() - self._began_ns
        return self._elapsed_ns + self._budget - self._store.get_fuel()

    def _real_ns(self) -> int:
        return time.process_time_ns() + self._slept_ns if self._is_cpu else time.monotonic_ns()
