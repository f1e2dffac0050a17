from __future__ import annotations

import pytest
import wasmtime
from hypothesis import given
from hypothesis import strategies as st

from engine.programs.errors import UploadRefusal
from engine.wasm.host import translation

MAGIC = b"\0asm\x01\0\0\0"
MEMORY = '(memory (export "memory") 1)'
START = '(func (export "_start"))'


def refusal(module: bytes) -> UploadRefusal:
    code, _, sentence = translation(module).decode().partition(": ")
    assert sentence
    return UploadRefusal(code)


def wat(text: str) -> bytes:
    return bytes(wasmtime.wat2wasm(f"(module {text})"))


def test_module_with_memory_and_start_has_none():
    assert translation(wat(MEMORY + START)).startswith(b"\x7fELF")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (START, UploadRefusal.NO_ENTRY),
        (MEMORY, UploadRefusal.NO_ENTRY),
        (MEMORY + '(func (export "_start") (param i32))', UploadRefusal.NO_ENTRY),
        (MEMORY + '(func (export "_initialize"))', UploadRefusal.NO_ENTRY),
        ('(import "env" "system" (func))' + MEMORY + START, UploadRefusal.FOREIGN_IMPORT),
        (
            '(import "wasi_unstable" "fd_read" (func))' + MEMORY + START,
            UploadRefusal.FOREIGN_IMPORT,
        ),
        (
            '(import "wasi_snapshot_preview1" "open" (func))' + MEMORY + START,
            UploadRefusal.FOREIGN_IMPORT,
        ),
        (
            '(import "wasi_snapshot_preview1" "fd_read" (func))' + MEMORY + START,
            UploadRefusal.BAD_MODULE,
        ),
        ('(memory (export "memory") 1025)' + START, UploadRefusal.BAD_MODULE),
        ("(table 200000 funcref)" + MEMORY + START, UploadRefusal.BAD_MODULE),
        (MEMORY + START + "(func $s unreachable) (start $s)", UploadRefusal.BAD_MODULE),
        (MEMORY + START + "(func $s (loop br 0)) (start $s)", UploadRefusal.BAD_MODULE),
        ('(memory (export "memory") 1 1 shared)' + START, UploadRefusal.BAD_MODULE),
        ('(memory (export "memory") i64 1)' + START, UploadRefusal.BAD_MODULE),
    ],
    ids=[
        "no-memory",
        "no-start",
        "start-with-argument",
        "library",
        "foreign",
        "other-wasi",
        "no-function-of-wasi",
        "wrong-type",
        "too-much-memory",
        "too-large-table",
        "trap-at-once",
        "loop-at-once",
        "threads",
        "memory64",
    ],
)
def test_module_that_cannot_be_a_bot_is_named(text, expected):
    assert refusal(wat(text)) is expected


def test_relaxed_vector_instructions_are_refused_for_they_differ_between_machines():
    text = (
        "(func (result v128) (i32x4.relaxed_trunc_f32x4_s (v128.const i32x4 0 0 0 0)))"
        + MEMORY
        + START
    )
    assert refusal(wat(text)) is UploadRefusal.BAD_MODULE


@given(st.binary(max_size=100))
def test_garbage_has_a_named_flaw(garbage):
    assert refusal(MAGIC + garbage) in {UploadRefusal.BAD_MODULE, UploadRefusal.NO_ENTRY}
