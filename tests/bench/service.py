"""Pairs of uploaded bots an hour on this machine: `python -m tests.bench.service [PROCESSES [PAIRS]]`.

A separate site in a temporary folder, a real worker on the embedded broker, two hundred pairs of
the shortest bot at Morelli 5x5, each with its record, ratings and transcripts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

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
    numbers = [int(word) for word in sys.argv[1:]]
    processes = numbers[0] if numbers else os.cpu_count() or 1
    pairs = numbers[1] if len(numbers) > 1 else _PAIRS
    with tempfile.TemporaryDirectory(prefix="rayuela-bench-") as home:
        environment = {
            **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
            "RAYUELA_HOME": home,
            "RAYUELA_NO_BOOTSTRAP": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        }
        for command in (["manage.py", "migrate", "-v0"], ["-c", _PROGRAM.format(pairs=pairs)]):
            subprocess.run([sys.executable, *command], env=environment, check=True)
        worker = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "celery", "-A", "config.celery", "--quiet", "worker",
             "-Q", "bots", "-c", str(processes), "--loglevel", "ERROR", "-O", "fair"],
            env=environment,
        )  # fmt: skip
        try:
            look = [sys.executable, "-c", _LOOK.format(pairs=pairs)]
            process = subprocess.run(
                look, env=environment, check=True, capture_output=True, text=True
            )
        finally:
            worker.terminate()
            worker.wait()
    timed, seconds, plies = process.stdout.split()
    print(
        f"{processes} processes: {int(timed) / float(seconds):.2f} pairs a second,"
        f" {int(plies) / pairs:.0f} plies a pair, load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
