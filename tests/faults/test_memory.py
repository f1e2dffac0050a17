"""A web process is killed for its memory: another takes its place, streams resume, and the operator sees it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import processes
from tests.faults import audit, installation, parts, people, spectators
from tests.faults.installation import Installation

pytestmark = pytest.mark.slow

_TOKEN = "a-long-word-for-figures"
# More than this beyond its present memory kills the process. Four uploads of 15 MB take it.
_ROOM_BYTES = 24 << 20
_UPLOAD = b"0" * 15_000_000
_V1, _V2 = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    """A site with two processes behind one port, as `serve --processes 2` starts them."""
    monkeypatch.setenv("METRICS_TOKEN", _TOKEN)
    with installation.running() as site, contextlib.ExitStack() as stack:
        site.webs[0].stop()
        web = parts.web(site.folder, site.ports[0], site.variables, 2, processes=2)
        web.start()
        stack.callback(web.stop)
        site.webs[:] = [web]
        processes.until(lambda: len(_servers(site)) == 2, otherwise=site.logs)
        processes.until(
            lambda: processes.answers(f"http://127.0.0.1:{site.ports[0]}/healthz"),
            otherwise=site.logs,
        )
        yield site


def _servers(site: Installation) -> set[int]:
    """Return the processes that serve."""
    parent = site.webs[0].pid
    children: set[int] = set()
    for thread in Path(f"/proc/{parent}/task").glob("*"):
        with contextlib.suppress(OSError):
            children |= set(map(int, (thread / "children").read_text().split()))
    return {pid for pid in children if b"spawn_main" in _command(pid)}


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


@contextlib.contextmanager
def _little_memory(pid: int) -> Iterator[bool]:
    """Limit what the process can take from now on. Yield False if this machine does not allow it."""
    base, name = (_V1, "memory.limit_in_bytes") if _V1.is_dir() else (_V2, "memory.max")
    group = base / f"rayuela-{os.getpid()}"
    try:
        group.mkdir()
        (group / name).write_text(str(_ROOM_BYTES))
        (group / "cgroup.procs").write_text(str(pid))
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        processes.until(lambda: not (group / "cgroup.procs").read_text())
        group.rmdir()


def _grow_until_it_is_killed(pid: int, person: people.Person) -> None:
    """Send large files to both processes, which have them in memory."""

    def send() -> None:
        while _command(pid):
            with contextlib.suppress(OSError):
                person.upload("/bots/new/", {"name": "Nilo"}, "main.py", _UPLOAD)

    senders = [threading.Thread(target=send, daemon=True) for _ in range(2)]
    for sender in senders:
        sender.start()
    processes.until(lambda: not _command(pid), patience_s=60)
    for sender in senders:
        sender.join(60)


def _lost(site: Installation) -> float:
    """Return how many processes the figures say were lost."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{site.ports[0]}/metrics", headers={"Authorization": f"Bearer {_TOKEN}"}
    )
    with urllib.request.urlopen(request) as answer:
        text = answer.read().decode()
    return float(re.findall(r"^rayuela_web_processes_lost_total (\S+)", text, re.MULTILINE)[0])


def test_a_process_that_is_killed_for_its_memory_is_replaced(site: Installation) -> None:
    pair = people.pair(site.ports)
    tables = [people.sit_down(*pair) for _ in range(6)]
    victim = min(_servers(site))
    with (
        spectators.watching(tables, site.ports[0]) as watchers,
        people.playing(tables, pace_s=0.5),
    ):
        audit.assert_games_go_on(tables, time.monotonic())
        with _little_memory(victim) as is_limited:
            if is_limited:
                _grow_until_it_is_killed(victim, pair[0])
            else:
                os.kill(victim, signal.SIGKILL)
        audit.assert_games_go_on(tables, time.monotonic())
        processes.until(lambda: len(_servers(site) - {victim}) == 2, otherwise=site.logs)
        processes.until(lambda: _lost(site) == 1, otherwise=site.logs)
        audit.assert_games_go_on(tables, time.monotonic())
        assert site.webs[0].starts == 1
        assert f"web.process-lost pid={victim}" in site.webs[0].log()
    with spectators.watching(tables, site.ports[0]) as late:
        processes.until(
            lambda: all(len(each.plies) == len(each.table.acknowledged) for each in late)
        )
    assert sum(each.cuts for each in watchers) > 0, "no stream was cut"
    for each in watchers:
        count = len(each.plies)
        assert each.plies == list(range(1, count + 1)), "a move is missing, or came twice"
        # The last moves may have been on their way.
        assert count >= len(each.table.acknowledged) - 2
    audit.assert_nothing_lost(site, tables)
    audit.assert_data_holds(site)
