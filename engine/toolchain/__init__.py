"""Builds of bots from C and C++, by clang as a WebAssembly module, from TypeScript, and by native compilers.

clang has a process of its own, and sees its headers and libraries, and a folder with the source. Therefore hostile sources need no other
sandbox, and equal sources give equal modules on every machine. The native compilers are in `languages`. `python -m
engine.toolchain install ARCHIVE` installs each: see docs/operate/compiler.md.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol

from engine.javascript import types
from engine.toolchain import native
from engine.toolchain.languages import NATIVES
from engine.toolchain.outcome import Build, BuildError, build_of, name_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "ARCHIVE",
    "COMPILERS",
    "DRIVERS",
    "LANGUAGES",
    "MAX_SOURCE_BYTES",
    "NATIVES",
    "TEXTS",
    "Build",
    "BuildError",
    "Tool",
    "Toolchain",
    "TypeScript",
    "installed",
    "sources",
    "tool_for",
    "tools",
]

# The languages by the ends of their files' names, with the driver of the compiler and its standard.
DRIVERS = {".c": ("clang", "-std=gnu17"), ".cpp": ("clang++", "-std=c++20")}
# Several sources, with the files that they include.
ARCHIVE = ".zip"
TYPESCRIPT = ".ts"
_NATIVES = {compiler.suffix: compiler for compiler in NATIVES}
# The languages of sources in one file, by the ends of their names.
LANGUAGES = {
    TYPESCRIPT: "TypeScript",
    ".c": "C",
    ".cpp": "C++",
    **{compiler.suffix: compiler.language for compiler in NATIVES},
}
TEXTS = tuple(LANGUAGES)
# The compilers that must be installed, by the ends of the names of the uploads that need one.
COMPILERS = {
    **dict.fromkeys((*DRIVERS, ARCHIVE), "clang"),
    **{suffix: compiler.kind for suffix, compiler in _NATIVES.items()},
}
MAX_SOURCE_BYTES = 1 << 20
# Time of the processor, and on the wall of a busy machine.
_SECONDS, _PATIENCE_S = 60, 300
_PACKAGES = Path(__file__).resolve().parents[2]


class Tool(Protocol):
    """A compiler of this machine."""

    @property
    def name(self) -> str:
        """Return its name with its version."""

    def build(self, files: Mapping[str, bytes]) -> Build:
        """Return the module that the sources among `files` give. Raises BuildError."""


@dataclass(frozen=True, slots=True)
class TypeScript:
    """The library that removes types, which comes with the site.

    If the compiler that checks types is installed in `checker`, the log has their faults.
    """

    checker: Path
    name = "sucrase 3.35.1"

    def build(self, files: Mapping[str, bytes]) -> Build:
        """See `Tool`."""
        (source,) = files.values()
        build = _run(("typescript",), source)
        if build.module is None or not types.is_installed(self.checker):
            return build
        try:
            log = _run(("types", str(self.checker)), source).log
        except BuildError as error:
            log = f"{types.NAME}: the types were not checked: {error}\n"
        return replace(build, log=f"{build.log}{log}")


@dataclass(frozen=True, slots=True)
class Toolchain:
    """An installed compiler: its folder and its name, such as `clang 22.1.0`."""

    folder: Path
    name: str

    def build(self, files: Mapping[str, bytes]) -> Build:
        """See `Tool`."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return _run(("build", str(self.folder), ARCHIVE), packed.getvalue())


def tool_for(suffix: str, home: Path) -> Tool | None:
    """Return the compiler of uploads whose names end so, or None if this machine cannot use one below `home`."""
    if suffix == TYPESCRIPT:
        return TypeScript(home / "typescript")
    compiler = _NATIVES.get(suffix)
    return installed(home / "toolchain") if compiler is None else native.usable(compiler, home)


def tools(home: Path) -> Sequence[Tool]:
    """Return the compilers below `home` that this machine can use."""
    candidates = (tool_for(suffix, home) for suffix in (ARCHIVE, *_NATIVES))
    return [tool for tool in candidates if tool is not None]


def sources(paths: Iterable[str]) -> Sequence[str]:
    """Return the paths of texts that are compiled, in order. Other files are included, or nothing reads them."""
    return sorted(path for path in paths if PurePosixPath(path).suffix in DRIVERS)


def installed(folder: Path) -> Toolchain | None:
    """Return the compiler of C and C++ in `folder`, or None without one."""
    name = name_in(folder)
    return None if name is None else Toolchain(folder, name)


def _run(words: Sequence[str], source: bytes) -> Build:
    """Return what a command of this package makes of `source`. Raises BuildError."""
    try:
        child = subprocess.run(  # noqa: S603 - our own words
            (sys.executable, "-m", "engine.toolchain", *words),
            input=source,
            env={"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONPATH": str(_PACKAGES)},
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
            preexec_fn=_limit,
        )
    except subprocess.TimeoutExpired as error:
        raise BuildError("the compiler did not end") from error
    log = child.stderr.decode(errors="replace")
    return build_of(child.returncode, module=child.stdout, log=log, seconds=_SECONDS)


def _limit() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
