"""`manage.py up`: prepares the database, then keeps the site, the workers and the clock running until Ctrl-C.

At the first start the demo is loaded while the site answers already. The workers start after it,
because the demo plays its own bots and the workers' bots would slow it down.

The supervisor loads Django and Celery once, and its children are forks: six starts of Python took
most of the 12 CPU seconds of an `up` (docs/decisions/0019). It has no thread and no connection that
a fork could inherit.

Each child has its own process group, so that killing it leaves no process behind (an orphaned beat
would tick twice). A child that ends is started again, immediately or, if it ends repeatedly, after
a pause: no fault of one of them stops the others. The clock, which ticks, must also send signs of
life. If they are missing, it is killed. Every stopped process of a child is killed too.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.sharedctypes import Synchronized
from types import FrameType
from typing import NoReturn

from setproctitle import getproctitle

from config import children
from config.children import STOPPING
from tournaments.queues import Queue

# A process of a worker is replaced after this number of tasks.
_MOST_TASKS = 200
# Tells a worker that its own processes end with it, as it does with the supervisor.
SUPERVISED = "RAYUELA_SUPERVISED"
# A site that cannot start ends, which is seen immediately. One that still starts has a busy
# machine.
_START_TIMEOUT_S = 300.0
_STOP_TIMEOUT_S = 8.0
# The exit code of `manage.py prepare --demo-later`: the database is ready, and has no demo.
_DEMO_WANTED = 3
# A child that ends more often than this within the window is broken, not unlucky, and is started ever later.
_FREE_ENDS, _WINDOW_S = 4, 300.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 5.0, 60.0
# The clock is killed after such a silence: a tick comes every few seconds, and takes one.
_SILENCE_S = 60.0
# A process that is stopped at two looks is killed: in a transaction on SQLite it would hold the site.
_LOOK_S = 5.0


@dataclass
class _Child:
    """A child that may be started again."""

    name: str
    work: Callable[[], object]
    # The queues of a worker.
    queues: Sequence[Queue] = ()
    process: children.Child | None = None
    # Workers stop immediately, in the middle of a game if necessary. Their work is a row with a
    # lease, given back at the next start. A gentle stop would wait for exhibitions that last for
    # minutes.
    stop_signal: signal.Signals = signal.SIGKILL
    ends: list[float] = field(default_factory=list)
    # The time of `time.monotonic` at which it was last seen at work, or None without a watch.
    pulse: Synchronized[float] | None = None
    starts_at: float | None = None

    def start(self) -> None:
        self.starts_at = None
        if self.pulse is not None:
            self.pulse.value = time.monotonic()
        self.process = children.Child(self.name, self.work)

    def is_silent(self) -> bool:
        return self.pulse is not None and time.monotonic() - self.pulse.value > _SILENCE_S

    def pause_s(self, now: float) -> float:
        """Return the pause before it is started again. Counts its end at `now`."""
        self.ends = [at for at in self.ends if now - at < _WINDOW_S] + [now]
        excess = len(self.ends) - _FREE_ENDS
        return min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2 ** (excess - 1)) if excess > 0 else 0.0

    def run(self) -> int | None:
        """Start it, wait for its end, and return its exit code."""
        self.start()
        assert self.process is not None
        return self.process.wait()

    def has_ended(self) -> bool:
        return self.process is not None and self.process.has_ended()


class _StoppedError(Exception):
    """The supervisor was asked to stop."""


def main(arguments: Sequence[str]) -> int:
    """Run the whole site, and return the exit code.

    It is 0 after Ctrl-C, 1 if the site could not be prepared, 2 for bad arguments.
    """
    options = _parser().parse_args(arguments)
    # Looks for the place of the name, which is before the first variable. A change may move that.
    getproctitle()
    os.environ.setdefault("SITE_URL", f"http://127.0.0.1:{options.port}")
    os.environ["RAYUELA_NO_BOOTSTRAP"] = "1"  # this environment is good for the children too
    os.environ[SUPERVISED] = "1"
    for number in STOPPING:
        signal.signal(number, _stop)
    try:
        with _only_one():
            return _run(options)
    except _StoppedError:
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manage.py up", description="Run the site with its workers, until Ctrl-C."
    )
    parser.add_argument("--port", type=_port, default=8000, help="port to serve at (8000)")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve at (127.0.0.1)")
    parser.add_argument(
        "--no-demo", action="store_true", help="leave an empty database empty: no demo"
    )
    return parser


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; 1 to 65535")
    return number


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _StoppedError


@contextlib.contextmanager
def _only_one() -> Iterator[None]:
    """Refuse a second supervisor on these files: two would tick twice."""
    from config import environment

    with (environment.home() / "up.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"Rayuela is running already on {environment.home()}.")
        yield


def _run(options: argparse.Namespace) -> int:
    """Start everything and watch it until a signal to stop.

    Return 1 if the database cannot be prepared.
    """
    _require_free_port(options.host, options.port)
    _load_what_children_run()
    prepare = _Child(
        "prepare", partial(_prepare, "--no-demo" if options.no_demo else "--demo-later")
    )
    site, *others = _site_and_workers(options)
    demo = _Child("demo", _prepare)
    try:
        code = prepare.run()
        if code not in {0, _DEMO_WANTED}:
            return 1
        site.start()
        _wait_until_served(options, site)
        print(
            f"Rayuela is up at http://{options.host}:{options.port}/  (Ctrl-C stops it)", flush=True
        )
        # The demo is completed by the next start when it does not come to its end.
        if code == _DEMO_WANTED and demo.run():
            print("Rayuela: the demo could not be loaded; see above.", file=sys.stderr)
        for child in others:
            child.start()
        _watch([site, *others])
    finally:
        _stop_all([prepare, site, *others, demo])


def _load_what_children_run() -> None:
    """Import Django, its models, Celery, the tasks and the games: no child does it again."""
    import django
    from django.core.exceptions import ImproperlyConfigured

    import games

    try:
        django.setup()
    except ImproperlyConfigured as error:
        sys.exit(f"Rayuela cannot start: {error}")
    from config.celery import app

    app.loader.import_default_modules()
    app.finalize()
    assert app.Worker, "loaded at its first use"
    for family in games.available():
        assert family.presentation.name
    # A collection writes to the head of each object, and a child would copy its page.
    gc.collect()
    gc.freeze()


def _prepare(*options: str) -> None:
    """Run `manage.py prepare`, and return its exit code."""
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", "prepare", *options])


def _serve(host: str, port: int) -> None:
    """Serve the site until a signal to stop."""
    from config import server

    server.serve(host, port)


def _require_free_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            sys.exit(f"Rayuela cannot serve at {host}:{port}: {error.strerror}. Try --port.")


def _site_and_workers(options: argparse.Namespace) -> list[_Child]:
    return [
        _Child("site", partial(_serve, options.host, options.port), stop_signal=signal.SIGTERM),
        _clock(),
        _worker("main", Queue.DEFAULT, Queue.BUILTIN_REPLIES, processes=2),
        # Our own bots think when no other process needs the processor.
        _worker("builtin", Queue.BUILTIN, processes=3, niceness=10),
        # Expensive pages of a large event: visitors can come again, and moves have priority. A
        # mail server that is slow delays them only, and requests compute them then.
        _worker("pages", Queue.PAGES, Queue.POST, processes=1, niceness=5),
        _worker("bots", Queue.BOTS, processes=_boxes(), most_tasks=_MOST_TASKS),
        # People wait for these, so no match may occupy them.
        _worker("replies", Queue.REPLIES, processes=1, most_tasks=_MOST_TASKS),
        _worker("checks", Queue.CHECKS, processes=1, most_tasks=_MOST_TASKS),
    ]


def _clock() -> _Child:
    """Return Celery's beat, and the worker of its ticks: one process without any other waiting."""
    pulse: Synchronized[float] = multiprocessing.Value("d", lock=False)
    return _Child("clock", partial(_tick, pulse), pulse=pulse, queues=[Queue.TICKS])


