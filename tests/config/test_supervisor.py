"""`manage.py up`, however it is stopped: no process is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import processes, servers

if TYPE_CHECKING:
    from collections.abc import Iterator


def _running_with(home: Path) -> list[int]:
    """The processes whose environment names `home`."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environ = (folder / "environ").read_bytes()
        except OSError:
            continue
        if f"RAYUELA_HOME={home}".encode() in environ.split(b"\0"):
            found.append(int(folder.name))
    return found


@pytest.fixture
def up(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A running supervisor with an empty home; whatever it leaves behind is killed at the end."""
    log = tmp_path / "up.log"
    environment = {**os.environ, "RAYUELA_HOME": str(tmp_path), "RAYUELA_NO_BOOTSTRAP": "1"}
    environment = {k: v for k, v in environment.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--no-demo", "--port", str(servers.free_port())],
            cwd=processes.ROOT,
            env=environment,
            stdout=output,
            stderr=output,
        )
    try:
        processes.until(lambda: "Rayuela is up at" in log.read_text(), patience_s=60)
        yield process
    finally:
        for pid in _running_with(tmp_path):
            os.kill(pid, signal.SIGKILL)
        process.wait()


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda n: n.name
)
def test_nothing_is_left_running(
    up: subprocess.Popen[bytes], tmp_path: Path, number: signal.Signals
) -> None:
    assert len(_running_with(tmp_path)) > 3
    up.send_signal(number)
    assert up.wait(20) == (0 if number != signal.SIGKILL else -number)
    processes.until(lambda: not _running_with(tmp_path), patience_s=15)
