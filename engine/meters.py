"""Processor time of a bot and its waits for a processor, as the kernel counts them.

Linux only. On other systems, and if `/proc` is closed, all readings are None, and clocks are wall
clocks.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import procfs
from engine.clock import Span

if TYPE_CHECKING:
    from typing import Self

# Links of `/proc/PID/task` with one thread: itself, its parent and the main thread.
_LINKS_OF_ONE_THREAD = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """Processor time of a process and the waits of its threads for a processor, in ns."""

    cpu_ns: int
    waited_ns: int


class Wait:
    """The time that one thread has been ready to run without a processor. Close it.

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
        """Release the thread."""
        os.close(self._schedstat)


class ThreadWaits:
    """The time that the threads of a process have been ready to run without a processor. Close it.

    Raises:
        OSError: the system does not tell.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._threads = f"/proc/{pid}/task"
        self._main = Wait(pid)
        self._waits_ns: dict[int, int] = {}
        self._ended_ns = 0

    def read(self) -> int:
        """Nanoseconds so far, of threads that have ended too if they were alive at a reading.

        Raises OSError after the end of the process.
        """
        main_ns = self._main.read()
        # The directory has a link for each thread: most bots have one, and no more is to be read.
        if os.stat(self._threads).st_nlink > _LINKS_OF_ONE_THREAD:
            self._read_others()
        return main_ns + self._ended_ns + sum(self._waits_ns.values())

    def close(self) -> None:
        """Release the process."""
        self._main.close()

    def _read_others(self) -> None:
        for thread in map(int, os.listdir(self._threads)):
            if thread == self._pid:
                continue
            with contextlib.suppress(OSError):
                wait_ns = _schedstat(thread)
                if wait_ns < self._waits_ns.get(thread, 0):  # another thread with this number
                    self._ended_ns += self._waits_ns[thread]
                self._waits_ns[thread] = wait_ns


class Meter(ABC):
    """Reads the counters of a bot again and again, for the calling thread. Close it."""

    def __init__(self) -> None:
        self._own_wait = Wait(threading.get_native_id())

    @classmethod
    @abstractmethod
    def of(cls, pid: int) -> Self | None:
        """Return the meter of the bot whose process is `pid`, or None if there is no meter."""

    def read(self) -> Reading | None:
        """Return the current counters, or None if the bot has ended."""
        try:
            return self._counters()
        except OSError:
            return None

    @abstractmethod
    def _counters(self) -> Reading:
        """Return the counters now. Raises OSError when the bot is gone."""

    def own_wait_ns(self) -> int:
        """Return how long the thread that reads this meter has itself waited for a processor so far."""
        return self._own_wait.read()

    def close(self) -> None:
        """Release the bot."""
        self._own_wait.close()


class CpuMeter(Meter):
    """Reader of the counters of one process. A reading takes four microseconds.

    Processor time comes from the process's own clock (`clock_getcpuclockid(3)`) and not from the
    sum over `/proc/PID/task/*/schedstat`. The sum lacks threads that have ended, so that a bot
    could burn time in short threads and have it credited.
    """

    def __init__(self, pid: int) -> None:
        self._clock = _clock_of(pid)
        self._waits = ThreadWaits(pid)
        super().__init__()

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """Return the meter of process `pid`, or None if there is no meter."""
        try:
            meter = cls(pid)
        except OSError:
            return None
        if meter.read() is None:
            meter.close()
            return None
        return meter

    def _counters(self) -> Reading:
        return Reading(time.clock_gettime_ns(self._clock), self._waits.read())

    def close(self) -> None:
        """Release the process."""
        self._waits.close()
        super().close()


class FamilyMeter(Meter):
    """Reader of the counters of a process and of all that it has started, by their main threads.

    It is for a bot that starts: which of these processes is the bot is unknown before its first
    line.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        super().__init__()

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """Return the meter of `pid` and its descendants, or None if the system does not tell."""
        try:
            return cls(pid)
        except OSError:
            return None

    def _counters(self) -> Reading:
        cpu_ns = waited_ns = 0
        for pid in procfs.family(self._pid):
            with contextlib.suppress(OSError):
                waited_ns += _schedstat(pid)
                cpu_ns += time.clock_gettime_ns(_clock_of(pid))
        return Reading(cpu_ns, waited_ns)


class Stopwatch:
    """Stopwatch for one question to a bot.

    Make it before the question is sent, call `start` after that, and `span` after the answer.
    """

    def __init__(self, meter: Meter | None) -> None:
        # Before the question and not after: on a busy machine we may wait in between while the bot
        # runs already.
        self._began_ns = time.monotonic_ns()
        self._before = meter.read() if meter else None
        self._delay_ns = meter.own_wait_ns() if meter else 0
        self._meter = meter
        self._sent_ns = 0

    def start(self, sent_ns: int) -> None:
        """The write of the question's last byte began at the monotonic nanosecond `sent_ns`."""
        self._sent_ns = sent_ns

    def span(self, read_ns: int) -> Span:
        """Return the time of the bot until `read_ns`."""
        wall_ns = max(0, read_ns - self._sent_ns)
        before, after = self._before, self._meter.read() if self._meter else None
        if self._meter is None or before is None or after is None:
            return Span(wall_ns)
        delayed_ns = self._meter.own_wait_ns() - self._delay_ns
        cpu_ns, waited_ns = after.cpu_ns - before.cpu_ns, after.waited_ns - before.waited_ns
        outside_ns = time.monotonic_ns() - self._began_ns - wall_ns
        return Span(wall_ns, cpu_ns, waited_ns, delayed_ns, outside_ns)


def _clock_of(pid: int) -> int:
    """Return the clock of the processor time of a process, as clock_getcpuclockid(3) makes it."""
    return ~pid << 3 | 2


def _schedstat(thread: int) -> int:
    """Return the `run_delay` of a thread in ns. Raises OSError after its end."""
    with open(f"/proc/{thread}/schedstat", "rb") as file:
        return int(file.read().split()[1])
