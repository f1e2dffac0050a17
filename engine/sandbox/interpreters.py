"""A Python that the user of the sandbox can run: ours if its files are open, else the system's.

The interpreter itself lists its files, so that a sandbox shows only these.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from engine.sandbox.refusals import IsolationReason, UnavailableError

_OLDEST = (3, 11)
# Not shown: packages of the machine's own, which lie below the standard library in some Pythons.
_FOREIGN = ("site-packages", "dist-packages")
# Run by the interpreter itself. It prints as JSON its version, the directories of its standard
# library, and the shared libraries of its program and its extension modules. The libraries have the
# names by which the dynamic loader looks for them. Some that native code of packages asks for are
# added.
_ASK = """
import contextlib, ctypes, json, os, sys

libraries = []

@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t, ctypes.c_void_p)
def note(information, size, data):
    # struct dl_phdr_info: the address of the object, then its name.
    name = ctypes.cast(information[1] or 0, ctypes.c_char_p).value
    if name and name.startswith(b"/"):
        libraries.append(os.fsdecode(name))
    return 0

directories = [path for path in sys.path if os.path.isdir(path)]
extensions = [
    entry.path
    for path in directories if path.endswith("lib-dynload")
    for entry in os.scandir(path) if "tkinter" not in entry.name
]
common = ["libgcc_s.so.1", "libstdc++.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"]
for name in (*extensions, *common):
    with contextlib.suppress(OSError):
        ctypes.CDLL(name)
ctypes.CDLL(None).dl_iterate_phdr(note, None)
print(json.dumps([sys.version_info[:2], directories, libraries]))
"""
_PATIENCE_S = 20


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python outside any virtual environment, and the files it consists of.

    Attributes:
        executable: its program.
        directories: its standard library, as absolute paths.
        shared_libraries: the libraries that the dynamic loader reads for it, as absolute paths.
    """

    executable: Path
    directories: tuple[Path, ...]
    shared_libraries: tuple[Path, ...]

    @property
    def foreign_directories(self) -> list[Path]:
        """Return the directories of other packages below its standard library."""
        places = (directory / name for directory in self.directories for name in _FOREIGN)
        return [place for place in places if place.is_dir()]

    def library_entries(self) -> list[Path]:
        """Return the entries of its standard library, without directories of other packages."""
        return [
            entry
            for directory in self.directories
            for entry in sorted(directory.iterdir())
            if entry.name not in _FOREIGN
        ]


@functools.cache
def find(user: int | None) -> Interpreter:
    """Return the first Python of at least 3.11 that runs as `user` (None: as ourselves).

    Raises:
        UnavailableError: there is no such Python, for example if ours is in root's home and the
            system has none.
    """
    refusals = []
    for executable in _candidates():
        try:
            return _probe(executable, user)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            refusals.append(f"{executable}: {error}")
    raise UnavailableError(IsolationReason.NO_INTERPRETER, "; ".join(refusals))


def _candidates() -> list[Path]:
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    return [Path(sys.base_prefix).resolve() / "bin" / version, Path("/usr/bin/python3")]


def _probe(executable: Path, user: int | None) -> Interpreter:
    """Return the interpreter `executable`, asked by running it as `user` in an empty environment.

    Raises when it cannot.
    """
    process = subprocess.run(  # noqa: S603
        [str(executable), "-I", "-S", "-c", _ASK],
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        cwd="/",
        env={},
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=True,
    )
    (major, minor), directories, libraries = json.loads(process.stdout)
    if (major, minor) < _OLDEST:
        raise ValueError(f"Python {major}.{minor} is older than 3.11")
    if not directories or "/" in directories:
        raise ValueError(f"its library is nowhere in particular: {directories}")
    shared = tuple(
        path for name in dict.fromkeys(libraries) if not _is_below(path := Path(name), directories)
    )
    return Interpreter(executable, _outermost(directories), shared)


def _outermost(directories: list[str]) -> tuple[Path, ...]:
    paths = [Path(directory) for directory in directories]
    return tuple(path for path in paths if not any(other in path.parents for other in paths))


def _is_below(path: Path, directories: list[str]) -> bool:
    return any(path.is_relative_to(directory) for directory in directories)
