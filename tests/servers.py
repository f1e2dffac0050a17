"""Private PostgreSQL and Redis servers for tests: on free ports, with their files in a folder that goes with them."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_START_TIMEOUT_S = 30.0
# The part of the 107 bytes of a socket's path without the name of the socket.
_LONGEST_SOCKET_FOLDER = 80


def chromium() -> str | None:
    """The path of Chromium, or None.

    The build without windows starts a page in half of the processor time.
    """
    return (
        shutil.which("chromium-headless-shell")
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
    )


def missing_programs() -> list[tuple[str, str]]:
    """Return the useful programs that this machine lacks, each with the Debian package that brings it."""
    missing = []
    if not os.environ.get("DATABASE_URL") and _postgresql_programs() is None:
        missing.append(("PostgreSQL", "postgresql"))
    if not os.environ.get("REDIS_URL") and shutil.which("redis-server") is None:
        missing.append(("Redis", "redis-server"))
    if chromium() is None:
        missing.append(("Chromium", "chromium"))
    return missing


def _postgresql_programs() -> Path | None:
    """The folder with initdb and postgres, which Debian keeps off the path."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).parent
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return programs[-1].parent if programs else None


@contextlib.contextmanager
def postgresql(*settings: str) -> Iterator[str]:
    """Yield the URL of a new, empty PostgreSQL server with further settings, or an empty text without the program."""
    programs = _postgresql_programs()
    if programs is None:
        yield ""
        return
    # PostgreSQL refuses to run as root. Its package brings a user for it.
    user = "postgres" if os.geteuid() == 0 else None
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="rayuela-pg-") as folder:
        if user:
            os.chown(folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        _run([str(programs / "initdb"), "-D", f"{folder}/data", "-A", "trust", "-U", "rayuela",
              "-E", "UTF8", "--no-locale", "--no-sync"], user, folder)  # fmt: skip
        command = [
            str(programs / "postgres"), "-D", f"{folder}/data", "-p", str(port), "-k", folder,
            "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=120",
            # The data do not outlive the tests, so they need not reach the disk.
            "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off",
            "-c", "autovacuum=off", "-c", "wal_level=minimal", "-c", "max_wal_senders=0",
            # No query of a test is worth compiling: a twentieth of the time of page tests.
            "-c", "jit=off",
            *(word for setting in settings for word in ("-c", setting)),
        ]  # fmt: skip
        # It listens before it answers, and writes `ready` to this file when it does.
        file = Path(folder, "data", "postmaster.pid")
        with _server(command, lambda: "ready" in file.read_text(), user=user, folder=folder):
            # Its socket is a twentieth faster than the network. Its path has its limit.
            host = quote(folder, safe="") if len(folder) < _LONGEST_SOCKET_FOLDER else "127.0.0.1"
            yield f"postgresql://rayuela@{host}:{port}/postgres"


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """Yield the URL of a new, empty Redis server, or an empty text without the program."""
    program = shutil.which("redis-server")
    if program is None:
        yield ""
        return
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="rayuela-redis-") as folder:
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "",
                   "--appendonly", "no", "--dir", folder]  # fmt: skip
        with _server(command, lambda: _listens(port), user=None, folder=folder):
            yield f"redis://127.0.0.1:{port}/0"


@contextlib.contextmanager
def _server(
    command: list[str], is_ready: Callable[[], bool], *, user: str | None, folder: str
) -> Iterator[None]:
    with Path(folder, "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, user=user, cwd=folder)
        try:
            _wait(process, is_ready, Path(folder, "log"))
            yield
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _listens(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), 0.2):
        return True


def _wait(process: subprocess.Popen[bytes], is_ready: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + _START_TIMEOUT_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError):
            if is_ready():
                return
        time.sleep(0.05)
    raise RuntimeError(f"{process.args!r} did not start:\n{log.read_text()}")


def _run(command: list[str], user: str | None, folder: str) -> None:
    done = subprocess.run(
        command, user=user, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{command}:\n{done.stdout}{done.stderr}")


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
