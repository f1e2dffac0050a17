"""Child processes that begin with their parent's loaded modules."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Collection

from setproctitle import setproctitle

# Ctrl-C, `kill`, and the terminal's window being closed.
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Child:
    """A copy of this process, in a separate process group, that runs a function and ends with it.

    This process must have no other thread when it makes one.
    """

    def __init__(self, name: str, function: Callable[[], object]) -> None:
        context = multiprocessing.get_context("fork")
        self._process = context.Process(target=_run, args=(name, function))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def has_ended(self) -> bool:
        """Return whether it has ended. After that its number may belong to another process."""
        return self._process.exitcode is not None

    def wait(self, timeout_s: float | None = None) -> int | None:
        """Wait for its end. Return its exit code, or None if it still runs after `timeout_s`."""
        self._process.join(timeout_s)
        return self._process.exitcode

    def signal_group(self, number: signal.Signals) -> None:
        """Send a signal to it and to all processes that it has started.

        It has no effect if all of them have ended.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def stopped_members(groups: Collection[int]) -> frozenset[int]:
    """Return the processes of these groups that are stopped (SIGSTOP), as far as `/proc` tells.

    Bots are stopped between their moves. They have their own groups.
    """
    stopped = set()
    with contextlib.suppress(OSError), os.scandir("/proc") as entries:
        for entry in entries:
            if entry.name.isdecimal():
                with contextlib.suppress(OSError), open(f"{entry.path}/stat", "rb") as file:
                    # proc_pid_stat(5): after the name in parentheses the state, the parent, the group.
                    state, _, group = file.read().rpartition(b")")[2].split()[:3]
                    if state == b"T" and int(group) in groups:
                        stopped.add(int(entry.name))
    return frozenset(stopped)


def _run(name: str, function: Callable[[], object]) -> None:
    os.setsid()
    end_with_parent()
    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL)
    setproctitle(f"rayuela {name}")
    function()


def end_with_parent() -> None:
    """Make Linux kill this process when its parent ends: orphans would hold the port and tick on."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() == 1:  # it was gone before we could say so
            os._exit(1)
