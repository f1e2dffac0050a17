"""The processes of a bot and their memory, from `/proc`, and means to stop them.

Linux only. On other systems, and if `/proc` is closed, all results are empty.
"""

from __future__ import annotations

import contextlib
import os
import signal

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
# Deeper nests of launchers than this are a mistake.
_MAX_DEPTH = 8
_MAX_PROCESSES = 256


def main_process(pid: int) -> int:
    """Return the bot's own process under `pid`, the last of a chain of only children.

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
    """Return the memory that the processes have in use together, 0 for processes that have ended."""
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
        """Continue all of them."""
        if self._is_on:
            self._is_on = False
            self._signal(signal.SIGCONT)

    def close(self) -> None:
        """Release the processes in their current state."""
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
