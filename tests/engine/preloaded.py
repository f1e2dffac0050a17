"""The module that tests fork: a module as `engine.fork_server` takes it, whose arguments choose its action."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

_loaded_by: list[int] = []


def preload() -> None:
    """Note the process that loads this module."""
    _loaded_by.append(os.getpid())


def main(arguments: Sequence[str]) -> int:
    """Execute the action of the first argument, and return the exit code."""
    match arguments:
        case ["describe"]:
            _say(os.getppid(), os.getsid(0) == os.getpid(), os.getcwd(), sorted(os.environ))
            _say(sorted(os.listdir("/proc/self/fd")), *_loaded_by)
        case ["exit", code]:
            return int(code)
        case ["crash"]:
            raise ValueError("as I was asked to")
        case ["echo"]:
            for line in sys.stdin:
                _say(line.strip())
        case _:
            time.sleep(60)
    return 0


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()
