"""The command lines of the pure packages: they read and write files, so they are above all of them."""

from __future__ import annotations

import importlib
import sys

# The code of bbpPairings for a fault that is neither of the request nor of its files.
_UNEXPECTED = 2


def run(name: str) -> int:
    """Run the command line `name` of this package, and return its exit code.

    A missing package of this Python is named in one line, since the commands are used outside of
    the project's environment too.
    """
    try:
        return int(importlib.import_module(f"{__name__}.{name}").main(sys.argv[1:]))
    except ModuleNotFoundError as error:
        sys.stderr.write(
            f"{name}: {sys.executable} has no package {error.name}; the project's own"
            " .venv/bin/python has (`python3 manage.py test --set-up-only` makes it)\n"
        )
        return _UNEXPECTED
