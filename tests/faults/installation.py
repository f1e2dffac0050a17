"""Rayuela as `docs/operate/configure.md` sets it up, on separate servers that may be killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from tests import processes, servers
from tests.faults import parts
from tests.faults.parts import Part, PostgreSQL

_NAME = "rayuela"


@dataclass
class Installation:
    """The running parts, and the address of the site."""

    folder: Path
    postgresql: PostgreSQL
    redis: Part
    webs: list[Part]
    ports: list[int]
    workers: list[Part]
    variables: Mapping[str, str]
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    @property
    def url(self) -> str:
        return self.variables["DATABASE_URL"]

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return the result of the query, as soon as the database answers."""
        answer: list[tuple[object, ...]] = []

        def ask() -> bool:
            with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url) as db:
                answer[:] = db.execute(query).fetchall()
                return True
            return False

        processes.until(ask, patience_s=60)
        return answer

    def manage(self, *arguments: str, code: Path = processes.ROOT) -> str:
        """Return the output of a command of that tree's `manage.py`, which must succeed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=code,
            env=dict(self.variables),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def logs(self) -> str:
        """Return the last lines of every part."""
        everything = [self.postgresql, self.redis, *self.webs, *self.workers]
        return "\n".join(f"--- {part.name}\n{part.log()[-1500:]}" for part in everything)


def require_servers() -> None:
    """Skip the test if the run has no servers, or the machine lacks their programs."""
    if not os.environ.get("REDIS_URL"):
        pytest.skip("run with --postgresql: needs PostgreSQL and Redis")
    lacking = [what for what, _ in servers.missing_programs() if what != "Chromium"]
    if lacking or shutil.which("redis-server") is None or servers._postgresql_programs() is None:
        pytest.skip("this machine has no programs of PostgreSQL and Redis")


def variables() -> dict[str, str]:
    """Return the environment of every part, except for the places of the servers."""
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, "RAYUELA_NO_BOOTSTRAP": "1", "LIMITS_FACTOR": "0"}


@contextlib.contextmanager
def running(
    *,
    webs: int = 1,
    is_small: bool = True,
    disk_mb: int | None = None,
    code: Path = processes.ROOT,
) -> Iterator[Installation]:
    """Yield an installation with an empty database: small, with all queues in one worker, or as on a real site.

    With `disk_mb` PostgreSQL has a separate disk of that size. The parts run the code of the tree `code`.
    """
    require_servers()
    with (
        tempfile.TemporaryDirectory(prefix="rayuela-faults-") as name,
        contextlib.ExitStack() as stack,
    ):
        folder = Path(name)
        folder.chmod(0o755)
        database_port, redis_port, *ports = (servers.free_port() for _ in range(2 + webs))
        home = folder / "home"
        home.mkdir()
        own = {
            **variables(),
            "DATABASE_URL": f"postgresql://rayuela@127.0.0.1:{database_port}/{_NAME}",
            "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
            "RAYUELA_HOME": str(home),
        }
        postgresql = parts.PostgreSQL(folder / "pg", database_port, disk_mb=disk_mb)
        redis = parts.redis(folder, redis_port)
        for part in (postgresql, redis):
            part.start()
            stack.callback(part.stop)
        installation = Installation(
            folder,
            postgresql,
            redis,
            [parts.web(folder, port, own, n) for n, port in enumerate(ports, 1)],
            ports,
            _workers(folder, own, is_small=is_small),
            own,
        )
        prepare(installation, code)
        for part in (*installation.webs, *installation.workers):
            part.code = code
            part.start()
            stack.callback(part.stop)
        for port in ports:
            processes.until(
                lambda port=port: processes.answers(f"http://127.0.0.1:{port}/healthz"),  # type: ignore[misc]
                otherwise=installation.logs,
            )
        yield installation


def _workers(folder: Path, variables: Mapping[str, str], *, is_small: bool) -> list[Part]:
    if is_small:
        return [
            parts.worker(
                folder, "ticks,default,builtin-replies,post,builtin", variables, "-c", "1", "--beat"
            )
        ]
    return [
        parts.worker(folder, "ticks", variables, "-c", "1"),
        parts.worker(folder, "default,builtin-replies,post", variables, "-c", "1"),
        parts.worker(folder, "builtin", variables, "-c", "1", "-O", "fair"),
        parts.beat(folder, variables),
    ]


def prepare(installation: Installation, code: Path = processes.ROOT) -> None:
    """Make the database and its tables, as soon as the server answers."""
    administration = installation.url.removesuffix(_NAME) + "postgres"

    def create() -> bool:
        with (
            contextlib.suppress(psycopg.OperationalError),
            psycopg.connect(administration, autocommit=True) as database,
        ):
            database.execute(f"CREATE DATABASE {_NAME}")
            return True
        return False

    processes.until(create, patience_s=60, otherwise=installation.postgresql.log)
    installation.manage("migrate", "--skip-checks", "-v", "0", code=code)