def _tick(pulse: Synchronized[float]) -> None:
    """Run the clock until it ends, in a fork."""
    from celery import signals
    from celery.beat import EmbeddedService

    from config.beat import ForgetfulScheduler
    from config.celery import app

    def start_beat(**_: object) -> None:
        service = EmbeddedService(app, thread=True, scheduler_cls=ForgetfulScheduler)
        assert isinstance(service, threading.Thread)
        service.start()

    def beat(**_: object) -> None:
        pulse.value = time.monotonic()

    signals.worker_ready.connect(start_beat)
    signals.task_postrun.connect(beat)
    _work("clock", [Queue.TICKS], {"pool": "solo"})


def _worker(
    name: str, *queues: Queue, processes: int, niceness: int = 0, most_tasks: int | None = None
) -> _Child:
    """Return a Celery worker, which takes messages of its queues in turn."""
    options = {"concurrency": processes, "max_tasks_per_child": most_tasks}
    return _Child(name, partial(_work, name, queues, options, niceness), queues=queues)


def _work(
    name: str, queues: Sequence[Queue], options: Mapping[str, object], niceness: int = 0
) -> None:
    """Run a worker of Celery until it ends, in a fork.

    Celery's command line would load the library of its interactive shell: 12 MB.
    """
    from config.celery import app

    os.nice(niceness)
    sys.argv = ["celery", "worker"]  # which Celery repeats in the names of its processes
    os.environ["CELERY_SKIP_CHECKS"] = "true"
    warnings.simplefilter("ignore")
    worker = app.Worker(
        hostname=f"{name}@",
        queues=list(queues),
        quiet=True,
        loglevel="WARNING",
        optimization="fair",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        **options,
    )
    worker.start()
    sys.exit(worker.exitcode)


