"""Small modules for tests, written as text, and the host that runs them in this process."""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass

import wasmtime

from engine.wasm.conversation import Conversation
from engine.wasm.host import Host, compiled

# Imports of WASI by the names the bodies use, one page of memory, and `say`, which writes `length`
# bytes at `at`.
_MODULE = """
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_prestat_get" (func $prestat (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 1024) "bestmove a1\\n")
  (data (i32.const 2048) "0123456789abcdef")
  (global $seen (mut i32) (i32.const 0))

  (func $say (param $at i32) (param $length i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $length))
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))

  (func $say_hex (param $at i32) (param $length i32)
    (local $k i32)
    (loop $next
      (i32.store8 (i32.add (i32.const 3000) (i32.mul (local.get $k) (i32.const 2)))
        (i32.load8_u (i32.add (i32.const 2048)
          (i32.shr_u (i32.load8_u (i32.add (local.get $at) (local.get $k))) (i32.const 4)))))
      (i32.store8 (i32.add (i32.const 3001) (i32.mul (local.get $k) (i32.const 2)))
        (i32.load8_u (i32.add (i32.const 2048)
          (i32.and (i32.load8_u (i32.add (local.get $at) (local.get $k))) (i32.const 15)))))
      (local.set $k (i32.add (local.get $k) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $k) (local.get $length))))
    (i32.store8 (i32.add (i32.const 3000) (i32.mul (local.get $k) (i32.const 2))) (i32.const 10))
    (call $say (i32.const 3000) (i32.add (i32.mul (local.get $k) (i32.const 2)) (i32.const 1))))

  ;; One line, or a part of 512 bytes of it, at 4096; its length, or 0 at the end.
  (func $hear (result i32)
    (i32.store (i32.const 16) (i32.const 4096))
    (i32.store (i32.const 20) (i32.const 512))
    (drop (call $fd_read (i32.const 0) (i32.const 16) (i32.const 1) (i32.const 24)))
    (i32.load (i32.const 24)))

  (func $start (export "_start") (local $n i32) (local $wide i64)
    BODY))
"""
# Ends the body when the input does.
HEAR = "(local.set $n (call $hear)) (if (i32.eqz (local.get $n)) (then (return)))"
# Test whether the line begins with `go`.
IS_GO = "(i32.eq (i32.load16_u (i32.const 4096)) (i32.const 0x6f67))"
BEST_MOVE = "(call $say (i32.const 1024) (i32.const 12))"


def module(body: str) -> bytes:
    return bytes(wasmtime.wat2wasm(_MODULE.replace("BODY", body)))


def on_go(action: str) -> str:
    """Hears lines for ever and does `action` at each `go`."""
    return f"(loop $l {HEAR} (if {IS_GO} (then {action})) (br $l))"


@dataclass(frozen=True)
class HostRun:
    status: int
    output: str
    errors: str


# Machine code of a large module takes seconds.
_compiled = functools.lru_cache(maxsize=4)(compiled)


def run_host(program: bytes, *lines: str, seed: str = "", fuel: int | None = None) -> HostRun:
    """Run `program` on `lines` until their end, and return its output."""
    output, errors = io.BytesIO(), io.BytesIO()
    conversation = Conversation(
        lines=io.BytesIO("".join(f"{line}\n" for line in lines).encode()),
        output=output,
        errors=errors,
        default_units=fuel,
    )
    status = Host(_compiled(program), conversation=conversation, seed=seed).serve()
    return HostRun(status, output.getvalue().decode(), errors.getvalue().decode())
