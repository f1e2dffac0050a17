"""Calls into the kernel, and the names of the errors they meet.

`BAIT` has the places of the worker's things. See `Bait` in `run.py`.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import sys

MIB = 1 << 20
BAIT = json.loads(sys.argv[2])
# The bot's own directory, in which this package is.
TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBC = ctypes.CDLL(None, use_errno=True)
AT_X86 = platform.machine() == "x86_64"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def name_of(error: OSError) -> str:
    return errno.errorcode[error.errno or 0]


def met(action, *arguments) -> str:
    """The name of the error that `action` met, or `done`."""
    try:
        action(*arguments)
    except OSError as error:
        return name_of(error)
    return "done"


def met_all(action, things) -> str:
    """The different errors met, in one word."""
    return "+".join(sorted({met(action, thing) for thing in things}))


def call(x86: int, aarch64: int, *arguments: int) -> str:
    """Return the answer of a system call by its number."""
    words = [ctypes.c_long(argument) for argument in arguments]
    answer = LIBC.syscall(ctypes.c_long(x86 if AT_X86 else aarch64), *words)
    return errno.errorcode[ctypes.get_errno()] if answer < 0 else "done"