def _boxes() -> int:
    """Return the number of simultaneous matches of uploaded programs: one processor remains for everything else."""
    return max(1, (os.cpu_count() or 1) - 1)


def _wait_until_served(options: argparse.Namespace, site: _Child) -> None:
    deadline = time.monotonic() + _START_TIMEOUT_S
    url = f"http://{options.host}:{options.port}/sign-in/"
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=5) as response:
                response.read(1)
                return
        except urllib.error.HTTPError:
            return  # it answers; what it says is not for the supervisor to judge
        except OSError:
            if site.has_ended():
                sys.exit("Rayuela: the site could not start; see above.")
            time.sleep(0.05)
    sys.exit(f"Rayuela: the site did not answer within {_START_TIMEOUT_S:.0f} s.")


def _watch(several: Sequence[_Child]) -> NoReturn:
    """Restart children that end, until a signal to stop."""
    looked_at, stopped = time.monotonic(), frozenset[int]()
    while True:
        time.sleep(0.5)
        now = time.monotonic()
        if now - looked_at >= _LOOK_S:
            looked_at, stopped = now, _kill_stopped(several, stopped)
        for child in several:
            if child.starts_at is not None:
                if now >= child.starts_at:
                    child.start()
            elif child.has_ended():
                _bury(child, now)
            elif child.is_silent():
                print(f"Rayuela: {child.name} is silent and is killed.", file=sys.stderr)
                assert child.process is not None
                child.process.signal_group(signal.SIGKILL)


def _kill_stopped(several: Sequence[_Child], before: frozenset[int]) -> frozenset[int]:
    """Kill processes that were stopped at the look before and are still.

    Return those that are stopped now.
    """
    groups = {child.process.pid for child in several if child.process and not child.has_ended()}
    stopped = children.stopped_members(groups)
    for pid in stopped & before:
        print(f"Rayuela: process {pid} is stopped and is killed.", file=sys.stderr)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return stopped - before


def _bury(child: _Child, now: float) -> None:
    """Remove the remains of an ended child, and set the time of its next start."""
    assert child.process is not None
    child.process.signal_group(signal.SIGKILL)
    pause_s = child.pause_s(now)
    child.starts_at = now + pause_s
    when = f"in {pause_s:.0f} s" if pause_s else "again"
    print(f"Rayuela: {child.name} ended and is started {when}.", file=sys.stderr)


def _stop_all(several: Sequence[_Child]) -> None:
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    started = [(child, child.process) for child in several if child.process is not None]
    for child, process in started:
        if not process.has_ended():
            os.kill(process.pid, child.stop_signal)
    deadline = time.monotonic() + _STOP_TIMEOUT_S
    for _, process in started:
        process.wait(max(0.1, deadline - time.monotonic()))
        process.signal_group(signal.SIGKILL)
