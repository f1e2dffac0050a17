"""Memory and idle processor time of `manage.py up`: `python -m tests.bench.up [--demo] [--settle S] [--idle S]`.

Starts it in an empty home, waits, and prints a row for each process: CPU milliseconds a minute
without visitors, and the proportional set size (PSS), in which a page of several processes counts
in equal parts. The demo needs some minutes until it is loaded and its puzzles are searched for.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.processes import ROOT
from tests.servers import free_port


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--demo", action="store_true", help="load the demo")
    parser.add_argument("--settle", type=float, default=60, help="seconds before (60)")
    parser.add_argument("--idle", type=float, default=60, help="seconds of the measurement (60)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rayuela-bench-") as home:
        # fmt: off
        up = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(free_port()),
             *([] if options.demo else ["--no-demo"])],
            cwd=ROOT, env=_environment(home), stdout=subprocess.DEVNULL,
        )
        # fmt: on
        try:
            time.sleep(options.settle)
            _measure(up.pid, options.idle)
        finally:
            up.send_signal(signal.SIGTERM)
            up.wait()


def _environment(home: str) -> dict[str, str]:
    variables = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
    return {**variables, "RAYUELA_HOME": home, "RAYUELA_NO_BOOTSTRAP": "1"}


def _measure(up: int, idle_s: float) -> None:
    before = {pid: _cpu_ms(pid) for pid in _family(up)}
    time.sleep(idle_s)
    rows = []
    for pid in before:
        with contextlib.suppress(OSError):  # one that has ended
            spent = (_cpu_ms(pid) - before[pid]) * 60 / idle_s
            rows.append((spent, _pss_mb(pid), _name(pid)))
    print(f"{'ms/min':>7} {'MB':>5}")
    for spent, memory, name in sorted(rows, reverse=True):
        print(f"{spent:7.0f} {memory:5.0f}  {name}")
    spent, memory = (sum(column) for column in list(zip(*rows, strict=True))[:2])
    print(f"{spent:7.0f} {memory:5.0f}  all {len(rows)}")


def _family(pid: int) -> list[int]:
    """Return a process and all that come from it."""
    family = [pid]
    for parent in family:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                family += map(int, (task / "children").read_text().split())
    return family


def _cpu_ms(pid: int) -> float:
    return sum(
        int((task / "schedstat").read_text().split()[0]) / 1e6
        for task in Path(f"/proc/{pid}/task").iterdir()
    )


def _pss_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))


def _name(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").replace(b"\0", b" ")
    return words.decode().strip()[-60:]


if __name__ == "__main__":
    main()
