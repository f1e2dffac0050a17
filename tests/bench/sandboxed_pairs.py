"""Measures a sandboxed pair, and the pairs an hour: `python -m tests.bench.sandboxed_pairs`."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from unittest import mock

from engine import sandbox
from engine.clock import Fischer
from engine.launch import unconfined
from engine.match import BotSpec, MatchSpec
from engine.referee import play_match
from tests.engine.nim import Nim

_ROUNDS = 9
_PLIES = 200
# Answers immediately: the measurement covers everything around a bot.
_INSTANT = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == 'ugi': print('ugiok', flush=True)
    if word == 'isready': print('readyok', flush=True)
    if word == 'go': print('bestmove take_1', flush=True)
    if word == 'quit': break
"""


def main() -> None:
    """Print the table."""
    load = os.getloadavg()[0]
    print(f"a pair of {_PLIES} plies, Python bots, {_ROUNDS} interleaved rounds, load {load:.1f}")
    with tempfile.TemporaryDirectory() as directory, mock.patch("games.load", return_value=Nim()):
        tree = Path(directory)
        tree.chmod(0o755)
        (tree / "main.py").write_text(_INSTANT)
        times: dict[str, list[float]] = {}
        for _ in range(_ROUNDS):
            times.setdefault("bare", []).append(_bare(tree))
            for name in ("bwrap", "landlock"):
                if (isolator := sandbox.examine(name).isolator) is not None:
                    times.setdefault(name, []).append(_seconds_in_sandbox(isolator, tree))
    bare = median(times["bare"])
    for name, measured in times.items():
        typical = median(measured)
        print(f"  {name:10} {typical * 1000:7.0f} ms {typical / bare:6.2f} times bare")


def _bare(tree: Path) -> float:
    argv = (sys.executable, "-I", "-S", str(tree / "main.py"))
    began = time.perf_counter()
    play_match(_spec(BotSpec("bot", argv)), launcher=unconfined)
    return time.perf_counter() - began


def _seconds_in_sandbox(isolator: sandbox.Isolator, tree: Path) -> float:
    bot = BotSpec("bot", ("python", "/bot/main.py"), str(tree))
    launcher = isolator.launcher()
    began = time.perf_counter()
    play_match(_spec(bot), launcher=launcher)
    return time.perf_counter() - began


def _spec(bot: BotSpec) -> MatchSpec:
    return MatchSpec("nim()", f"heap={_PLIES // 2}", (bot, bot), Fischer(60_000, 0), games=2)


if __name__ == "__main__":
    main()
