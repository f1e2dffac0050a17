"""Builds of bots from C and C++: clang as a WebAssembly module, in a process of its own.

The compiler sees its headers and libraries, and a folder with the source. Therefore hostile sources need no other
sandbox, and equal sources give equal modules on every machine. `python -m engine.toolchain install ARCHIVE` installs
it: see docs/operate/compiler.md.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# The languages by the ends of their files' names, with the driver of the compiler and its standard.
DRIVERS = {".c": ("clang", "-std=gnu17"), ".cpp": ("clang++", "-std=c++20")}
# Several sources, with the files that they include.
ARCHIVE = ".zip"
MAX_SOURCE_BYTES = 1 << 20
# Time of the processor, and on the wall of a busy machine.
_SECONDS, _PATIENCE_S = 60, 300
_PACKAGES = Path(__file__).resolve().parents[2]


class BuildError(EngineError):
    """A build that gave no verdict: the compiler was killed, or is damaged. The machine is at fault."""

    code = "build-failed"


@dataclass(frozen=True, slots=True)
class Build:
    """The module, or None if the source has faults, and what the compiler said."""

    module: bytes | None
    log: str


@dataclass(frozen=True, slots=True)
class Toolchain:
    """An installed compiler: its folder and its name, such as `clang 22.1.0`."""

    folder: Path
    name: str

    def build(self, files: Mapping[str, bytes]) -> Build:
        """Return the module that the sources among `files` give. Raises BuildError."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        command = (sys.executable, "-m", "engine.toolchain", "build", str(self.folder), ARCHIVE)
        environment = {"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONPATH": str(_PACKAGES)}
        try:
            child = subprocess.run(  # noqa: S603 - our own words
                command,
                input=packed.getvalue(),
                env=environment,
                capture_output=True,
                timeout=_PATIENCE_S,
                check=False,
                preexec_fn=_limit,
            )
        except subprocess.TimeoutExpired as error:
            raise BuildError("the compiler did not end") from error
        log = child.stderr.decode(errors="replace")
        if child.returncode not in {0, 1}:
            return Build(None, f"{log}\nThe compiler was stopped: it takes {_SECONDS} s at most.\n")
        return Build(child.stdout or None, log)


def sources(paths: Iterable[str]) -> Sequence[str]:
    """Return the paths of texts that are compiled, in order. Other files are included, or nothing reads them."""
    return sorted(path for path in paths if PurePosixPath(path).suffix in DRIVERS)


def installed(folder: Path) -> Toolchain | None:
    """Return the compiler in `folder`, or None without one."""
    try:
        about = json.loads((folder / "about.json").read_text())
        return Toolchain(folder, str(about["name"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _limit() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
