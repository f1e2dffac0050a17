"""Builds the kernel: `python -m engine.kernel build [--check]`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from engine.kernel.build import MODULE, BuildError, build, is_current, module_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0 is done, 1 is another module, 2 no compiler."""
    parser = argparse.ArgumentParser(prog="python -m engine.kernel", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("build", help="compile source/ into kernel.wasm")
    make.add_argument("--check", action="store_true", help="write nothing; compare the bytes")
    arguments = parser.parse_args(argv)
    try:
        if arguments.check:
            return _check()
        has_changed = build()
    except BuildError as error:
        print(f"engine.kernel: {error}", file=sys.stderr)
        return 2
    print(f"{MODULE.name}: {MODULE.stat().st_size} bytes, {'new' if has_changed else 'unchanged'}")
    return 0


def _check() -> int:
    if is_current(module_bytes()):
        print(f"{MODULE.name} is what the source gives")
        return 0
    print(
        f"{MODULE.name} is not what the source gives: python -m engine.kernel build",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
