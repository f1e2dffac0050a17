"""The check of the types of TypeScript: the compiler of the npm package `typescript`, for the interpreter.

It has 9 MB, so that it does not come with the site.
"""

from __future__ import annotations

import json
import re
import shutil
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from engine.installation import Archive, Package

NAME = "typescript 5.9.3"
MOST_WARNINGS = 50
_CHECKER = Path(__file__).parent / "types.js"
_DECLARATIONS = Path(__file__).parents[1] / "sdk/samples/typescript/bot.d.ts"
_COMPILER, _LIBRARIES, _LICENSE = "typescript.js", "libraries.json", "LICENSE.txt"
_FIRST_LIBRARY = "lib.es2023.d.ts"
_REFERENCE = re.compile(r'<reference lib="([^"]+)"')


def is_installed(folder: Path) -> bool:
    """Return whether the compiler is in `folder`."""
    return (folder / _COMPILER).exists()


def program(folder: Path, source: str) -> str:
    """Return the program in JavaScript that prints the faults of the types of `source`. Raises OSError."""
    files = json.loads((folder / _LIBRARIES).read_text())
    files["/bot.d.ts"] = _DECLARATIONS.read_text()
    words = f"check({json.dumps(source)}, {json.dumps(files)}, {MOST_WARNINGS});"
    return f"{(folder / _COMPILER).read_text()}\n{_CHECKER.read_text()}\n{words}\n"


def _libraries(folder: Path) -> dict[str, str]:
    """Return the declarations of the language, by their names: those that the newest refers to."""
    texts: dict[str, str] = {}
    waiting = [_FIRST_LIBRARY]
    while waiting:
        name = waiting.pop()
        if f"/{name}" not in texts:
            texts[f"/{name}"] = text = (folder / name).read_text()
            waiting += [f"lib.{each}.d.ts" for each in _REFERENCE.findall(text)]
    return texts


def _unpack(archives: Sequence[Path], folder: Path) -> None:
    (archive,) = archives
    with tarfile.open(archive) as files, tempfile.TemporaryDirectory(dir=folder) as name:
        files.extractall(name, filter="data")
        package = Path(name) / "package"
        (folder / _LIBRARIES).write_text(json.dumps(_libraries(package / "lib")))
        shutil.copy(package / "lib" / _COMPILER, folder)
        shutil.copy(package / _LICENSE, folder)


PACKAGE = Package(
    name=NAME,
    folder="typescript",
    archives=(
        Archive(
            "npm pack typescript@5.9.3",
            "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3",
        ),
    ),
    unpack=_unpack,
)
