"""Tens of thousands of requests to the API by its own document: `python -m tests.faults.api_requests`.

    python3 -m venv var/schemathesis && var/schemathesis/bin/pip install schemathesis
    .venv/bin/python -m tests.faults.api_requests --st var/schemathesis/bin/st [--requests 50000] [--sqlite] [--seed 1]

schemathesis is no dependency of the project: it is looked for in a separate environment. Requests
come in rounds, each with a seed, a new database and a served site in a new home. Otherwise their
effects on events and games would leave less and less to do. Prints a line for each round. The exit
code is 1 when an answer was a server error or not as the document says, and the report of
schemathesis is printed. Streams are left out, because they do not end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHECKS = (
    "not_a_server_error",
    "response_schema_conformance",
    "content_type_conformance",
    "status_code_conformance",
)
_ROUND_S = 240
_START_S = 600
_GENERATED = re.compile(r"(\d+) generated")
_FAILURES = re.compile(
    r"^=+ (?:FAILURES|ERRORS) =+$.*?(?=^=+ (?:WARNINGS|SUMMARY) =+$)", re.M | re.S
)


@dataclass(frozen=True)
class Round:
    """Result of one round. `report` is empty when every answer was right."""

    requests: int
    seconds: float
    report: str


def main() -> int:
    """Send the requested number of requests, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--st", default="st", help="the program of schemathesis")
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--sqlite", action="store_true", help="in place of PostgreSQL and Redis")
    parser.add_argument("--seed", type=int, default=1, help="of the first round")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve()
    sent, seed, is_right = 0, options.seed, True
    while sent < options.requests:
        done = play_round(options.st, seed=seed, is_sqlite=options.sqlite)
        sent += done.requests
        verdict = "FAILED" if done.report else "ok"
        database = "SQLite" if options.sqlite else "PostgreSQL"
        sys.stdout.write(
            f"{database} seed {seed}: {done.requests} requests in {done.seconds:.0f} s, {verdict}; {sent} in all\n"
            f"{done.report}"
        )
        sys.stdout.flush()
        is_right &= not done.report
        seed += 1
    return 0 if is_right else 1


def play_round(program: str, *, seed: int, is_sqlite: bool) -> Round:
    """Return one site, and requests to it until the time of a round is over."""
    with site(is_sqlite=is_sqlite) as (url, home):
        facts = json.loads((home / "world.json").read_text())
        (home / "schemathesis.toml").write_text(_config(facts["parts"]))
        command = [program, "run", f"{url}/api/v1/openapi.json"]
        command += ["-H", f"Authorization: Bearer {facts['token']}", "--seed", str(seed)]
        command += ["--exclude-path-regex", "stream", "--checks", ",".join(_CHECKS)]
        command += ["--phases", "coverage,fuzzing", "--max-time", str(_ROUND_S), "--no-shrink"]
        command += ["--continue-on-failure", "--no-color", "--generation-database", "none"]
        began = time.monotonic()
        process = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - began
        generated = _GENERATED.search(process.stdout)
        if generated is None:
            return Round(1, seconds, f"{process.stdout[-4000:]}{process.stderr[-4000:]}\n")
        failures = _FAILURES.search(process.stdout)
        report = (
            failures[0] if failures else "" if process.returncode == 0 else process.stdout[-4000:]
        )
        if log := _faults((home / "serve.log").read_text(errors="replace")):
            report += f"\n{log}\n"
        return Round(int(generated[1]), seconds, report)


@contextlib.contextmanager
def site(*, is_sqlite: bool) -> Iterator[tuple[str, Path]]:
    """Yield the address of a served site with a world of events, games and bots, and its home."""
    from tests import servers

    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rayuela-requests-")))
        environment = {
            **os.environ,
            "RAYUELA_HOME": str(home),
            "RAYUELA_NO_BOOTSTRAP": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LIMITS_FACTOR": "0",
            "ALLOWED_HOSTS": "127.0.0.1",
            "PORT": str(servers.free_port()),
        }
        if not is_sqlite:
            environment["DATABASE_URL"] = stack.enter_context(servers.postgresql())
            environment["REDIS_URL"] = stack.enter_context(servers.redis())
        log = stack.enter_context((home / "serve.log").open("w"))
        command = [sys.executable, "-m", "tests.faults.api_requests", "--serve"]
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        url = f"http://127.0.0.1:{environment['PORT']}"
        _wait(process, url, home / "serve.log")
        yield url, home


def serve() -> int:
    """Make the world and become the web process."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    from tests.faults import api_world

    facts = api_world.make()
    Path(os.environ["RAYUELA_HOME"], "world.json").write_text(json.dumps(facts))
    connection.close()
    command = [sys.executable, "manage.py", "serve", "--port", os.environ["PORT"]]
    os.execv(sys.executable, command)  # noqa: S606 - the round ends this process


def _wait(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError):
            # The first request below /api/ loads the API, which takes long on a busy machine.
            urllib.request.urlopen(f"{url}/api/v1/openapi.json", timeout=60).close()
            return
        time.sleep(0.2)
    raise RuntimeError(f"the site has not started: {log.read_text()[-2000:]}")


def _config(parts: dict[str, list[object]]) -> str:
    """Return the values of parts of paths, so that most requests are about existing objects."""
    lines = [f'"path.{name}" = {json.dumps(values)}' for name, values in sorted(parts.items())]
    return "\n".join(["[parameters]", *lines, ""])


def _faults(log: str) -> str:
    """Return the last lines of the first traceback in the log of the site, or an empty text without one."""
    _, heading, rest = log.partition("Traceback (most recent call last)")
    return heading + rest[:4000] if heading else ""


if __name__ == "__main__":
    raise SystemExit(main())
