from __future__ import annotations

import sys

import pytest

from engine.programs import checks
from engine.programs.errors import CheckFailedError, UploadRefusal, UploadRefusedError
from tests.engine.wasm.modules import module

MAGIC = b"\0asm\x01\0\0\0"


def refusal(upload: bytes) -> UploadRefusal:
    with pytest.raises(UploadRefusedError) as caught:
        checks.check_module(upload)
    assert caught.value.detail
    return caught.value.refusal


def test_module_with_memory_and_start_is_accepted():
    checks.check_module(module(""))


def test_what_the_host_says_is_the_refusal():
    assert refusal(MAGIC) is UploadRefusal.NO_ENTRY
    assert refusal(MAGIC + b"\xff") is UploadRefusal.BAD_MODULE


def test_module_that_is_too_large_to_compile_at_each_start_is_refused():
    assert refusal(MAGIC + bytes(checks.MAX_MODULE_BYTES)) is UploadRefusal.BAD_MODULE


def test_host_that_cannot_run_is_no_refusal(monkeypatch):
    monkeypatch.setattr(checks, "PACKAGES", "/nonexistent")
    with pytest.raises(CheckFailedError, match="nonexistent"):
        checks.check_module(module(""))


def test_interpreter_that_cannot_be_started_is_no_refusal(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nonexistent")
    with pytest.raises(CheckFailedError):
        checks.check_python(b"")
