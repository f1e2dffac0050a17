from __future__ import annotations

import struct

import pytest

from engine.wasm.wasi import Dice
from tests.engine.wasm.modules import HEAR, module, run_host

BADF, FAULT, INVAL = 8, 21, 28


def output_of(body: str, *lines: str, seed: str = "") -> list[bytes]:
    """Return the lines of hexadecimal digits that the body says, as bytes."""
    return [
        bytes.fromhex(line) for line in run_host(module(body), *lines, seed=seed).output.split()
    ]


def errno(call: str) -> int:
    """Return the result of a call of WASI."""
    (answer,) = output_of(
        f"(i32.store (i32.const 64) {call}) (call $say_hex (i32.const 64) (i32.const 4))"
    )
    return int.from_bytes(answer, "little")


RANDOM = "(drop (call $random_get (i32.const 64) (i32.const 40))) (call $say_hex (i32.const 64) (i32.const 40))"
CLOCK = "(drop (call $clock (i32.const 1) (i64.const 0) (i32.const 64))) (call $say_hex (i32.const 64) (i32.const 8))"


def test_dice_do_not_depend_on_how_much_is_rolled_at_once():
    one, other = Dice("7"), Dice("7")
    assert one.roll(100) == b"".join(other.roll(length) for length in (0, 1, 31, 32, 36))


def test_random_bytes_follow_the_seed_alone():
    assert output_of(RANDOM + RANDOM, seed="7") == output_of(RANDOM + RANDOM, seed="7")
    assert output_of(RANDOM, seed="7") != output_of(RANDOM, seed="8")
    first, second = output_of(RANDOM + RANDOM, seed="7")
    assert first != second


def test_clock_shows_the_fuel_that_was_used():
    readings = output_of(CLOCK + CLOCK + CLOCK)
    assert readings == output_of(CLOCK + CLOCK + CLOCK)
    first, second, third = (int.from_bytes(reading, "little") for reading in readings)
    assert 0 < first < second < third < 1_000_000


def test_clock_goes_on_from_line_to_line():
    body = f"(loop $l {HEAR} {CLOCK} (br $l))"
    lines = ("isready", "position startpos", "go fuel 5000000")
    times = [int.from_bytes(reading, "little") for reading in output_of(body, *lines)]
    assert times == sorted(times)
    assert len(times) == 3


def subscription(kind: int, *, timeout_ns: int = 0, userdata: int = 5) -> str:
    """Code that puts a subscription at 256."""
    body = struct.pack("<QBxxxxxxxIxxxxQQHxxxxxx", userdata, kind, 0, timeout_ns, 0, 0)
    words = struct.unpack("<6Q", body)
    return "".join(
        f"(i64.store (i32.const {256 + 8 * k}) (i64.const {word}))" for k, word in enumerate(words)
    )


POLL = "(call $poll (i32.const 256) (i32.const 512) (i32.const 1) (i32.const 64))"


def test_sleeping_uses_up_the_fuel_of_the_time():
    body = f"{CLOCK} {subscription(0, timeout_ns=10_000_000)} (drop {POLL}) {CLOCK}"
    before, after = (int.from_bytes(reading, "little") for reading in output_of(body))
    assert 10_000_000 <= after - before < 11_000_000
    asleep = f"{subscription(0, timeout_ns=10**12)} (drop {POLL}) {CLOCK}"
    assert output_of(asleep) == []


def test_pipe_is_ready_at_once():
    body = f"{subscription(1)} (drop {POLL}) (call $say_hex (i32.const 512) (i32.const 11))"
    (event,) = output_of(body)
    assert struct.unpack("<QHB", event) == (5, 0, 1)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("(call $prestat (i32.const 3) (i32.const 64))", BADF),
        (
            "(call $path_open (i32.const 3) (i32.const 0) (i32.const 64) (i32.const 4) (i32.const 0)"
            " (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 128))",
            BADF,
        ),
        ("(call $fd_read (i32.const 1) (i32.const 16) (i32.const 1) (i32.const 24))", BADF),
        ("(call $fd_write (i32.const 0) (i32.const 16) (i32.const 1) (i32.const 24))", BADF),
        ("(call $fd_write (i32.const 4) (i32.const 16) (i32.const 1) (i32.const 24))", BADF),
        ("(call $fd_write (i32.const 1) (i32.const -8) (i32.const 1) (i32.const 24))", FAULT),
        ("(call $fd_write (i32.const 1) (i32.const 16) (i32.const -1) (i32.const 24))", INVAL),
        ("(call $clock (i32.const 0) (i64.const 0) (i32.const 65529))", FAULT),
        ("(call $random_get (i32.const 65530) (i32.const 10))", FAULT),
        ("(call $random_get (i32.const 0) (i32.const -1))", INVAL),
        ("(call $poll (i32.const 256) (i32.const 512) (i32.const 0) (i32.const 64))", INVAL),
    ],
)
def test_what_is_not_given_is_refused_by_its_errno(call, expected):
    assert errno(call) == expected


@pytest.mark.parametrize(("call", "count"), [("$environ", 0), ("$args", 1)])
def test_environment_is_empty_and_there_is_one_argument(call, count):
    body = f"(drop (call {call} (i32.const 64) (i32.const 68))) (call $say_hex (i32.const 64) (i32.const 4))"
    assert output_of(body) == [count.to_bytes(4, "little")]


def test_very_long_output_is_written_in_parts():
    body = """
      (memory.fill (i32.const 8192) (i32.const 10) (i32.const 57344))
      (i32.store (i32.const 0) (i32.const 8192)) (i32.store (i32.const 4) (i32.const 57344))
      (i32.store (i32.const 8) (i32.const 8192)) (i32.store (i32.const 12) (i32.const 57344))
      (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 2) (i32.const 64)))
      (call $say_hex (i32.const 64) (i32.const 4))"""
    assert (
        run_host(module(body)).output == "\n" * 65_536 + (65_536).to_bytes(4, "little").hex() + "\n"
    )
