"""`manage.py test`: the whole suite on SQLite, and what touches a database again on PostgreSQL and Redis, at the same time.

PostgreSQL and Redis are those of DATABASE_URL and REDIS_URL, else private instances on free ports, made here and thrown
away. What this machine lacks is skipped, and the last line says so.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
# They touch no database.
_PURE = ("tests/engine", "tests/games")


def main(arguments: Sequence[str]) -> int:
    """Run the tests; returns pytest's exit code, the worse of the two runs."""
    parser = argparse.ArgumentParser(
        prog="manage.py test", description="Run the tests. Further arguments go to pytest."
    )
    parser.add_argument("--all", action="store_true", help="the long tests too")
    parser.add_argument("--sqlite", action="store_true", help="only the run on SQLite")
    parser.add_argument("--postgresql", action="store_true", help="only the run on PostgreSQL")
    parser.add_argument("--set-up-only", action="store_true", help="install, and test nothing")
    options, rest = parser.parse_known_args(arguments)
    if options.set_up_only:
        return 0
    marks = "" if options.all else "not slow"
    missing = servers.missing_programs()
    if options.postgresql:
        worst = _on_servers(rest, marks)
    elif options.sqlite:
        worst = _on_sqlite(rest, marks)
    else:
        worst = _both(rest, marks)
    if missing:
        wanting = "; ".join(f"{what} (Debian package {package})" for what, package in missing)
        print(f"\nRayuela: NOT TESTED on this machine, for want of: {wanting}")
    return worst


def _both(rest: Sequence[str], marks: str) -> int:
    """Both runs at once, one a core; what the second has to say comes when the first is over.

    The run on the servers is the shorter one, so it takes the tests of the games and the engine along.
    """
    first, more = ([*rest], []) if rest else ([f"--ignore={path}" for path in _PURE], [*_PURE])
    with ThreadPoolExecutor(1) as second, tempfile.TemporaryFile("w+") as told:
        on_servers = second.submit(_second, rest, more, marks, told)
        worst = _on_sqlite(first, marks)
        worst = max(worst, on_servers.result())
        told.seek(0)
        shutil.copyfileobj(told, sys.stdout)
    return worst


def _second(rest: Sequence[str], more: Sequence[str], marks: str, told: IO[str]) -> int:
    worst = _on_servers(rest, marks, told)
    if more:
        print("\nRayuela: tests of the games and the engine", file=told, flush=True)
        worst = max(worst, _pytest(more, marks, {}, told))
    return worst


def _on_sqlite(rest: Sequence[str], marks: str) -> int:
    print("Rayuela: tests on SQLite, without servers", flush=True)
    return _pytest(rest, marks, {})


def _on_servers(rest: Sequence[str], marks: str, told: IO[str] | None = None) -> int:
    """The tests that use a database, on PostgreSQL and Redis, told to a file or here; 0 when they are not here."""
    with contextlib.ExitStack() as stack:
        database = os.environ.get("DATABASE_URL") or stack.enter_context(servers.postgresql())
        redis = os.environ.get("REDIS_URL") or stack.enter_context(servers.redis())
        if not database or not redis:
            return 0
        print("\nRayuela: tests on PostgreSQL and Redis", file=told, flush=True)
        chosen = " and ".join(filter(None, [marks, "servers"]))
        return _pytest(rest, chosen, {"DATABASE_URL": database, "REDIS_URL": redis}, told)


def _pytest(
    rest: Sequence[str], marks: str, variables: dict[str, str], told: IO[str] | None = None
) -> int:
    with tempfile.TemporaryDirectory(prefix="rayuela-tests-") as home:
        environment = {
            **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
            **variables,
            "RAYUELA_HOME": home,
            "RAYUELA_NO_BOOTSTRAP": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, "-m", "pytest", *(["-m", marks] if marks else []), *rest]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=told, stderr=told, check=False
        )
        return done.returncode
