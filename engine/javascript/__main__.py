"""The interpreter's build: `python -m engine.javascript build quickjs_ng-0.17.0.2.tar.gz`.

The archive is the source distribution of the package `quickjs-ng`, the compiler that of
`requirements-kernel.lock`:

    pip download --no-deps --no-binary :all: quickjs-ng==0.17.0.2
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.javascript import INTERPRETER
from engine.kernel.build import compiled

if TYPE_CHECKING:
    from collections.abc import Sequence

ARCHIVE_SHA256 = "43d2e48272208721a7aaea8e3f02d4b9318f12ef20cc4f5421b59d9a470706ef"
_MAIN = Path(__file__).parent / "main.c"
_UNITS = ("main.c", "quickjs.c", "libregexp.c", "libunicode.c", "dtoa.c")
_FLAGS = (
    "-target", "wasm32-wasi", "-Os", "-DNDEBUG", "-D_GNU_SOURCE",
    "-Wl,--strip-all", "-Wl,-z,stack-size=1048576",
)  # fmt: skip


class ArchiveError(EngineError):
    """An archive of another version of the interpreter's source."""

    code = "javascript-archive"


def main(argv: Sequence[str] | None = None) -> int:
    """Write or compare the interpreter. Return 0, 1 for another module, or 2 for a refusal."""
    parser = argparse.ArgumentParser(prog="python -m engine.javascript", description=__doc__)
    parser.add_argument("command", choices=["build"])
    parser.add_argument("archive", type=Path, help="quickjs_ng-0.17.0.2.tar.gz")
    parser.add_argument("--check", action="store_true", help="write nothing; compare the bytes")
    arguments = parser.parse_args(argv)
    try:
        module = module_bytes(arguments.archive)
    except (EngineError, OSError) as error:
        sys.stderr.write(f"engine.javascript: {error}\n")
        return 2
    if arguments.check:
        return int(module != INTERPRETER.read_bytes())
    INTERPRETER.write_bytes(module)
    return 0


def module_bytes(archive: Path) -> bytes:
    """Return the interpreter as the compiler makes it now. Raises ArchiveError, BuildError, OSError."""
    if hashlib.sha256(archive.read_bytes()).hexdigest() != ARCHIVE_SHA256:
        raise ArchiveError(f"{archive} is another archive than that of ARCHIVE_SHA256")
    with tempfile.TemporaryDirectory() as name, tarfile.open(archive) as files:
        folder = Path(name)
        files.extractall(folder, filter="data")
        (source,) = folder.glob("*/upstream-quickjs")
        shutil.copy(_MAIN, source)
        return compiled("cc", (*_FLAGS, *_UNITS), source)


if __name__ == "__main__":
    sys.exit(main())
