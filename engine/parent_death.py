"""Lets the kernel kill a process when the thread that started it is gone (`PR_SET_PDEATHSIG`)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> Callable[[], None]:
    """Return the function that a child of the process `parent` calls.

    It has no effect outside Linux.

    The library is loaded here, so that the function can be called between fork and exec.
    """
    if sys.platform != "linux":
        return lambda: None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it was gone before we could say so
            os._exit(1)

    return ask
