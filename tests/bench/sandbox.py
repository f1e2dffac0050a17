"""The price of the sandbox: `python -m tests.bench.sandbox [ROUNDS]`.

Prints a table without assertions.

Each round starts a bot bare and in every sandbox of this machine, one after the other, so that a
busy machine is busy for all. "extra" is the median of the differences to the bare one of that
round.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engine.match import BotSpec
from engine.process import BotProcess, Launch
from engine.sandbox import interpreters, users
from engine.sandbox.choice import ISOLATORS
from engine.sandbox.refusals import UnavailableError

if TYPE_CHECKING:
    from engine.process import Launcher

_PLIES = 500
_PATIENCE_NS = 60_000_000_000
_BOT = "import sys\nfor line in sys.stdin:\n    sys.stdout.write('bestmove a1\\n')\n    sys.stdout.flush()\n"


@dataclass
class Row:
    """The figures of one way to start a bot, one a round."""

    starts_ms: list[float] = field(default_factory=list)
    trips_us: list[float] = field(default_factory=list)


def main(rounds: int = 30) -> None:
    """Print one row for each launcher."""
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name)
        (tree / "main.py").write_text(_BOT)
        (tree / "main.py").chmod(0o644)
        tree.chmod(0o755)
        bot = BotSpec("echo", ("python", "/bot/main.py"), str(tree))
        launchers = _launchers()
        rows = {name: Row() for name in launchers}
        for _ in range(rounds):
            for name, launcher in launchers.items():
                _measure(launcher(bot), rows[name])
    print(f"{'':10} {'start':>9} {'extra':>9} {'round trip':>11} {'extra':>10}   ({rounds} rounds)")
    for name, row in rows.items():
        start, trip = statistics.median(row.starts_ms), statistics.median(row.trips_us)
        more_ms = _extra(row.starts_ms, rows["bare"].starts_ms)
        more_us = _extra(row.trips_us, rows["bare"].trips_us)
        print(f"{name:10} {start:>6.1f} ms {more_ms:>6.1f} ms {trip:>8.1f} us {more_us:>7.1f} us")


def _launchers() -> dict[str, Launcher]:
    launchers: dict[str, Launcher] = {"bare": _bare}
    for name, find in ISOLATORS.items():
        try:
            launchers[name] = find().launcher()
        except UnavailableError as error:
            print(f"{name}: {error}")
    return launchers


def _bare(bot: BotSpec) -> Launch:
    """Return the interpreter of the sandbox, by its user, without one."""
    assert bot.tree is not None  # the one bot of this bench has one
    user = users.user_for(0)
    python = str(interpreters.find(user).executable)
    return Launch((python, "-I", "-S", "-B", f"{bot.tree}/main.py"), user=user)


def _measure(launch: Launch, row: Row) -> None:
    started_s = time.perf_counter()
    with BotProcess(launch) as process:
        _ask(process)
        row.starts_ms.append((time.perf_counter() - started_s) * 1e3)
        trips = []
        for _ in range(_PLIES):
            started_s = time.perf_counter()
            _ask(process)
            trips.append(time.perf_counter() - started_s)
    row.trips_us.append(statistics.median(trips) * 1e6)


def _ask(process: BotProcess) -> None:
    process.send("go")
    process.receive(deadline_ns=time.monotonic_ns() + _PATIENCE_NS)


def _extra(values: list[float], bare: list[float]) -> float:
    return statistics.median(value - base for value, base in zip(values, bare, strict=True))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
