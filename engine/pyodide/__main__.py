"""The installation: `python -m engine.pyodide install pyodide-314.0.7.tgz --folder FOLDER`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine import pyodide
from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Install the archive. Return 0, or 2 for a refusal."""
    parser = argparse.ArgumentParser(prog="python -m engine.pyodide", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    setup = commands.add_parser("install", help="unpack Python for the editor of bots")
    setup.add_argument("archive", type=Path, help="pyodide-314.0.7.tgz")
    setup.add_argument("--folder", type=Path, required=True, help="such as var/pyodide")
    arguments = parser.parse_args(argv)
    try:
        pyodide.install(arguments.archive, arguments.folder)
    except (EngineError, OSError) as error:
        sys.stderr.write(f"engine.pyodide: {error}\n")
        return 2
    sys.stdout.write(f"{pyodide.NAME} is installed in {arguments.folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
