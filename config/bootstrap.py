"""Creation of `.venv` from the hash-pinned lock.

Standard library only: no package is installed yet.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
# Set to 1 if the environment is made by other means, in a container image for example.
SWITCH_OFF = "RAYUELA_NO_BOOTSTRAP"
OLDEST_PYTHON = (3, 11)


def enter(*, with_tests: bool) -> None:
    """Return inside `.venv` with the locked packages installed, and replace the process if it runs elsewhere.

    `with_tests` asks for the development lock too. Exits with a message when Python is too old or
    the installation fails. The next call repairs an interrupted installation.
    """
    if os.environ.get(SWITCH_OFF) == "1":
        return
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Rayuela needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    lock = ROOT / ("requirements-dev.lock" if with_tests else "requirements.lock")
    if not _is_installed(lock):
        _install(lock)
    # Resolved on both sides: where `.venv` is a link, comparing it as it is would start Python again for ever.
    if Path(sys.prefix).resolve() != VENV.resolve():
        python = str(VENV / "bin" / "python")
        os.execv(python, [python, *sys.argv])  # noqa: S606 - our own interpreter, no shell


def _base_python() -> str:
    """Return the interpreter outside any environment: the one in `.venv` has no pip, and must not remove itself."""
    return str(getattr(sys, "_base_executable", sys.executable))


def _stamp(lock: Path) -> Path:
    """Return the file that says that `lock` is installed, as it is now, for this Python."""
    made_of = lock.read_bytes() + repr((sys.version, str(VENV))).encode()
    return VENV / f".{lock.stem}-{hashlib.sha256(made_of).hexdigest()[:16]}"


def _is_installed(lock: Path) -> bool:
    return _stamp(lock).exists()


def _install(lock: Path) -> None:
    with _only_one():
        if _is_installed(lock):
            return
        print(f"Rayuela: setting up {VENV.name} (once; a few minutes on a slow line)", flush=True)
        if not _runs_this_python():
            # Debian's Python has no ensurepip, so the environment is filled from outside.
            _run([_base_python(), "-m", "venv", "--clear", "--without-pip", str(VENV)])
        _fill(lock)
        _stamp(lock).touch()
        if lock.stem == "requirements-dev":  # it holds everything that the other lock holds
            _stamp(ROOT / "requirements.lock").touch()


@contextlib.contextmanager
def _only_one() -> Iterator[None]:
    try:
        handle = (ROOT / ".venv.lock").open("w")
    except OSError as error:
        sys.exit(f"Rayuela cannot set itself up in {ROOT}: {error.strerror}.")
    with handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _fill(lock: Path) -> None:
    # fmt: off
    pip = [_base_python(), "-m", "pip", "--python", str(VENV / "bin" / "python"), "install", "--require-hashes",
           # The lock is complete, so there are no dependencies to resolve. Modules are compiled
           # when they are imported.
           "--no-deps", *([] if sys.dont_write_bytecode else ["--no-compile"]),
           "--disable-pip-version-check", "--no-warn-script-location", "--progress-bar", "off", "-r", str(lock)]
    # fmt: on
    messages: list[str] = []
    with subprocess.Popen(
        pip, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None  # it is a pipe
        done = 0
        for line in process.stdout:
            messages.append(line)
            if line.startswith(("Collecting ", "Processing ")):
                done += 1
                _progress(f"  fetching package {done}: {Path(line.split()[1]).name.split('==')[0]}")
            elif line.startswith("Installing collected"):
                _progress(f"  installing {done} packages")
    _progress("")
    if process.returncode:
        sys.exit(
            "".join(messages[-20:]) + f"Rayuela: pip could not install {lock.name}; see above."
        )


def _progress(text: str) -> None:
    if sys.stdout.isatty():
        print(f"\r{text:<60}", end="" if text else "\r", flush=True)
    elif text:
        print(text, flush=True)


def _runs_this_python() -> bool:
    """Return whether `.venv` exists and is of this version, so that a newer lock is installed over the older."""
    python = VENV / "bin" / "python"
    if not python.exists():
        return False
    version = subprocess.run([python, "-V"], capture_output=True, text=True, check=False)
    return version.stdout.split()[-1:] == [sys.version.split()[0]]


def _run(command: list[str]) -> None:
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode:
        sys.exit(f"{finished.stdout}{finished.stderr}Rayuela: could not make .venv; see above.")
