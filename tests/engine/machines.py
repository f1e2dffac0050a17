"""Invented readings of how busy a machine is."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from engine.procfs import Reading


@dataclass
class Machine:
    """Counters of a bot that has waited `share` of the time and used no processor."""

    share: float
    began_ns: int = field(default_factory=time.monotonic_ns)

    def read(self) -> Reading:
        """The reading of now, for `CpuMeter.read`."""
        return Reading(0, round((time.monotonic_ns() - self.began_ns) * self.share))
