from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import protocol
from engine.wasm.wasi import CALL_UNITS
from tests.engine.wasm.modules import BEST_MOVE, HEAR, module, on_go, run_host

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = (ROOT / "engine/sdk/samples/wasm/morlox.wasm").read_bytes()
GREETING = ("ugi", "setoption name Game value morlox(size=5,swap=on)", "uginewgame", "isready")
MOVE = ("position startpos moves c3", "go fuel 20000000")
ECHO = module(f"(loop $l {HEAR} (call $say (i32.const 4096) (local.get $n)) (br $l))")
SPIN = "(loop $spin (br $spin))"
OUT = f"{protocol.OUT_OF_FUEL}\n"


def test_module_gets_every_line_as_it_is():
    lines = ("ugi", "isready", "position startpos moves " + "a1 " * 600, "go movetime 5", "quit")
    assert run_host(ECHO, *lines).output.splitlines() == list(lines)


def test_module_is_told_its_budget():
    assert run_host(ECHO, "position startpos", "go movetime 5", fuel=10**9).output.endswith(
        "go fuel 1000000000\n"
    )


@pytest.mark.parametrize("status", [7, 125])
def test_exit_status_of_the_module_is_the_hosts(status):
    assert run_host(module(f"(call $exit (i32.const {status}))")).status == status


def test_flood_of_lines_ends_with_the_fuel():
    flood = "(loop $more (call $say (i32.const 4096) (local.get $n)) (br $more))"
    move = ("position startpos", f"go fuel {CALL_UNITS * 102}")
    *lines, last = run_host(module(on_go(flood)), *move).output.splitlines(keepends=True)
    assert last == OUT
    assert 50 < len(lines) < 102


def test_trap_is_told_and_ends_the_host():
    run = run_host(module("unreachable"))
    assert (run.status, run.output) == (1, "")
    assert "unreachable" in run.errors


def test_move_without_end_is_out_of_fuel():
    run = run_host(module(on_go(SPIN)), *MOVE)
    assert (run.status, run.output) == (1, OUT)


@pytest.mark.long
def test_fuel_for_the_move_includes_reading_the_position():
    spin_at_position = module(f"(loop $l {HEAR} {SPIN} (br $l))")
    assert run_host(spin_at_position, *MOVE).output == OUT
    assert run_host(spin_at_position, "isready").output == ""


def test_calls_into_the_host_cost_fuel():
    move = ("position startpos", f"go fuel {CALL_UNITS * 10}")
    calls = "(loop $c (drop (call $clock (i32.const 0) (i64.const 0) (i32.const 64))) (br $c))"
    assert run_host(module(on_go(calls)), *move).output == OUT


def test_move_that_was_made_counts_though_the_module_runs_dry_after_it():
    assert run_host(module(on_go(BEST_MOVE + SPIN)), *MOVE).output == "bestmove a1\n"


def test_half_a_line_is_not_made_whole_by_running_dry():
    half = "(call $say (i32.const 1024) (i32.const 11))"
    assert run_host(module(on_go(half + SPIN)), *MOVE).output == OUT


def test_fuel_left_over_does_not_help_the_next_move():
    rich, poor = ("position a", "go fuel 500000000"), ("position b", "go fuel 1000")
    assert run_host(module(on_go(BEST_MOVE)), *rich, *poor).output == "bestmove a1\n" + OUT


def test_reading_on_while_a_move_is_owed_is_a_fault():
    run = run_host(module(on_go("")), *MOVE, "isready")
    assert (run.status, run.output) == (1, "")
    assert "bestmove" in run.errors


def test_memory_ends_at_64_mib():
    grows = """
      (loop $more (br_if $more (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
      (i32.store (i32.const 64) (memory.size))
      (call $say_hex (i32.const 64) (i32.const 4))"""
    pages = int.from_bytes(bytes.fromhex(run_host(module(grows)).output), "little")
    assert pages == 1 + 16 * 63  # the next 16 pages would be the 1025th


def test_recursion_without_end_is_a_fault():
    run = run_host(module("(call $start)"))
    assert run.status == 1
    assert "call stack exhausted" in run.errors


def test_each_game_is_played_by_a_new_instance():
    counts = """
      (global.set $seen (i32.add (global.get $seen) (i32.const 1)))
      (i32.store (i32.const 64) (global.get $seen))
      (call $say_hex (i32.const 64) (i32.const 1))"""
    program = module(on_go(counts + BEST_MOVE))
    game = (
        "uginewgame",
        "position startpos",
        "go fuel 1000000",
        "position startpos",
        "go fuel 1000000",
    )
    assert run_host(program, "ugi", *game, "gameover 1-0 reason rules", *game).output.split()[
        ::3
    ] == [
        "01",
        "02",
        "01",
        "02",
    ]


def test_new_instance_is_greeted_unheard_and_told_the_options():
    game = ("setoption name Game value B", "uginewgame", "isready")
    output = run_host(ECHO, "ugi", "setoption name Game value A", "uginewgame", *game).output
    assert output.splitlines() == [
        "ugi",
        "setoption name Game value A",
        "uginewgame",
        "setoption name Game value B",  # the old instance is still there
        "uginewgame",
        "isready",
    ]


def test_second_game_is_the_same_as_the_first():
    game = ("uginewgame", "isready", *MOVE)
    once = run_host(SAMPLE, *GREETING[:2], *game).output
    twice = run_host(SAMPLE, *GREETING[:2], *game, *game).output
    assert twice.count("bestmove") == 2
    assert twice == once + once.partition("ugiok\n")[2]


def test_same_seed_and_fuel_give_the_same_bytes():
    one, other = (run_host(SAMPLE, *GREETING, *MOVE, seed="7") for _ in range(2))
    assert one == other
    assert "bestmove" in one.output


def test_more_fuel_searches_deeper():
    def nodes(fuel: int) -> int:
        return int(run_host(SAMPLE, *GREETING, MOVE[0], f"go fuel {fuel}").output.split()[-3])

    assert nodes(20_000_000) < nodes(2_000_000_000)


def test_the_option_of_the_sample_limits_its_depth():
    depth = "setoption name Depth value 2"
    output = run_host(SAMPLE, *GREETING, depth, MOVE[0], "go fuel 2000000000").output
    assert re.findall(r"^info depth (\d+)", output, re.MULTILINE) == ["2"]
    assert "option name Depth type spin default 16 min 1 max 16\n" in output


def test_position_without_go_is_a_fault():
    assert run_host(ECHO, "position startpos", "isready").status == 1
