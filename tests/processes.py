"""Rayuela's own programs as processes of their own, on the database that the test uses."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db import connection

from tests.servers import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ROOT = Path(__file__).resolve().parent.parent
# The machine may have much other work. A late event is no fault, but a missing one is.
_PATIENCE_S = 600.0


def environment() -> dict[str, str]:
    """The variables that give a process the database of this test, and its broker and bus."""
    if connection.vendor == "sqlite":
        url = f"sqlite:///{connection.settings_dict['NAME']}"
    else:
        parts = urlsplit(os.environ["DATABASE_URL"])
        url = urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))
    return {**os.environ, "DATABASE_URL": url, "RAYUELA_HOME": str(settings.HOME)}


@contextlib.contextmanager
def worker(queues: str) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a Celery worker for `queues`, in its own process group. It is killed at the end."""
    command = ["-m", "celery", "-A", "config.celery", "worker", "-Q", queues, "-c", "1",
               "--loglevel", "ERROR", "--without-gossip", "--without-mingle"]  # fmt: skip
    with program(command) as process:
        yield process


@contextlib.contextmanager
def site(*, processes: int = 1, log: IO[bytes] | None = None, **variables: str) -> Iterator[str]:
    """Yield the address of the site's web process, with further environment variables and its log in a file."""
    port = free_port()
    command = ["manage.py", "serve", "--port", str(port), "--processes", str(processes)]
    with program(command, variables, log):
        url = f"http://127.0.0.1:{port}"
        until(lambda: answers(f"{url}/sign-in/"))
        yield url


@contextlib.contextmanager
def program(
    arguments: list[str],
    variables: Mapping[str, str] | None = None,
    log: IO[bytes] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """Yield Python with `arguments`, in its own process group and further variables.

    It is killed at the end.
    """
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**environment(), **(variables or {})},
        stderr=log,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill_group(process)
        process.wait()


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill -9 the process and everything it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def until(
    condition: Callable[[], object],
    *,
    patience_s: float = _PATIENCE_S,
    otherwise: Callable[[], str] = str,
) -> None:
    """Return as soon as `condition` holds.

    Fail, with the result of `otherwise`, when it does not come true.
    """
    deadline = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < deadline, f"waited {patience_s} s in vain: {otherwise()}"
        time.sleep(0.02)


def await_idle() -> None:
    """Return when no other process is at work in this test's database.

    Tables that are emptied while a request reads several of them can be a deadlock on PostgreSQL.
    On SQLite one waits for the other.
    """
    if connection.vendor == "sqlite":
        return

    def at_work() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND state <> 'idle'"
            )
            (count,) = cursor.fetchone()
        return int(count)

    until(lambda: at_work() == 0)


def answers(url: str) -> bool:
    """Return whether a server answers at `url`, with any status."""
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
