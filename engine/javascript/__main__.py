"""The interpreter's build: `python -m engine.javascript build quickjs_ng-0.17.0.2.tar.gz`.

With `sucrase-3.35.1.tgz` (`npm pack sucrase@3.35.1`) it is the build of the library that removes types.

The archive of the interpreter is the source distribution of the package `quickjs-ng`, the compiler that of
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
from engine.javascript import INTERPRETER, LIBRARY, sucrase
from engine.javascript.sucrase import ArchiveError
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


def main(argv: Sequence[str] | None = None) -> int:
    """Write or compare what the archive gives. Return 0, 1 for other bytes, or 2 for a refusal."""
    parser = argparse.ArgumentParser(prog="python -m engine.javascript", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="write a file of this package")
    build.add_argument(
        "archive", type=Path, help="quickjs_ng-0.17.0.2.tar.gz or sucrase-3.35.1.tgz"
    )
    build.add_argument("--check", action="store_true", help="write nothing; compare the bytes")
    arguments = parser.parse_args(argv)
    try:
        if arguments.archive.suffix == ".tgz":
            target, content = LIBRARY, sucrase.script(arguments.archive).encode()
        else:
            target, content = INTERPRETER, module_bytes(arguments.archive)
    except (EngineError, OSError) as error:
        sys.stderr.write(f"engine.javascript: {error}\n")
        return 2
    if arguments.check:
        return int(content != target.read_bytes())
    target.write_bytes(content)
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
