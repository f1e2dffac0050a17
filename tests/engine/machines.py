"""Invented readings of how busy a machine is, and processes to be read."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from engine.meters import Reading


@dataclass
class Machine:
    """Counters of a bot that has waited `share` of the time and used no processor."""

    share: float
    began_ns: int = field(default_factory=time.monotonic_ns)

    def read(self) -> Reading:
        """Return the current reading, for `CpuMeter.read`."""
        return Reading(0, round((time.monotonic_ns() - self.began_ns) * self.share))


@contextmanager
def running(*argv: str) -> Iterator[subprocess.Popen[str]]:
    """Yield a process that has written a line. It is killed at the end."""
    process = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        try:
            process.stdout.readline()
            yield process
        finally:
            os.killpg(process.pid, 9)
            process.wait()


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", code)
