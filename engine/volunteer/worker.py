"""`rayuela-worker`: play matches under fuel for a site, on a volunteer's machine."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import games
from engine import sandbox
from engine.errors import EngineError, LaunchError
from engine.programs import fuel_game, store
from engine.programs.program import wasmtime_directory
from engine.volunteer.site import LateError, Report, Site, SiteError
from engine.volunteer.tasks import REPORTED_ENDINGS, require_length

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.launch import Launcher
    from engine.programs import Program
    from engine.programs.fuel_game import FuelGame
    from engine.volunteer.site import Assignment, Stop
    from engine.volunteer.tasks import FuelTask

_CACHE = Path.home() / ".cache" / "rayuela-worker"
# As on the workers of the site: the limit of all of a program's threads in a match.
_LIMITS = sandbox.Limits(cpu_s=2 * 3600)
# The first slot of sandboxes of this command, so that they share no user with a site's workers.
_FIRST_SLOT = 750
_MOST_PROCESSES = 64


class UnplayedError(EngineError):
    """A match that is left to the site, such as one in which a program crashed."""

    code = "unplayed"


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a volunteer.

    `most` is the number of matches after which each process stops, or None.
    """

    url: str
    token: str
    name: str
    processes: int
    cache: Path
    most: int | None = None


def play(assignment: Assignment, cache: Path, launcher: Launcher, site: Site) -> Report:
    """Return the transcripts of the games, played by the referee that the site uses.

    Raises:
        UnplayedError: the site should play it.
        SiteError, LateError: the site refused a module.
    """
    began_ns = time.monotonic_ns()
    try:
        modules = {digest: _module(assignment, digest, cache, site) for digest in assignment.files}
        played = [_play_game(task, modules, launcher) for task in assignment.tasks]
        for task, game in zip(assignment.tasks, played, strict=True):
            require_length(task, game.text())
    except (SiteError, LateError):
        raise
    except (EngineError, games.RulesError, OSError) as error:
        raise UnplayedError(str(error)) from error
    for game in played:
        if game.record.ending not in REPORTED_ENDINGS:
            raise UnplayedError(f"a game ended by {game.record.ending}")
    busy_ms = (time.monotonic_ns() - began_ns) // 1_000_000
    return Report([game.text() for game in played], busy_ms)


def _play_game(task: FuelTask, modules: Mapping[str, Program], launcher: Launcher) -> FuelGame:
    return fuel_game.play(
        modules[task.first],
        modules[task.second],
        ruleset=task.ruleset,
        setup=task.setup,
        fuel=task.fuel,
        seed=task.seed,
        options=task.options,
        launcher=launcher,
    )


def _module(assignment: Assignment, digest: str, cache: Path, site: Site) -> Program:
    """Return the module from the cache, checked by its digest, or from the site."""
    if (cache / digest).exists():
        return store.load(digest, cache)
    data = site.module(assignment.run, digest)
    return store.unpack(data, assignment.files[digest], cache)


def work(
    site: Site,
    worker: int,
    stop: Stop,
    *,
    play: Callable[[Assignment], Report],
    tell: Callable[[str], None],
    most: int | None = None,
) -> int:
    """Play matches until `stop`, or until `most` of them were played. Return their number.

    Raises SiteError.
    """
    count = 0
    while not stop.is_set() and (most is None or count < most):
        assignment = site.lease(worker)
        if isinstance(assignment, float):
            stop.wait(assignment)
            continue
        try:
            count += _play_one(site, assignment, play, tell)
        except LateError as error:
            tell(f"match {assignment.run}: not counted. {error}")
    return count


def _play_one(
    site: Site,
    assignment: Assignment,
    play: Callable[[Assignment], Report],
    tell: Callable[[str], None],
) -> int:
    try:
        report = play(assignment)
    except UnplayedError as error:
        site.give_back(assignment.run, str(error))
        tell(f"match {assignment.run}: left to the site. {error}")
        return 0
    except KeyboardInterrupt:
        site.give_back(assignment.run, "interrupted")
        raise
    state = site.report(assignment.run, report)
    tell(f"match {assignment.run}: {state}, {report.busy_ms / 1000:.1f} s")
    return 1


def machine() -> str:
    """Return the facts about this machine that the site shows."""
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count() or 1} processors,"
        f" Python {platform.python_version()}"
    )


def run(order: Order) -> int:
    """Enrol, play in processes of their own, and return the exit code.

    Raises:
        LaunchError, NoIsolationError: this machine runs no modules, or has no sandbox for them.
        SiteError: the site refuses the worker.
    """
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    site = Site(order.url, order.token, stop, tell=_tell)
    try:
        wasmtime_directory()
    except LaunchError as error:
        raise LaunchError('no wasmtime here: pip install "rayuela-engine[wasm]"') from error
    sandbox.choose()
    worker = site.enrol(order.name, machine(), order.processes)
    _tell(f"{order.name} is worker {worker} of {order.url}. Ctrl-C stops it after its matches.")
    processes = [
        context.Process(target=_process, args=(order, worker, slot, stop), daemon=True)
        for slot in range(order.processes)
    ]
    for process in processes:
        process.start()

    def end(_number: int, _frame: object) -> None:
        if stop.is_set():
            for process in processes:
                process.terminate()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    for process in processes:
        process.join()
    return max(abs(process.exitcode or 0) for process in processes)


def _process(order: Order, worker: int, slot: int, stop: Stop) -> None:
    """Play in one process until the parent asks it to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        launcher = sandbox.choose().launcher(_LIMITS, slot=_FIRST_SLOT + slot)
        site = Site(order.url, order.token, stop, tell=_tell)
        work(
            site,
            worker,
            stop,
            play=lambda assignment: play(assignment, order.cache, launcher, site),
            tell=_tell,
            most=order.most,
        )
    except EngineError as error:
        if not stop.is_set():
            _tell(str(error))
            sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def _tell(text: str) -> None:
    sys.stderr.write(f"worker: {text}\n")
    sys.stderr.flush()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to `parser`."""
    parser.add_argument("--site", required=True, metavar="URL", help="such as https://example.org")
    token = parser.add_mutually_exclusive_group(required=True)
    token.add_argument("--token", metavar="T", help="visible to other users of this machine")
    token.add_argument("--token-file", type=Path, metavar="FILE")
    parser.add_argument("--name", default=socket.gethostname()[:60], help="of this machine")
    parser.add_argument("--processes", type=_processes, default=1, metavar="N")
    parser.add_argument("--cache", type=Path, default=_CACHE, metavar="DIR", help="for modules")
    parser.add_argument("--matches", type=int, metavar="N", help="stop each process after N")


def _processes(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= _MOST_PROCESSES):
        raise argparse.ArgumentTypeError(f"not a number from 1 to {_MOST_PROCESSES}: {text[:60]!r}")
    return int(text)


def run_arguments(arguments: argparse.Namespace) -> int:
    """Run the command with parsed arguments, and return its exit code."""
    token = arguments.token or arguments.token_file.read_text("utf-8").strip()
    order = Order(
        arguments.site,
        token,
        arguments.name,
        arguments.processes,
        arguments.cache.resolve(),
        arguments.matches,
    )
    return run(order)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `rayuela-worker` and return its exit code.

    0 is done, 2 the site or this machine refuses, 130 interrupted.
    """
    parser = argparse.ArgumentParser(prog="rayuela-worker", description=__doc__)
    add_arguments(parser)
    try:
        return run_arguments(parser.parse_args(argv))
    except (EngineError, OSError) as error:
        _tell(str(error))
        return 2


if __name__ == "__main__":
    sys.exit(main())
