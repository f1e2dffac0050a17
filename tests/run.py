"""`manage.py test`: the whole suite on SQLite, then what touches a database again on PostgreSQL and Redis.

PostgreSQL and Redis are those of DATABASE_URL and REDIS_URL, else private instances on free ports, made here and thrown
away. What this machine lacks is skipped, and the last line says so.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent


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
    worst = 0
    if not options.postgresql:
        print("Rayuela: tests on SQLite, without servers", flush=True)
        worst = _pytest(rest, marks, {})
    missing = servers.missing_programs()
    if not options.sqlite:
        worst = max(worst, _on_servers(rest, marks))
    if missing:
        told = "; ".join(f"{what} (Debian package {package})" for what, package in missing)
        print(f"\nRayuela: NOT TESTED on this machine, for want of: {told}")
    return worst


def _on_servers(rest: Sequence[str], marks: str) -> int:
    """The tests that use a database, on PostgreSQL and Redis; 0 when they are not here."""
    with contextlib.ExitStack() as stack:
        database = os.environ.get("DATABASE_URL") or stack.enter_context(servers.postgresql())
        redis = os.environ.get("REDIS_URL") or stack.enter_context(servers.redis())
        if not database or not redis:
            return 0
        print("Rayuela: tests on PostgreSQL and Redis", flush=True)
        chosen = " and ".join(filter(None, [marks, "servers"]))
        return _pytest(rest, chosen, {"DATABASE_URL": database, "REDIS_URL": redis})


def _pytest(rest: Sequence[str], marks: str, variables: dict[str, str]) -> int:
    with tempfile.TemporaryDirectory(prefix="rayuela-tests-") as home:
        environment = {
            **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
            **variables,
            "RAYUELA_HOME": home,
            "RAYUELA_NO_BOOTSTRAP": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, "-m", "pytest", *(["-m", marks] if marks else []), *rest]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
