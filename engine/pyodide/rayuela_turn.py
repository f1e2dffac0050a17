"""One question to a bot in Python that a browser runs."""

from __future__ import annotations

import linecache
import sys
import traceback
from types import ModuleType

_NAME = "bot.py"


def play(source: str) -> None:
    """Run a program as `__main__` to its end, with new files for its three streams.

    Errors of the program are written to standard error, without the lines of this file.
    """
    module = ModuleType("__main__")
    module.__file__ = _NAME
    sys.modules["__main__"] = module
    sys.argv = [_NAME]
    # The program before may have left lines that it did not read.
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - open to the end of the program
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    linecache.cache[_NAME] = (len(source), None, source.splitlines(keepends=True), _NAME)
    try:
        exec(compile(source, _NAME, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - the task
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except BaseException as error:  # noqa: BLE001 - the edge of the program: its author wants to know where
        outer = error.__traceback__
        traceback.print_exception(error.with_traceback(outer and outer.tb_next))
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
