"""The parts of an installation as a host runs them: each a process that is started again when it ends."""

from __future__ import annotations

import contextlib
import os
import pwd
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests import servers
from tests.processes import ROOT

# Pause after the end of a part. systemd waits a tenth of a second by default.
_PAUSE_S = 0.2
# A small disk with the existing data, in a mount namespace that lasts as long as the shell.
_ON_A_DISK = """
mkdir "$1-disk"; mount -t tmpfs -o size=$2m none "$1-disk"
cp -a "$1/." "$1-disk"; mount --move "$1-disk" "$1"; chown postgres "$1"
echo ready; read end
"""


class Part:
    """A process in its own group, kept running until `stop`."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        variables: Mapping[str, str],
        log: Path,
        user: str | None = None,
    ) -> None:
        self.name = name
        self.starts = 0
        # The tree whose code the next start runs.
        self.code = ROOT
        # The next start has these.
        self.variables = dict(variables)
        self._command, self._log, self._user = command, log, user
        self._is_wanted = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._is_wanted.set()
        self._begin()
        threading.Thread(target=self._keep, daemon=True).start()

    def _begin(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self.code,
                env=self.variables,
                stdout=log,
                stderr=log,
                user=self._user,
                start_new_session=True,
            )
        self.starts += 1

    def _keep(self) -> None:
        while self._is_wanted.is_set():
            assert self._process is not None
            self._process.wait()
            time.sleep(_PAUSE_S)
            if self._is_wanted.is_set():
                self._begin()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill -9 the process and all it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and all it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def stop(self) -> None:
        """End it until it is started by hand."""
        self._is_wanted.clear()
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._wait(10)
        self.kill()
        self._wait(10)

    def _wait(self, seconds: float) -> None:
        assert self._process is not None
        self._process.wait(seconds)

    def log(self) -> str:
        return self._log.read_text(errors="replace")


class PostgreSQL(Part):
    """A server with its default settings: confirmed data are on the disk."""

    def __init__(
        self,
        folder: Path,
        port: int,
        *,
        disk_mb: int | None = None,
        on: Sequence[str] = (),
        net: str = "127.0.0.0/8",
    ) -> None:
        programs = servers._postgresql_programs()
        assert programs is not None
        self.port, self.folder = port, folder
        user = "postgres" if os.geteuid() == 0 else None
        folder.mkdir()
        if user:
            os.chown(folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        command = [str(programs / "initdb"), "-D", f"{folder}/data", "-A", "trust", "-U", "rayuela",
                   "-E", "UTF8", "--no-locale", "--no-sync"]  # fmt: skip
        subprocess.run(command, user=user, cwd=folder, check=True, capture_output=True)
        command = [str(programs / "postgres"), "-D", f"{folder}/data", "-p", str(port), "-k", str(folder),
                   "-c", "listen_addresses=*", "-c", "max_connections=100"]  # fmt: skip
        with Path(folder, "data", "pg_hba.conf").open("a") as file:
            file.write(f"host all all {net} trust\n")
        self._disk: subprocess.Popen[bytes] | None = None
        if disk_mb is not None:
            self._disk = disk(folder, disk_mb)
            command = ["nsenter", "-m", "-t", str(self._disk.pid), "setpriv", "--reuid=postgres",
                       "--regid=postgres", "--clear-groups", *command]  # fmt: skip
        elif on:
            as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            command = [*on, *as_user, *command]
        super().__init__(
            "postgresql",
            command,
            variables=os.environ,
            log=folder.parent / "postgresql.log",
            # A process that enters a namespace becomes that user afterwards.
            user=None if on or disk_mb is not None else user,
        )

    @property
    def disk(self) -> Path:
        """Return its own disk, seen from outside."""
        assert self._disk is not None
        return Path(f"/proc/{self._disk.pid}/root{self.folder}")

    def stop(self) -> None:
        super().stop()
        if self._disk is not None:
            self._disk.communicate(b"end\n")

    def kill_backend(self) -> bool:
        """Kill -9 the process behind one connection, after which the server restarts automatically."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        with contextlib.suppress(OSError):
            for child in map(int, children.read_text().split()):
                if b"rayuela rayuela" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(child, signal.SIGKILL)
                    return True
        return False

    def kill_postmaster(self) -> None:
        """Kill -9 the first process alone. Its backends find out."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def disk(folder: Path, size_mb: int) -> subprocess.Popen[bytes]:
    """Return the process whose mount namespace has a small disk in place of `folder`. A line on its input ends it."""
    command = ["unshare", "-m", "sh", "-ec", _ON_A_DISK, "sh", str(folder), str(size_mb)]
    disk = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert disk.stdout is not None
    assert disk.stdout.readline() == b"ready\n"
    return disk


def redis(folder: Path, port: int, *, on: Sequence[str] = ()) -> Part:
    """Return a Redis that stores no data."""
    command = [*on, "redis-server", "--port", str(port), "--bind", "*", "--save", "", "--protected-mode",
               "no", "--appendonly", "no", "--dir", str(folder)]  # fmt: skip
    return Part("redis", command, variables=os.environ, log=folder / "redis.log")


def web(
    folder: Path,
    port: int,
    variables: Mapping[str, str],
    number: int = 1,
    *,
    on: Sequence[str] = (),
    processes: int = 1,
) -> Part:
    host = "0.0.0.0" if on else "127.0.0.1"  # noqa: S104 - in a namespace of the test
    command = [*on, sys.executable, "manage.py", "serve", "--host", host, "--port", str(port),
               "--processes", str(processes)]  # fmt: skip
    return Part(f"web-{number}", command, variables=variables, log=folder / f"web-{number}.log")


def worker(
    folder: Path,
    queues: str,
    variables: Mapping[str, str],
    *extra: str,
    on: Sequence[str] = (),
    name: str = "",
) -> Part:
    """Return a worker for those queues, named after them if it has no name."""
    name = name or queues.replace(",", "-")
    command = [*on, sys.executable, "-m", "celery", "-A", "config.celery", "worker", "-Q", queues, "-n", f"{name}@%h",
               "--loglevel", "WARNING", *extra]  # fmt: skip
    return Part(name, command, variables=variables, log=folder / f"{name}.log")


def beat(folder: Path, variables: Mapping[str, str], *, name: str = "beat") -> Part:
    # Its log has a line for each tick.
    command = [sys.executable, "-m", "celery", "-A", "config.celery", "beat", "--loglevel", "INFO"]
    return Part(name, command, variables=variables, log=folder / f"{name}.log")
