"""Builds of Zig by the native compiler in a sandbox of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import sdk
from engine.toolchain import BuildError, Zig, tool_for
from engine.toolchain.zig import install
from tests import compiler
from tests.engine.javascript.answers import illegal_answers
from tests.engine.wasm.modules import run_host

SAMPLE = Path(sdk.__file__).parent / "samples/zig/morlox.zig"


@pytest.fixture
def tool() -> Zig:
    tool = tool_for(".zig", compiler.HOME)
    assert isinstance(tool, Zig)
    return tool


@compiler.ZIG_NEEDED
@pytest.mark.long
def test_the_sample_is_built_to_equal_bytes_and_plays(tool: Zig) -> None:
    one, two = (tool.build({"main.zig": SAMPLE.read_bytes()}) for _ in range(2))
    assert one.module is not None, one.log
    assert one == two
    assert illegal_answers(one.module, "morlox(size=5)") == []
    lines = ("ugi", "setoption name Game value morlox(size=5,swap=on)", "uginewgame", "isready")
    run = run_host(one.module, *lines, "position startpos moves c3", "go fuel 20000000")
    assert "bestmove" in run.output


@compiler.ZIG_NEEDED
@pytest.mark.long
@pytest.mark.parametrize(
    ("source", "words"),
    [
        (b"pub fn main() void { x(); }", "main.zig:1:22: error: use of undeclared identifier 'x'"),
        (b'comptime { _ = @embedFile("/etc/passwd"); } pub fn main() void {}', "error: embed of"),
        (b"pub fn main() void {", "main.zig:1:"),
    ],
    ids=["name", "file", "syntax"],
)
def test_a_source_that_cannot_be_built_is_refused_with_its_reason(
    tool: Zig, source: bytes, words: str
) -> None:
    build = tool.build({"main.zig": source})
    assert build.module is None
    assert words in build.log


@compiler.ZIG_NEEDED
@pytest.mark.long
def test_a_compiler_that_does_not_end_is_stopped(
    tool: Zig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.toolchain.zig._SECONDS", 3)
    source = b"""
    comptime { @setEvalBranchQuota(4_000_000_000); var i: u64 = 0; while (i < 4_000_000_000) : (i += 1) {} }
    pub fn main() void {}
    """
    build = tool.build({"main.zig": source})
    assert build.module is None
    assert "The compiler was stopped" in build.log


def test_a_machine_without_the_compiler_is_at_fault(tmp_path: Path) -> None:
    with pytest.raises(BuildError):
        Zig(tmp_path / "none", "zig").build({"main.zig": b""})


def test_another_wheel_is_not_installed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = tmp_path / "ziglang.whl"
    wheel.write_bytes(b"another")
    assert install(wheel, tmp_path / "zig") == 2
    assert "another wheel" in capsys.readouterr().err
    assert not (tmp_path / "zig").exists()
