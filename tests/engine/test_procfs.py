from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import procfs
from engine.procfs import Brake
from tests.engine.machines import python, running

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="no schedstat here"),
]


def test_bot_is_found_behind_its_launchers():
    inner = f"{sys.executable} -I -S -c 'import os; print(os.getpid(), flush=True); input()'; true"
    process = subprocess.Popen(
        ["/bin/sh", "-c", f'/bin/sh -c "{inner}"; true'],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    with process.stdout, process.stdin:
        bot = int(process.stdout.readline())
        assert bot != process.pid
        assert procfs.main_process(process.pid) == bot
        assert bot in procfs.family(process.pid)
        os.killpg(process.pid, 9)
        process.wait()


def test_brake_stops_and_releases():
    with running(*python("print('ready', flush=True); print(input(), flush=True)")) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        brake = Brake([process.pid])
        brake.pull()
        assert os.waitid(os.P_PID, process.pid, os.WSTOPPED) is not None
        brake.release()
        process.stdin.write("hello\n")
        process.stdin.flush()
        assert process.stdout.readline() == "hello\n"
        brake.close()


def test_memory_of_all_processes_is_summed():
    own = procfs.resident_bytes([os.getpid()])
    assert own > 1_000_000
    assert procfs.resident_bytes([os.getpid(), 1 << 30]) >= own // 2
