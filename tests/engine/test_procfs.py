from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from engine import procfs
from engine.clock import Span
from engine.procfs import Brake, CpuMeter, Reading, Stopwatch

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="no schedstat here"),
]


@contextmanager
def running(*argv: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has written a line; killed at the end."""
    process = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        try:
            process.stdout.readline()
            yield process
        finally:
            os.killpg(process.pid, 9)
            process.wait()


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", code)


def test_time_of_threads_that_have_ended_counts():
    code = (
        "import threading, time\n"
        "def burn():\n"
        "    while time.thread_time() < 0.2: pass\n"
        "thread = threading.Thread(target=burn); thread.start(); thread.join()\n"
        "print('done', flush=True); input()\n"
    )
    with running(*python(code)) as process:
        meter = CpuMeter.of(process.pid)
        assert meter is not None
        reading = meter.read()
        meter.close()
    assert reading is not None
    assert reading.cpu_ns >= 200_000_000


def test_sleep_is_neither_processor_time_nor_wait():
    code = "import time; print('ready', flush=True); input(); time.sleep(0.2); print('woke', flush=True); input()"
    with running(*python(code)) as process:
        meter = CpuMeter.of(process.pid)
        assert meter is not None
        assert process.stdin is not None
        assert process.stdout is not None
        stopwatch = Stopwatch(meter)
        process.stdin.write("\n")
        process.stdin.flush()
        stopwatch.start(0)
        process.stdout.readline()
        slept = stopwatch.span(200_000_000)
        meter.close()
    assert slept.charged_ns > 0
    assert slept.cpu_ns is not None
    assert slept.cpu_ns < 200_000_000


def test_process_that_is_gone_is_not_metered():
    with running(*python("print()")) as process:
        pid = process.pid
        meter = CpuMeter.of(pid)
        assert meter is not None
    assert meter.read() is None
    meter.close()
    assert CpuMeter.of(pid) is None


class Counters:
    """A meter that reads what it is told."""

    def __init__(self, readings: list[Reading | None], own_waits_ns: list[int]) -> None:
        self.readings = readings
        self.own_waits_ns = own_waits_ns

    def read(self) -> Reading | None:
        return self.readings.pop(0)

    def own_wait_ns(self) -> int:
        return self.own_waits_ns.pop(0)


SPANS: dict[str, tuple[list[Reading | None], Span]] = {
    "measured": ([Reading(1, 2), Reading(3, 6)], Span(9, 2, 4, 3)),
    "gone before": ([None, Reading(1, 1)], Span(9)),
    "gone after": ([Reading(1, 1), None], Span(9)),
}


@pytest.mark.parametrize(("readings", "span"), SPANS.values(), ids=SPANS.keys())
def test_stretch_is_what_the_counters_grew_by(readings, span):
    stopwatch = Stopwatch(cast("CpuMeter", Counters(list(readings), [5, 8])))
    stopwatch.start(100)
    assert stopwatch.span(109) == span


def test_without_a_meter_there_is_the_wall_only():
    stopwatch = Stopwatch(None)
    stopwatch.start(100)
    assert stopwatch.span(109) == Span(9)


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
