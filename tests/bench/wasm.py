"""Benchmark of a WebAssembly bot: `python -m tests.bench.wasm`. It makes no assertions."""

from __future__ import annotations

import io
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from engine.process import BotProcess
from engine.programs import run_in_place, unpack
from engine.programs.checks import translated
from engine.wasm.conversation import Conversation
from engine.wasm.host import Host, compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.match import BotSpec

SAMPLE = Path(__file__).resolve().parents[2] / "engine/sdk/samples/wasm/morlox.wasm"
_GREETING = "ugi\nsetoption name Game value morlox(size=7,swap=on)\nuginewgame\nisready\n"
_MOVE = "position startpos moves d4\ngo fuel {}\n"
_ROUNDS = 15
_FUEL = 1_000_000_000
_LIMIT_NS = 60_000_000_000


def main() -> None:
    """Print one row a measurement."""
    module = SAMPLE.read_bytes()
    with tempfile.TemporaryDirectory() as directory:
        spec = unpack(module, SAMPLE.name, Path(directory)).spec("bench")
        rows = [
            ("check of an upload", _median_ms(lambda: translated(module)), "ms"),
            ("process to `readyok`", _median_ms(lambda: _started(spec)), "ms"),
            ("compile", _median_ms(lambda: compiled(module)), "ms"),
            ("a new game in one process", _new_game_ms(module), "ms"),
            ("`isready` to `readyok`", 1000 * statistics.median(_round_trips_ms(spec)), "us"),
            ("fuel in a search", _fuel_per_ms(module) / 1e6, "M units/ms"),
        ]
    for what, figure, unit in rows:
        print(f"{what:28} {figure:9.2f} {unit}")


def _median_ms(action: Callable[[], object]) -> float:
    times = []
    for _ in range(_ROUNDS):
        started_s = time.perf_counter()
        action()
        times.append(time.perf_counter() - started_s)
    return statistics.median(times) * 1000


def _started(spec: BotSpec) -> None:
    with BotProcess(run_in_place(spec)) as bot:
        _greet(bot)


def _greet(bot: BotProcess) -> None:
    bot.send(_GREETING.rstrip("\n"))
    while bot.receive(deadline_ns=time.monotonic_ns() + _LIMIT_NS).text != "readyok":
        pass


def _round_trips_ms(spec: BotSpec) -> Iterator[float]:
    with BotProcess(run_in_place(spec)) as bot:
        _greet(bot)
        for _ in range(2000):
            sent_ns = bot.send("isready")
            yield (bot.receive(deadline_ns=sent_ns + _LIMIT_NS).read_ns - sent_ns) / 1e6


def _served_s(module: bytes, text: str) -> float:
    conversation = Conversation(
        lines=io.BytesIO(text.encode()), output=io.BytesIO(), errors=io.BytesIO()
    )
    host = Host(compiled(module), conversation=conversation, seed="")
    started_s = time.perf_counter()
    host.serve()
    return time.perf_counter() - started_s


def _new_game_ms(module: bytes) -> float:
    """Return a new instance, greeted."""
    games = 100
    many = _served_s(module, _GREETING + "uginewgame\n" * games)
    return (many - _served_s(module, _GREETING)) / games * 1000


def _fuel_per_ms(module: bytes) -> float:
    """Return the fuel by a search with too little time to end on its own.

    It stops at half of its budget.
    """
    spent = _served_s(module, _GREETING + _MOVE.format(_FUEL)) - _served_s(module, _GREETING)
    return _FUEL / 2 / spent / 1000


if __name__ == "__main__":
    main()
