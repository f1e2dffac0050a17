"""A Python that the user of the sandbox can run: ours if its files are open, else the system's."""

from __future__ import annotations

import functools
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from engine.sandbox.refusals import IsolationReason, UnavailableError

_OLDEST = (3, 11)
_ASK = "import sys; print(sys.version_info[0], sys.version_info[1], sys.base_prefix)"
_PATIENCE_S = 20


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python outside any virtual environment: its program, and its library directory."""

    executable: Path
    prefix: Path


@functools.cache
def find(user: int | None) -> Interpreter:
    """The first Python of at least 3.11 that runs as `user` (None: as ourselves).

    Raises:
        UnavailableError: there is none, such as when ours is in root's home and the system has
            none.
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
    """The interpreter `executable`, asked by running it as `user` in an empty environment.

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
    major, minor, prefix = process.stdout.rstrip("\n").split(" ", 2)
    if (int(major), int(minor)) < _OLDEST:
        raise ValueError(f"Python {major}.{minor} is older than 3.11")
    if not Path(prefix).is_relative_to("/") or Path(prefix) == Path("/"):
        raise ValueError(f"its library is nowhere in particular: {prefix!r}")
    return Interpreter(executable, Path(prefix))
