"""The demands on every sample that a compiler builds."""

from __future__ import annotations

from engine.toolchain import Tool
from tests.engine.javascript.answers import illegal_answers
from tests.engine.wasm.modules import run_host


def require_playing(tool: Tool, name: str, source: bytes) -> None:
    """Fail unless the source of this name gives equal bytes twice, and they play Morlox, by fuel too."""
    one, two = (tool.build({name: source}) for _ in range(2))
    assert one.module is not None, one.log
    assert one == two
    assert illegal_answers(one.module, "morlox(size=5)") == []
    lines = ("ugi", "setoption name Game value morlox(size=5,swap=on)", "uginewgame", "isready")
    run = run_host(one.module, *lines, "position startpos moves c3", "go fuel 20000000")
    assert "bestmove" in run.output
