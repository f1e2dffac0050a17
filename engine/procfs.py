"""Processor time, waits for a processor and memory of a bot process, from `/proc`.

Linux only; elsewhere, and where `/proc` is closed, everything here is None or empty, and clocks are
wall clocks.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.clock import Span

if TYPE_CHECKING:
    from typing import Self

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
# Deeper nests of launchers than this are a mistake.
_MAX_DEPTH = 8
_MAX_PROCESSES = 256


@dataclass(frozen=True, slots=True)
class Reading:
    """Processor time of a process and the wait of its main thread for a processor, in ns."""

    cpu_ns: int
    waited_ns: int


class Wait:
    """How long one thread has been ready to run without a processor. Close it.

    Raises:
        OSError: the system does not tell.
    """

    def __init__(self, task: int) -> None:
        self._schedstat = os.open(f"/proc/{task}/schedstat", os.O_RDONLY)

    def read(self) -> int:
        """Nanoseconds so far of the `run_delay` of the kernel. Raises OSError after its end."""
        _, wait_ns, _ = os.pread(self._schedstat, 64, 0).split()
        return int(wait_ns)

    def close(self) -> None:
        """Let go of the thread."""
        os.close(self._schedstat)


class CpuMeter:
    """Reads the counters of one process again and again; two microseconds a time. Close it.

    Processor time comes from the process's own clock (`clock_getcpuclockid(3)`) and not from the
    sum over `/proc/PID/task/*/schedstat`: threads that have ended are missing there, so that a bot
    could burn time in short threads and have it credited.
    """

    def __init__(self, pid: int) -> None:
        self._clock = ~pid << 3 | 2
        self._wait = Wait(pid)
        self._own_wait = Wait(threading.get_native_id())

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """The meter of process `pid` for the calling thread, or None where there is none."""
        try:
            meter = cls(pid)
        except OSError:
            return None
        if meter.read() is None:
            meter.close()
            return None
        return meter

    def read(self) -> Reading | None:
        """The counters now; None when the process is gone."""
        try:
            return Reading(time.clock_gettime_ns(self._clock), self._wait.read())
        except OSError:
            return None

    def own_wait_ns(self) -> int:
        """How long the thread that reads this meter has itself waited for a processor so far."""
        return self._own_wait.read()

    def close(self) -> None:
        """Let go of the process."""
        self._wait.close()
        self._own_wait.close()


class Stopwatch:
    """Measures the time of one question to a bot.

    Make it before the question is sent, call `start` after that, and `span` when the answer is
    there.
    """

    def __init__(self, meter: CpuMeter | None) -> None:
        # Before the question and not after: on a busy machine we may wait in between while the bot
        # runs already.
        self._before = meter.read() if meter else None
        self._meter = meter
        self._sent_ns = 0
        self._delay_ns = 0

    def start(self, sent_ns: int) -> None:
        """The last byte of the question was written at the monotonic nanosecond `sent_ns`."""
        self._sent_ns = sent_ns
        self._delay_ns = self._meter.own_wait_ns() if self._meter else 0

    def span(self, read_ns: int) -> Span:
        """What the bot took until `read_ns`."""
        wall_ns = max(0, read_ns - self._sent_ns)
        before, after = self._before, self._meter.read() if self._meter else None
        if self._meter is None or before is None or after is None:
            return Span(wall_ns)
        delayed_ns = self._meter.own_wait_ns() - self._delay_ns
        cpu_ns, waited_ns = after.cpu_ns - before.cpu_ns, after.waited_ns - before.waited_ns
        return Span(wall_ns, cpu_ns, waited_ns, delayed_ns)


def main_process(pid: int) -> int:
    """The bot's own process under `pid`, the last of a chain of only children.

    A sandbox that stays in memory has the bot as a child or grandchild, and so has a shell.
    """
    for _ in range(_MAX_DEPTH):
        children = _children(pid)
        if len(children) != 1:
            break
        (pid,) = children
    return pid


def family(pid: int) -> list[int]:
    """`pid` and all its descendants."""
    pids = [pid]
    for parent in pids:
        pids += _children(parent)
        if len(pids) > _MAX_PROCESSES:
            break
    return pids


def resident_bytes(pids: list[int]) -> int:
    """The memory that the processes have in use together; those that are gone have none."""
    pages = 0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/statm", "rb") as statm:
            pages += int(statm.read().split()[1])
    return pages * _PAGE_BYTES


class Brake:
    """Stops and resumes the processes of a bot.

    Holds them by descriptor: an id may become another process's.
    """

    def __init__(self, pids: list[int]) -> None:
        self._descriptors: list[int] = []
        self._is_on = False
        if hasattr(os, "pidfd_open"):
            for pid in pids:
                with contextlib.suppress(OSError):
                    self._descriptors.append(os.pidfd_open(pid))

    def pull(self) -> None:
        """Stop all of them, if they run."""
        if not self._is_on:
            self._is_on = True
            self._signal(signal.SIGSTOP)

    def release(self) -> None:
        """Let all of them go on."""
        if self._is_on:
            self._is_on = False
            self._signal(signal.SIGCONT)

    def close(self) -> None:
        """Let go of the processes as they are."""
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors.clear()

    def _signal(self, number: signal.Signals) -> None:
        for descriptor in self._descriptors:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(descriptor, number)


def _children(pid: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                children += map(int, file.read().split())
    return children
