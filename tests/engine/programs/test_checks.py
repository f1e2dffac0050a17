from __future__ import annotations

import resource
import sys

import pytest

from engine.javascript.modules import INTERPRETER, _number, _sections
from engine.programs import checks
from engine.programs.errors import CheckFailedError, UploadRefusal, UploadRefusedError
from tests.engine.programs.bombs import LOOPS_IN_LOOPS, leb128, module_with
from tests.engine.wasm.modules import module

MAGIC = b"\0asm\x01\0\0\0"


def refusal(upload: bytes) -> UploadRefusal:
    with pytest.raises(UploadRefusedError) as caught:
        checks.translated(upload)
    assert caught.value.detail
    return caught.value.refusal


def test_module_with_memory_and_start_is_translated():
    assert checks.translated(module("")).startswith(b"\x7fELF")


def test_what_the_host_says_is_the_refusal():
    assert refusal(MAGIC) is UploadRefusal.NO_ENTRY
    assert refusal(MAGIC + b"\xff") is UploadRefusal.BAD_MODULE


def test_module_that_is_too_large_is_refused():
    assert refusal(MAGIC + bytes(checks.MAX_MODULE_BYTES - 7)) is UploadRefusal.BAD_MODULE


BOMBS = {
    # A small or quick module is like any other.
    "a function of 2 MB": (module_with(b"\x41\0\x1a" * 690_000), None),
    "200,000 blocks in blocks": (module_with(b"\x02\x40" * 200_000 + b"\x0b" * 200_000), None),
    "50,000 locals": (module_with(b"", locals_count=50_000), None),
    "400,000 ways of a branch": (
        module_with(b"\x02\x40\x41\0\x0e" + leb128(400_000) + bytes(400_001) + b"\x0b"),
        "no valid module",
    ),
}
DEAR_BOMBS = {
    "250,000 functions": (module_with(b"", functions=250_000), "takes over"),
    "100,000 values that meet": (
        module_with(b"\x03\x40\x20\0\x20\1\x6a\x21\0\x20\0\x0d\0\x0b" * 100_000, locals_count=40),
        "takes over",
    ),
    "60,000 loops in loops": (LOOPS_IN_LOOPS, "takes over"),
}


@pytest.mark.long
@pytest.mark.parametrize(("bomb", "sentence"), BOMBS.values(), ids=BOMBS)
def test_module_that_is_made_to_be_dear_is_compiled_or_refused(bomb, sentence):
    _check_bomb(bomb, sentence)


@pytest.mark.slow
@pytest.mark.parametrize(("bomb", "sentence"), DEAR_BOMBS.values(), ids=DEAR_BOMBS)
def test_module_that_is_too_dear_is_refused(bomb, sentence, monkeypatch):
    monkeypatch.setattr(checks, "_MODULE_SECONDS", 3)
    _check_bomb(bomb, sentence)


@pytest.mark.slow
def test_a_module_of_eight_mebibytes_of_usual_code_is_translated():
    upload = _repeated(INTERPRETER.read_bytes(), 13)
    assert 7 << 20 < len(upload) <= checks.MAX_MODULE_BYTES
    assert len(checks.translated(upload)) > len(upload)


def _repeated(usual: bytes, times: int) -> bytes:
    """Return the module with all its functions several times."""
    parts = [usual[:8]]
    for number, body in _sections(usual):
        content = body
        if number in {3, 10}:  # the types of functions, and their code
            count, at = _number(body, 0)
            content = leb128(count * times) + body[at:] * times
        parts += [bytes([number]), leb128(len(content)), content]
    return b"".join(parts)


@pytest.mark.long
def test_compiling_a_module_has_a_limit_of_processor_time(monkeypatch):
    monkeypatch.setattr(checks, "_MODULE_SECONDS", 1)
    before_s = _children_s()
    _check_bomb(LOOPS_IN_LOOPS, "takes over")
    assert 0.5 < _children_s() - before_s < 3


def _check_bomb(bomb: bytes, sentence: str | None) -> None:
    assert len(bomb) <= checks.MAX_MODULE_BYTES
    if sentence is None:
        checks.translated(bomb)
        return
    with pytest.raises(UploadRefusedError, match=sentence) as caught:
        checks.translated(bomb)
    assert caught.value.refusal is UploadRefusal.BAD_MODULE


def _children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_host_that_cannot_run_is_no_refusal(monkeypatch):
    monkeypatch.setattr(checks, "PACKAGES", "/nonexistent")
    with pytest.raises(CheckFailedError, match="nonexistent"):
        checks.translated(module(""))


def test_interpreter_that_cannot_be_started_is_no_refusal(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nonexistent")
    with pytest.raises(CheckFailedError):
        checks.check_python(b"")
