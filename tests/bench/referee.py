"""The speed and fairness of the referee: `python -m tests.bench.referee`.

Prints three tables without assertions.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from statistics import median
from typing import TYPE_CHECKING
from unittest import mock

from engine.bot_player import BotPlayer
from engine.clock import Fischer
from engine.match import BotSpec, MatchSpec
from engine.process import BotProcess, Launch, unconfined
from engine.referee import play_match
from tests.engine.nim import Nim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_ROUNDS = 5
_TRIPS = 2000
_MOVES = 30
_HOGS = 4
_ECHO = (
    sys.executable,
    "-I",
    "-S",
    "-c",
    "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()",
)
_ANSWERS = """
import sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == 'ugi': print('ugiok', flush=True)
    if word == 'isready': print('readyok', flush=True)
    if word == 'go':
        until = time.process_time() + {cpu_s}
        while time.process_time() < until: pass
        print('bestmove pass', flush=True)
"""  # fmt: skip
_INSTANT = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == 'ugi': print('ugiok', flush=True)
    if word == 'isready': print('readyok', flush=True)
    if word == 'go': print('bestmove take_1', flush=True)
    if word == 'quit': break
"""
_HEAP = 400


def main() -> None:
    """Print the tables."""
    print(f"one line to a bot and back, {_ROUNDS} interleaved rounds of {_TRIPS}, microseconds")
    _round_trips()
    print(f"\na move of 100 ms of processor time, {_MOVES} moves each, milliseconds")
    _fairness()
    print("\none ply of a game, as the referee plays it, microseconds")
    _plies()


def _round_trips() -> None:
    kinds: dict[str, Callable[[], list[float]]] = {"blocking read": _blocking, "referee": _polling}
    rounds: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    for _ in range(_ROUNDS):
        for kind, measure in kinds.items():
            rounds[kind].append(sorted(measure()))
    for kind, measured in rounds.items():
        p50 = median(times[len(times) // 2] for times in measured)
        p99 = median(times[len(times) * 99 // 100] for times in measured)
        print(f"  {kind:15} p50 {p50:6.1f}   p99 {p99:6.1f}")


def _blocking() -> list[float]:
    with subprocess.Popen(
        _ECHO, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin.fileno(), process.stdout.fileno()

        def trip() -> None:
            os.write(stdin, b"isready\n")
            os.read(stdout, 4096)

        return _timed(trip)


def _polling() -> list[float]:
    with BotProcess(Launch(_ECHO)) as process:

        def trip() -> None:
            sent_ns = process.send("isready")
            process.receive(deadline_ns=sent_ns + 10**10)

        return _timed(trip)


def _timed(trip: Callable[[], None]) -> list[float]:
    for _ in range(100):
        trip()
    times = []
    for _ in range(_TRIPS):
        began_ns = time.perf_counter_ns()
        trip()
        times.append((time.perf_counter_ns() - began_ns) / 1000)
    return times


def _fairness() -> None:
    bot = BotSpec("burns", (sys.executable, "-I", "-S", "-c", _ANSWERS.format(cpu_s=0.1)))
    for hogs in (0, _HOGS):
        with _busy(hogs):
            walls, charges = _reply_times(bot)
        print(f"  {hogs} hogs   wall {_spread(walls)}   charged {_spread(charges)}")


@contextmanager
def _busy(hogs: int) -> Iterator[None]:
    """Processes that take all the time they get."""
    processes = [
        subprocess.Popen((sys.executable, "-S", "-c", "while True: pass")) for _ in range(hogs)
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _reply_times(bot: BotSpec) -> tuple[list[float], list[float]]:
    player = BotPlayer(bot, launcher=unconfined)
    walls, charges = [], []
    try:
        player.begin(ruleset="none", is_timed=True, on_wait=lambda: None)
        for _ in range(_MOVES):
            answer = player.ask(
                position="position startpos", go="go", limit_ns=10**10, on_wait=lambda: None
            )
            walls.append(answer.span.wall_ns / 1e6)
            charges.append(answer.span.charged_ns / 1e6)
    finally:
        player.close()
    return walls, charges


def _spread(values: Sequence[float]) -> str:
    return f"median {median(values):6.1f} ({min(values):.1f} to {max(values):.1f})"


def _plies() -> None:
    """Play Nim, whose rules are free: the rest is the referee, its transcripts and the pipes."""
    bot = BotSpec("instant", (sys.executable, "-I", "-S", "-c", _INSTANT))
    spec = MatchSpec("nim()", f"heap={_HEAP}", (bot, bot), Fischer(60_000, 500))
    with mock.patch("games.load", Nim):
        ends: list[tuple[float, float]] = []
        for _ in range(_ROUNDS):
            began = time.perf_counter()
            reports = play_match(spec).games
            took_us = (time.perf_counter() - began) * 1e6
            charged = median(ply.span.charged_ns for game in reports for ply in game.plies) / 1000
            ends.append((took_us / (2 * _HEAP), charged))
    takes, charges = zip(*ends, strict=True)
    print(f"  {_HEAP} plies a game, processes included: {_spread(takes)}")
    print(f"  charged of it, by each round's median: {_spread(charges)}")


if __name__ == "__main__":
    main()
