"""`manage.py up`: prepares the database, then keeps the site, the workers and the clock running until Ctrl-C.

At the first start the demo is loaded while the site answers already, and the workers come after it: it plays its bots
itself, and theirs would be in its way.

Each child has its own process group, so that killing it leaves nothing behind (an orphaned beat would tick twice).
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
_PREPARE = [sys.executable, "manage.py", "prepare"]
# Tells a worker that its own processes end with it, as it does with the supervisor.
SUPERVISED = "RAYUELA_SUPERVISED"
# A site that cannot start ends, which is seen at once; one that still starts has a busy machine.
_START_TIMEOUT_S = 300.0
_STOP_TIMEOUT_S = 8.0
# Ctrl-C, `kill`, and the terminal's window being closed.
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What `manage.py prepare --demo-later` ends with: the database is ready, and has no demo.
_DEMO_WANTED = 3
# A child that ends this often within the window is broken, not unlucky.
_MAX_ENDS, _WINDOW_S = 5, 30.0


@dataclass
class _Child:
    """A process to be kept running."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    # Workers stop at once, in the middle of a game if need be: what they hold is a row with a lease, given back at
    # the next start. A gentle stop would wait for exhibitions that last for minutes.
    stop_signal: signal.Signals = signal.SIGKILL
    ends: list[float] = field(default_factory=list)

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def signal_group(self, number: signal.Signals) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)


def end_with_parent() -> None:
    """Let Linux kill this process when its parent is gone: orphans would hold the port and tick on."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() == 1:  # it was gone before we could say so
            os._exit(1)


class _StoppedError(Exception):
    """Somebody asked the supervisor to stop."""


def main(arguments: Sequence[str]) -> int:
    """Run the whole site; returns the exit code: 0 after Ctrl-C, 1 when something keeps failing, 2 for bad arguments."""
    options = _parser().parse_args(arguments)
    os.environ.setdefault("SITE_URL", f"http://127.0.0.1:{options.port}")
    os.environ["RAYUELA_NO_BOOTSTRAP"] = "1"  # this environment is good for the children too
    os.environ[SUPERVISED] = "1"
    for number in _STOPPING:
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
    """Refuse a second supervisor on the same files: two would tick twice."""
    from config import environment

    with (environment.home() / "up.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"Rayuela is running already on {environment.home()}.")
        yield


def _run(options: argparse.Namespace) -> int:
    _require_free_port(options.host, options.port)
    prepared = subprocess.run(
        [*_PREPARE, "--no-demo" if options.no_demo else "--demo-later"], cwd=ROOT, check=False
    )
    if prepared.returncode not in {0, _DEMO_WANTED}:
        return 1
    site, *others = _children(options)
    demo = _Child("demo", _PREPARE)
    is_first = prepared.returncode == _DEMO_WANTED
    try:
        for child in [site] if is_first else [site, *others]:
            child.start()
        _wait_until_served(options, site)
        print(
            f"Rayuela is up at http://{options.host}:{options.port}/  (Ctrl-C stops it)", flush=True
        )
        if is_first:
            _load(demo)
            for child in others:
                child.start()
        return _watch([site, *others])
    finally:
        _stop_all([site, *others, demo])


def _load(demo: _Child) -> None:
    """Load the demo, which the next start completes when it does not come to its end."""
    demo.start()
    assert demo.process is not None
    if demo.process.wait():
        print("Rayuela: the demo could not be loaded; see above.", file=sys.stderr)


def _require_free_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            sys.exit(f"Rayuela cannot serve at {host}:{port}: {error.strerror}. Try --port.")


def _children(options: argparse.Namespace) -> list[_Child]:
    python = sys.executable
    # fmt: off
    worker = [python, "-W", "ignore", "-m", "celery", "-A", "config.celery", "--quiet", "--skip-checks", "worker"]
    quiet = ["--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat",
             "--optimization", "fair"]
    return [
        _Child("site", [python, "-m", "uvicorn", "config.asgi:application", "--host", options.host,
                        "--port", str(options.port), "--log-level", "warning", "--no-access-log",
                        "--timeout-graceful-shutdown", "2"], stop_signal=signal.SIGTERM),
        _Child("worker", [*worker, *quiet, "-n", "main@%h", "-Q", "default", "-c", "2", "-B"]),
        # Our own bots think when nobody else wants the processor.
        _Child("builtin", [*_nice_prefix(), *worker, *quiet, "-n", "builtin@%h", "-Q", "builtin", "-c", "3"]),
        _Child("bots", [*worker, *quiet, "-n", "bots@%h", "-Q", "bots", "-c", str(_boxes()),
                        "--max-tasks-per-child", "200"]),
        # Somebody waits for these, and no match may keep them.
        _Child("replies", [*worker, *quiet, "-n", "replies@%h", "-Q", "replies", "-c", "1",
                           "--max-tasks-per-child", "200"]),
    ]
    # fmt: on


def _nice_prefix() -> list[str]:
    """The beginning of a command that leaves others the processor, where the machine has one."""
    nice = shutil.which("nice")
    return [nice, "-n", "10"] if nice else []


def _boxes() -> int:
    """How many matches of uploaded programs are played at once: a processor stays free for everything else."""
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


def _watch(children: Sequence[_Child]) -> int:
    while True:
        time.sleep(0.5)
        for child in children:
            if not child.has_ended():
                continue
            child.signal_group(signal.SIGKILL)  # what it has left behind
            now = time.monotonic()
            child.ends = [at for at in child.ends if now - at < _WINDOW_S] + [now]
            if len(child.ends) >= _MAX_ENDS:
                print(f"Rayuela: {child.name} keeps ending; giving up.", file=sys.stderr)
                return 1
            print(f"Rayuela: {child.name} ended and is started again.", file=sys.stderr)
            child.start()


def _stop_all(children: Sequence[_Child]) -> None:
    for number in _STOPPING:
        signal.signal(number, signal.SIG_IGN)
    for child in children:
        if child.process is not None and not child.has_ended():
            child.process.send_signal(child.stop_signal)
    deadline = time.monotonic() + _STOP_TIMEOUT_S
    for child in children:
        if child.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(max(0.1, deadline - time.monotonic()))
        child.signal_group(signal.SIGKILL)
