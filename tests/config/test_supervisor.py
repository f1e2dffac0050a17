"""`manage.py up`: one line, refusals by name, children that are killed come back, and no process is left behind."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config import supervisor
from tests import processes, servers

WORKERS = ("clock@", "main@", "builtin@", "pages@", "bots@", "replies@", "checks@")


class Up:
    """A running `manage.py up`."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.log = home / "up.log"
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up", *arguments],
                cwd=processes.ROOT,
                env=_environment(home),
                stdout=output,
                stderr=output,
            )

    def await_line(self, words: str) -> None:
        """Return when it has printed `words`. Fails immediately when it has ended without."""
        processes.until(lambda: words in self.log.read_text() or self.process.poll() is not None)
        assert words in self.log.read_text(), self.log.read_text()

    def children(self) -> dict[int, str]:
        """Return the command lines of the processes it has started itself, by pid."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        processes_found = {}
        for pid in map(int, listed.split()):
            with contextlib.suppress(OSError):
                processes_found[pid] = (
                    Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                )
        return processes_found

    def child(self, name: str) -> int | None:
        """Return the pid of the child whose command says `name`."""
        return next((pid for pid, line in self.children().items() if name in line), None)


def _environment(home: Path) -> dict[str, str]:
    variables = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
    # The first variable is one that `up` changes: names of processes begin before it.
    return {"RAYUELA_NO_BOOTSTRAP": "1", **variables, "RAYUELA_HOME": str(home)}


def _family(pid: int) -> set[int]:
    """Return a process and all that come from it."""
    family, waiting = set(), [pid]
    while waiting:
        family.add(pid := waiting.pop())
        with contextlib.suppress(OSError):
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            waiting += [child for child in map(int, children) if child not in family]
    return family


def _alive(pids: set[int]) -> set[int]:
    """Return the processes that run, which excludes one that waits to be reaped."""
    running = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            if state not in "ZX":
                running.add(pid)
    return running


def _stopped(up: Up, number: signal.Signals) -> None:
    """Send a signal to `up` and assert that no process of it is left."""
    family = _family(up.process.pid)
    try:
        up.process.send_signal(number)
        assert up.process.wait(30) == (0 if number != signal.SIGKILL else -number)
        processes.until(lambda: not _alive(family))
    finally:
        for pid in _alive(family):
            os.kill(pid, signal.SIGKILL)
        up.process.wait()


@pytest.fixture(scope="module")
def port() -> int:
    return servers.free_port()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home whose database is migrated, as a second start finds it."""
    home = tmp_path_factory.mktemp("prepared")
    subprocess.run(
        [sys.executable, "manage.py", "prepare", "--no-demo"],
        cwd=processes.ROOT,
        env=_environment(home),
        check=True,
    )
    return home


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory, prepared: Path, port: int) -> Iterator[Up]:
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(prepared, home, dirs_exist_ok=True)
    started = Up(home, "--no-demo", "--port", str(port))
    try:
        started.await_line("Rayuela is up at")
        processes.until(lambda: all(started.child(name) for name in WORKERS))
        yield started
    finally:
        _stopped(started, signal.SIGTERM)


@pytest.mark.long
def test_it_prints_one_line_with_the_address(up: Up, port: int) -> None:
    (line,) = up.log.read_text().splitlines()[:1]
    assert line == f"Rayuela is up at http://127.0.0.1:{port}/  (Ctrl-C stops it)"
    assert processes.answers(f"http://127.0.0.1:{port}/")


@pytest.mark.long
@pytest.mark.parametrize("name", ["site", "bots@", "clock@"])
def test_a_child_killed_with_all_its_own_is_started_again(up: Up, port: int, name: str) -> None:
    killed = up.child(name)
    assert killed is not None
    os.killpg(killed, signal.SIGKILL)
    processes.until(lambda: up.child(name) not in {None, killed})
    processes.until(lambda: processes.answers(f"http://127.0.0.1:{port}/"))
    assert up.process.poll() is None


@pytest.mark.long
def test_the_clock_ticks_again_within_seconds_of_its_end(up: Up) -> None:
    killed = up.child("clock@")
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    processes.until(lambda: up.child("clock@") not in {None, killed})
    since = _last_tick(up)
    processes.until(lambda: _last_tick(up) > since)
    # Ticks look for due rows: the beat stores no file.
    assert not list(processes.ROOT.glob("celerybeat-schedule*"))


