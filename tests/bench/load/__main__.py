"""Live games on one machine: `python -m tests.bench.load SCENARIO [COUNT] [--sqlite] [--processes N] [--seconds S] [--every S]`.

| scenario | load |
| --- | --- |
| steady | COUNT games (250), a move every 2 s in each (`--every`), both sides listening |
| burst | COUNT people (500) submit a move within one second |
| overload | COUNT games at three times the pace for the first half of the time, at the pace then |
| idle | COUNT streams (5,000) without news, beside 50 games |
| ends | COUNT rated games (40) of newcomers end in one moment |
| capacity | COUNT games (100) as in steady, and the machines that more games need, on PostgreSQL |

Every move is chosen by the client's own rules, sent with a key until it is answered, and compared
with the database at the end. The exit status is 1 when one is lost, doubled or out of order. Waits
are counted from the moment at which a move was due. The client measures its own delay. If that is
more than 10 ms in a hundredth of all looks, the figures are of the client and not of the service.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import games
from tests.bench.load import capacity, service
from tests.bench.load.browser import Browser
from tests.bench.load.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COUNTS = {"steady": 250, "burst": 500, "overload": 250, "idle": 5_000, "ends": 40, "capacity": 100}
_EVERY_S = 2.0
_BESIDE_IDLE = 50
_AT_ONCE = 8
_LOOK_S = 0.02


def main() -> int:
    """Print one table, and return the exit status."""
    options = _options()
    count = options.count or _COUNTS[options.scenario]
    tables = _BESIDE_IDLE if options.scenario == "idle" else count
    with service.running(tables, embedded=options.sqlite, webs=options.processes) as running:
        load_before = os.getloadavg()[0]
        seats = asyncio.run(_run(running, options, count))
        stored = service.stored_moves()
    wrong = [table for table in seats if stored.get(table.pk, []) != table.moves]
    silent = sum(sorted({*plies}) != plies for table in seats for plies in table.plies)
    print(
        f"moves confirmed {sum(len(table.moves) for table in seats)},"
        f" games that differ from the database {len(wrong)},"
        f" streams that doubled or mixed up {silent},"
        f" refusals {sum(len(table.refusals) for table in seats)}; load before {load_before:.1f}"
    )
    for table in seats:
        for refusal in table.refusals[:1]:
            print(refusal)
    return 1 if wrong or silent or any(table.refusals for table in seats) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load", description=__doc__)
    parser.add_argument("scenario", choices=_COUNTS)
    parser.add_argument("count", type=int, nargs="?", default=0)
    parser.add_argument("--sqlite", action="store_true", help="on the embedded default")
    parser.add_argument("--processes", type=int, default=1, help="of the web server")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=_EVERY_S, help="seconds between moves")
    return parser.parse_args()


async def _run(
    running: service.Service, options: argparse.Namespace, count: int
) -> Sequence[Table]:
    tables = await _sit_down(running)
    ears = [asyncio.create_task(table.listen(side)) for table in tables for side in (0, 1)]
    await asyncio.sleep(2)
    lateness: list[float] = []
    watch = asyncio.create_task(_watch(lateness))
    if options.scenario == "burst":
        await _burst(tables)
    elif options.scenario == "idle":
        await _idle(running, tables, count, options.seconds)
    elif options.scenario == "ends":
        with _processors(running, tables):
            await asyncio.gather(*(table.resign() for table in tables))
        _print(f"{len(tables)} resignations", tables)
    elif options.scenario == "overload":
        await _overload(tables, options.seconds)
    else:
        before = (
            await asyncio.to_thread(capacity.read, running)
            if options.scenario == "capacity"
            else None
        )
        with _processors(running, tables):
            await _play(tables, options.every, options.seconds)
        _print(f"{len(tables)} games", tables)
        if before is not None:
            moves = sum(len(table.moves) for table in tables)
            web_kb = service.memory_kb(running.web_pid) / options.processes
            cost = (await asyncio.to_thread(capacity.read, running)).since(before, moves)
            print(*capacity.lines(cost, web_kb), sep="\n")
    await asyncio.sleep(1)
    watch.cancel()
    for ear in ears:
        ear.cancel()
    print(f"client late by {1e3 * _quantile(lateness, 0.99):.1f} ms in a hundredth of all looks")
    return tables


async def _sit_down(running: service.Service) -> list[Table]:
    browsers: dict[str, Browser] = {}
    tables = []
    for pk, setup, names in running.tables:
        for name in names:
            browsers[name] = Browser(name, running.port, service.address(len(browsers)))
        position = games.starting_position(games.load("morelli(size=9)"), setup)
        tables.append(Table(pk, (browsers[names[0]], browsers[names[1]]), position))
    gate = asyncio.Semaphore(_AT_ONCE)

    async def sign_in(browser: Browser) -> None:
        async with gate:
            await browser.sign_in(service.PASSWORD)

    start = time.perf_counter()
    await asyncio.gather(*map(sign_in, browsers.values()))
    print(f"{len(browsers)} sign-ins in {time.perf_counter() - start:.0f} s")
    return tables


async def _play(tables: Sequence[Table], every_s: float, seconds: float) -> None:
    until = time.perf_counter() + seconds
    await asyncio.gather(
        *(table.play(random.Random(table.pk), every_s=every_s, until=until) for table in tables)
    )


async def _burst(tables: Sequence[Table]) -> None:
    start = time.perf_counter() + 0.5

    async def once(table: Table) -> None:
        due = start + random.Random(table.pk).random()
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await table.move(random.Random(table.pk), due)

    await asyncio.gather(*map(once, tables))
    _print(f"{len(tables)} within a second", tables)


async def _overload(tables: Sequence[Table], seconds: float) -> None:
    await _play(tables, _EVERY_S / 3, seconds / 2)
    _print(f"{len(tables)} games, three times", tables)
    back_at = time.perf_counter()
    await _play(tables, _EVERY_S, seconds / 2)
    for later_s in range(0, int(seconds / 2), 5):
        waits = [
            wait
            for table in tables
            for due, wait in table.waits_s
            if back_at + later_s <= due < back_at + later_s + 5
        ]
        print(f"  after {later_s} to {later_s + 5} s: p99 {1e3 * _quantile(waits, 0.99):.0f} ms")


async def _idle(
    running: service.Service, tables: Sequence[Table], count: int, seconds: float
) -> None:
    await _play(tables, _EVERY_S, seconds / 2)
    _print(f"{len(tables)} games alone", tables)
    for table in tables:
        table.waits_s.clear()
        table.hearings_s.clear()
    before_kb = service.memory_kb(running.web_pid)
    greetings: Counter[str] = Counter()
    idlers = []
    for n in range(count - 2 * len(tables)):
        guest = Browser("", running.port, service.address(1_000 + n))
        topic = f"game:{tables[n % len(tables)].pk}" if n % 50 == 0 else "site"
        listening = guest.listen([topic], lambda kind, _: greetings.update([kind]))
        idlers.append(asyncio.create_task(listening))
        if n % 50 == 0:
            await asyncio.sleep(0.1)
    await asyncio.sleep(5)
    failed = [idler.exception() for idler in idlers if idler.done()]
    after_kb = service.memory_kb(running.web_pid)
    print(
        f"{len(idlers) - len(failed)} more streams, {greetings['open']} greeted, {len(failed)} refused"
        f" {set(map(repr, failed[:3])) if failed else ''}: {before_kb / 1024:.0f} MB, then"
        f" {after_kb / 1024:.0f} MB, {(after_kb - before_kb) / max(1, len(idlers)):.1f} kB each"
    )
    await _play(tables, _EVERY_S, seconds / 2)
    _print(f"{len(tables)} games beside them", tables)
    for idler in idlers:
        idler.cancel()


@contextlib.contextmanager
def _processors(running: service.Service, tables: Sequence[Table]) -> Iterator[None]:
    """Print the processor time of a move, by program."""
    pids = {"web": running.web_pid}
    if running.database_pid is not None:
        pids["PostgreSQL"] = running.database_pid
    before = {name: service.processor_s(pid) for name, pid in pids.items()}
    client_s = time.process_time()
    yield
    spent_s = {name: service.processor_s(pid) - before[name] for name, pid in pids.items()}
    spent_s["client"] = time.process_time() - client_s
    moves = max(1, sum(len(table.moves) for table in tables))
    words = (f"{name} {1e3 * seconds / moves:.1f} ms" for name, seconds in spent_s.items())
    print(f"processors, a move: {', '.join(words)}")


async def _watch(lateness: list[float]) -> None:
    while True:
        start = time.perf_counter()
        await asyncio.sleep(_LOOK_S)
        lateness.append(time.perf_counter() - start - _LOOK_S)


def _print(what: str, tables: Sequence[Table]) -> None:
    waits = [wait for table in tables for _, wait in table.waits_s]
    hearings = [hearing for table in tables for hearing in table.hearings_s]
    statuses = sum((table.statuses for table in tables), Counter[int]())
    numbers = (f"p{100 * q:.0f} {1e3 * _quantile(waits, q):.0f} ms" for q in (0.5, 0.95, 0.99, 1))
    print(
        f"{what}: {len(waits)} moves, {', '.join(numbers)};"
        f" to the opponent's stream p95 {1e3 * _quantile(hearings, 0.95):.0f} ms;"
        f" answers {dict(sorted(statuses.items()))}"
    )


def _quantile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` of all do not exceed, or 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


if __name__ == "__main__":
    sys.exit(main())
