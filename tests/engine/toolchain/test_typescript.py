"""Builds of TypeScript: types are removed, lines stay, and faults are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.environment import ROOT
from engine import sdk
from engine.javascript import types
from engine.toolchain import TypeScript
from tests.engine.javascript.answers import illegal_answers
from tests.engine.wasm.modules import run_host

SAMPLE = Path(sdk.__file__).parent / "samples/typescript/morlox.ts"
# Without and with the compiler that checks types (docs/operate/compiler.md).
_ALONE = TypeScript(Path("/nonexistent"))
_CHECKING = TypeScript(ROOT / "var/typescript")
_CHECKER_NEEDED = pytest.mark.skipif(
    not types.is_installed(_CHECKING.checker), reason="no typescript is installed in var"
)


def _build(source: str) -> bytes:
    build = _ALONE.build({"main.ts": source.encode()})
    assert build.module is not None, build.log
    return build.module


@pytest.mark.long
def test_the_sample_is_built_to_equal_bytes_and_plays() -> None:
    one, two = (_build(SAMPLE.read_text()) for _ in range(2))
    assert one == two
    assert illegal_answers(one, "morlox(size=5)") == []
    lines = ("ugi", "setoption name Game value morlox(size=5,swap=on)", "uginewgame", "isready")
    by_fuel = run_host(one, *lines, "position startpos moves c3", "go fuel 900000000")
    assert "bestmove" in by_fuel.output


@pytest.mark.long
def test_syntax_with_types_works_and_lines_stay() -> None:
    source = """
    interface Point { x: number }
    enum Side { First = "f" }
    abstract class Box<T> { constructor(protected readonly value: T) {} abstract get(): T; }
    class Own extends Box<number> { get() { return this.value satisfies number; } }
    const point = { x: 1 } as Point;
    declare function print(text: unknown): void;
    print(`${new Own(point!.x).get()} ${Side.First}`);
    const late = (): never => { throw new Error("late"); };
    late();
    """
    run = run_host(_build(source))
    assert run.output == "1 f\n"
    assert "Error: late" in run.errors
    assert "main.js:9:" in run.errors


@pytest.mark.long
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("let a: number = 1;\nlet b: = 2;", "main.ts:2:8: error: Unexpected token"),
        ("type A = 1;\nlet b = 1;\nlet b = 2;", "main.ts:3:7: error: invalid redefinition"),
        ("\nexport const b: number = 1;", "main.ts:2:"),
        (f"let a = {'(' * 10_000}", "error"),
    ],
    ids=["types", "script", "module", "deep"],
)
def test_a_fault_of_the_source_has_its_line(source: str, words: str) -> None:
    build = _ALONE.build({"main.ts": source.encode()})
    assert build.module is None
    assert words in build.log


@_CHECKER_NEEDED
@pytest.mark.long
def test_faults_of_types_are_warnings_in_the_log_of_a_build() -> None:
    """The module is that of a site without the check. The sample has no fault."""
    source = SAMPLE.read_text()
    assert _CHECKING.build({"main.ts": source.encode()}).log == ""
    wrong = f'{source}const size2: number = "x";\nwindow.alert(1);\n'.encode()
    build = _CHECKING.build({"main.ts": wrong})
    line = source.count("\n") + 1
    assert build.log.splitlines() == [
        f"main.ts:{line}:7: warning TS2322: Type 'string' is not assignable to type 'number'.",
        f"main.ts:{line + 1}:1: warning TS2304: Cannot find name 'window'.",
    ]
    assert build.module == _ALONE.build({"main.ts": wrong}).module


@_CHECKER_NEEDED
@pytest.mark.long
def test_types_that_cannot_be_checked_end_no_build() -> None:
    source = f"let f: any = () => f;\nf{'()' * 100};\n"
    build = _CHECKING.build({"main.ts": source.encode()})
    assert build.module is not None
    assert build.log.startswith("typescript 5.9.3: the types were not checked: RangeError")


@_CHECKER_NEEDED
@pytest.mark.long
def test_a_list_of_warnings_has_an_end() -> None:
    build = _CHECKING.build({"main.ts": b"a;\n" * (types.MOST_WARNINGS + 7)})
    assert len(build.log.splitlines()) == types.MOST_WARNINGS + 1
    assert build.log.endswith("7 further warnings are not listed.\n")