def _last_tick(up: Up) -> str:
    with contextlib.closing(sqlite3.connect(up.log.parent / "rayuela.sqlite3")) as database:
        rows = database.execute("SELECT beat_at FROM tournaments_heartbeat").fetchall()
    return str(rows[0][0]) if rows else ""


@pytest.mark.long
def test_a_worker_that_is_stopped_is_killed_and_holds_nothing(up: Up) -> None:
    """Its database is free again, even if it was stopped in the middle of a transaction."""
    worker = up.child("builtin@")
    assert worker is not None
    process = min(_family(worker) - {worker})
    os.kill(process, signal.SIGSTOP)
    processes.until(lambda: process not in _alive({process}), patience_s=30)
    assert up.child("builtin@") == worker  # its pool has another one


def test_whatever_keeps_ending_is_started_ever_later_and_stops_nobody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The supervisor's own loop with a clock of the test's, and children that end or are silent."""

    class _Over(Exception):  # noqa: N818 - the end of the test
        pass

    clock = [0.0]

    def sleep(seconds: float) -> None:
        clock[0] += seconds
        if clock[0] > 600:
            raise _Over

    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    monkeypatch.setattr("time.sleep", sleep)
    monkeypatch.setattr("config.children.Child", _FakeProcess)
    broken = supervisor._Child("broken", lambda: True)
    steady = supervisor._Child("steady", lambda: False)
    silent = supervisor._Child("silent", lambda: False, pulse=multiprocessing.Value("d"))
    for child in (broken, steady, silent):
        child.start()
    with pytest.raises(_Over):
        supervisor._watch([broken, steady, silent])
    lines = capsys.readouterr().err.splitlines()
    pauses = [line.rpartition("started ")[2] for line in lines if "broken" in line]
    assert pauses[:9] == ["again."] * 4 + [f"in {s} s." for s in (5, 10, 20, 40, 60)]
    assert 9 <= len(pauses) < 25
    assert not any("steady" in line for line in lines)
    assert sum("silent is silent" in line for line in lines) == 9  # a minute each


class _FakeProcess:
    """A child that has ended immediately if its work says so, and when it is killed."""

    pid = 1 << 30  # nobody's group

    def __init__(self, name: str, work: Callable[[], bool]) -> None:
        del name
        self._has_ended = work()

    def has_ended(self) -> bool:
        return self._has_ended

    def signal_group(self, number: signal.Signals) -> None:
        self._has_ended |= number == signal.SIGKILL


@pytest.mark.long
def test_a_second_one_on_the_same_files_is_refused(up: Up) -> None:
    home = up.log.parent
    done = _refused(home, "--port", str(servers.free_port()))
    assert "running already" in done


@pytest.mark.long
def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert "Try --port" in _refused(tmp_path, "--port", str(port))


@pytest.mark.parametrize("port", ["x", "0", "65536", "-1", "\uff18\uff10"])
def test_what_is_no_port_is_refused(tmp_path: Path, port: str) -> None:
    assert "is no port" in _refused(tmp_path, f"--port={port}")


def _refused(home: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", "up", *arguments],
        cwd=processes.ROOT,
        env=_environment(home),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        # Also of the site that the other tests share, above.
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
        # Also of a site whose demo is being loaded, below.
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
    ],
    ids=lambda n: n.name,
)
def test_nothing_is_left_running_however_it_is_stopped(
    tmp_path: Path, prepared: Path, number: signal.Signals
) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    started = Up(tmp_path, "--no-demo", "--port", str(servers.free_port()))
    started.await_line("Rayuela is up at")
    processes.until(lambda: all(started.child(name) for name in WORKERS))
    _stopped(started, number)


@pytest.mark.long
def test_it_stops_in_silence_under_open_pages(tmp_path: Path, prepared: Path) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    port = servers.free_port()
    started = Up(tmp_path, "--no-demo", "--port", str(port))
    started.await_line("Rayuela is up at")
    processes.until(lambda: all(started.child(name) for name in WORKERS))
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/stream/?t=site") as stream:
        assert stream.readline()
        _stopped(started, signal.SIGINT)
    (_line,) = started.log.read_text().splitlines()


@pytest.mark.long
def test_a_demo_that_is_being_loaded_is_said_and_stopped_with_the_rest(tmp_path: Path) -> None:
    port = servers.free_port()
    started = Up(tmp_path, "--port", str(port))
    started.await_line("Rayuela: loading the demo")
    assert processes.answers(f"http://127.0.0.1:{port}/")
    assert "Rayuela is up at" in started.log.read_text()
    _stopped(started, signal.SIGINT)
