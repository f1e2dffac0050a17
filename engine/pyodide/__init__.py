"""Python for the editor of bots: the interpreter Pyodide (MPL-2.0), which browsers run, and our packages for it.

The interpreter has 13 MB, so that it does not come with the site.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from engine import sdk
from engine.installation import Archive, Package

# The module that a page imports, and our packages.
MODULE, PACKAGES = "pyodide.mjs", "packages.zip"
_INSTALLED = {
    MODULE: "text/javascript",
    "pyodide.asm.mjs": "text/javascript",
    "pyodide.asm.wasm": "application/wasm",
    "pyodide-lock.json": "application/json",
    "python_stdlib.zip": "application/zip",
}
# The content types of all files that a page fetches.
FILES = {**_INSTALLED, PACKAGES: "application/zip"}
_TURN = Path(__file__).parent / "rayuela_turn.py"
# The earliest time that a zip can store: equal files give equal bytes.
_TIME = (1980, 1, 1, 0, 0, 0)


def is_installed(folder: Path) -> bool:
    """Return whether the interpreter is in `folder`."""
    return _place(folder, MODULE).exists()


@functools.cache
def version() -> str:
    """Return a word that differs if any of the files differs."""
    return hashlib.sha256(PACKAGE.archives[0].sha256.encode() + _packages()).hexdigest()[:12]


def compressed(folder: Path, name: str) -> bytes:
    """Return one of `FILES`, compressed by gzip. Raises FileNotFoundError."""
    assert name in FILES, name
    return _packages() if name == PACKAGES else _place(folder, name).read_bytes()


@functools.cache
def _packages() -> bytes:
    """Return the zip of what a bot imports, and of the program that runs a bot."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        modules = sorted((sdk.GAMES_DIRECTORY / "games").rglob("*.py"))
        places = {path: path.relative_to(sdk.GAMES_DIRECTORY).as_posix() for path in modules}
        for path in (sdk.DIRECTORY / "rayuela_sdk.py", _TURN):
            places[path] = path.name
        for path, name in places.items():
            archive.writestr(zipfile.ZipInfo(name, _TIME), path.read_bytes())
    return gzip.compress(packed.getvalue(), mtime=0)


def _place(folder: Path, name: str) -> Path:
    return folder / f"{name}.gz"


def _unpack(archives: Sequence[Path], folder: Path) -> None:
    (archive,) = archives
    with tarfile.open(archive) as files:
        for each in _INSTALLED:
            content = files.extractfile(f"package/{each}")
            assert content is not None, "a file of the archive"
            _place(folder, each).write_bytes(gzip.compress(content.read(), mtime=0))


PACKAGE = Package(
    name="pyodide 314.0.7",
    folder="pyodide",
    archives=(
        Archive(
            "npm pack pyodide@314.0.7",
            "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
        ),
    ),
    unpack=_unpack,
)
