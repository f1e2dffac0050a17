"""Pairs of uploaded bots on this machine: `python -m tests.bench.service [PROCESSES [PAIRS]] [--nodes N]`.

A separate site in a temporary folder, real workers, two hundred pairs of the shortest bot at Morelli 5x5, each
with its record, ratings and transcripts. With `--nodes` as many workers of PROCESSES each share a PostgreSQL and
a Redis of their own. Otherwise one worker uses SQLite and the embedded broker. CPU seconds are those of workers
and bots, with their starts.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests import servers

if TYPE_CHECKING:
    from collections.abc import Mapping

_PAIRS = 200
_PROGRAM = """
import django; django.setup()
from tests.tournaments import authors
from tournaments.services.accounts import players
from tournaments.services.games import game_creation
from tournaments.services.matches import matches
owner = players.sign_up(name="Ana", password="rayuela-1963")
pair = tuple(authors.version(owner, name) for name in ("One", "Two"))
for seed in range({pairs}):
    matches.schedule(
        ruleset="morelli(size=5)", setup=game_creation.draw_setup("morelli(size=5)", seed), players=pair,
        clock=game_creation.Clock(60_000), games_count=2,
    )
"""
_LOOK = """
import django; django.setup()
import sys, time
from tournaments.models import Match, Ply
done = Match.objects.filter(state="done")
while not done.exists(): time.sleep(0.01)
began, before = time.monotonic(), done.count()
while done.count() < {pairs}: time.sleep(0.05)
print(done.count() - before, time.monotonic() - began, Ply.objects.count())
"""


def main() -> None:
    """Print one line."""
    options = _options()
    variables = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
    with contextlib.ExitStack() as stack:
        if options.nodes:
            variables["DATABASE_URL"] = stack.enter_context(servers.postgresql())
            variables["REDIS_URL"] = stack.enter_context(servers.redis())
        environment = {
            **variables,
            "RAYUELA_HOME": stack.enter_context(
                tempfile.TemporaryDirectory(prefix="rayuela-bench-")
            ),
            "RAYUELA_NO_BOOTSTRAP": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        }
        program = _PROGRAM.format(pairs=options.pairs)
        for command in (["manage.py", "migrate", "-v0"], ["-c", program]):
            subprocess.run([sys.executable, *command], env=environment, check=True)
        _measure(options, environment)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.service", description=__doc__)
    parser.add_argument("processes", type=int, nargs="?", default=os.cpu_count() or 1)
    parser.add_argument("pairs", type=int, nargs="?", default=_PAIRS)
    parser.add_argument("--nodes", type=int, default=0, help="workers on PostgreSQL and Redis")
    return parser.parse_args()


def _measure(options: argparse.Namespace, environment: Mapping[str, str]) -> None:
    before_s = _children_s()
    words = ("-m", "celery", "-A", "config.celery", "--quiet", "worker", "-Q", "bots")
    own = ("-c", str(options.processes), "--loglevel", "ERROR", "-O", "fair")
    workers = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", *words, *own, "-n", f"{n}@%h"], env=environment
        )
        for n in range(max(1, options.nodes))
    ]
    try:
        look = [sys.executable, "-c", _LOOK.format(pairs=options.pairs)]
        process = subprocess.run(look, env=environment, check=True, capture_output=True, text=True)
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait()
    timed, seconds, plies = process.stdout.split()
    print(
        f"{len(workers)} x {options.processes} processes: {int(timed) / float(seconds):.2f} pairs a second,"
        f" {options.pairs / (_children_s() - before_s):.2f} a CPU second,"
        f" {int(plies) / options.pairs:.0f} plies a pair, load {os.getloadavg()[0]:.1f}"
    )


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
