from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import cast

import pytest

from engine.clock import Span
from engine.meters import CpuMeter, FamilyMeter, Meter, Reading, Stopwatch
from tests.engine.machines import python, running

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="no schedstat here"),
]


def _read(meter: Meter | None) -> Reading:
    """Return one reading of the meter."""
    assert meter is not None
    reading = meter.read()
    meter.close()
    assert reading is not None
    return reading


def test_time_of_threads_that_have_ended_counts():
    code = (
        "import threading, time\n"
        "def burn():\n"
        "    while time.thread_time() < 0.2: pass\n"
        "thread = threading.Thread(target=burn); thread.start(); thread.join()\n"
        "print('done', flush=True); input()\n"
    )
    with running(*python(code)) as process:
        assert _read(CpuMeter.of(process.pid)).cpu_ns >= 200_000_000


@pytest.mark.long
def test_waits_of_all_threads_count_of_ended_ones_too():
    code = (
        "import hashlib, os, threading\n"
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "def burn(): hashlib.pbkdf2_hmac('sha256', b'', b'', 300_000)\n"
        "threads = [threading.Thread(target=burn) for _ in range(4)]\n"
        "print('ready', flush=True); input()\n"
        "for thread in threads: thread.start()\n"
        "print('burns', flush=True)\n"
        "for thread in threads: thread.join()\n"
        "print('done', flush=True); input()\n"
    )
    with running(*python(code)) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        meter = CpuMeter.of(process.pid)
        assert meter is not None
        before = meter.read()
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        during = []
        for _ in range(10):
            time.sleep(0.02)
            during.append(meter.read())
        process.stdout.readline()
        after = meter.read()
        meter.close()
    assert before is not None
    assert after is not None
    last = during[-1]
    assert last is not None
    # Four threads on one processor: three of them wait at any time.
    assert last.waited_ns - before.waited_ns > last.cpu_ns - before.cpu_ns
    assert after.waited_ns >= last.waited_ns


def test_a_start_is_metered_before_the_bot_is_known():
    with running("/bin/sh", "-c", f'{sys.executable} -I -S -c "{_BURNS}"; true') as process:
        assert _read(FamilyMeter.of(process.pid)).cpu_ns >= 100_000_000


_BURNS = "import time\nwhile time.process_time() < 0.1: pass\nprint('ready', flush=True); input()"


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
    """A meter that returns given readings."""

    def __init__(self, readings: list[Reading | None], own_waits_ns: list[int]) -> None:
        self.readings = readings
        self.own_waits_ns = own_waits_ns

    def read(self) -> Reading | None:
        return self.readings.pop(0)

    def own_wait_ns(self) -> int:
        return self.own_waits_ns.pop(0)


SPANS: dict[str, tuple[list[Reading | None], Span]] = {
    # The counters ran from 95 to 112, the wall from 100 to 109.
    "measured": ([Reading(1, 2), Reading(3, 6)], Span(9, 2, 4, 3, outside_ns=8)),
    "gone before": ([None, Reading(1, 1)], Span(9)),
    "gone after": ([Reading(1, 1), None], Span(9)),
}


@pytest.mark.parametrize(("readings", "span"), SPANS.values(), ids=SPANS.keys())
def test_stretch_is_what_the_counters_grew_by(monkeypatch, readings, span):
    monkeypatch.setattr(time, "monotonic_ns", iter((95, 112)).__next__)
    stopwatch = Stopwatch(cast("CpuMeter", Counters(list(readings), [5, 8])))
    stopwatch.start(100)
    assert stopwatch.span(109) == span


def test_without_a_meter_there_is_the_wall_only():
    stopwatch = Stopwatch(None)
    stopwatch.start(100)
    assert stopwatch.span(109) == Span(9)
