from __future__ import annotations

import time
from typing import cast

import wasmtime

from engine.wasm.meter import FuelMeter


class Tank:
    """The fuel interface of a store."""

    def __init__(self) -> None:
        self.units = 0

    def set_fuel(self, units: int) -> None:
        self.units = units

    def get_fuel(self) -> int:
        return self.units


def test_a_clock_of_processor_time_shows_work_and_sleep_and_no_waits():
    meter = FuelMeter(cast("wasmtime.Store", Tank()))
    meter.count_cpu()
    meter.allow_real_time()
    began_ns = meter.now_ns()
    time.sleep(0.1)  # somebody else's turn
    assert meter.now_ns() - began_ns < 50_000_000
    meter.sleep(20_000_000)
    assert 20_000_000 <= meter.now_ns() - began_ns < 70_000_000
    before_ns, cpu_ns = meter.now_ns(), time.process_time_ns()
    while time.process_time_ns() - cpu_ns < 20_000_000:
        pass
    assert meter.now_ns() - before_ns >= 20_000_000


def test_a_clock_of_the_wall_shows_everything():
    meter = FuelMeter(cast("wasmtime.Store", Tank()))
    meter.allow_real_time()
    began_ns = meter.now_ns()
    time.sleep(0.02)
    assert meter.now_ns() - began_ns >= 20_000_000
