"""Builds of TypeScript: types are removed, lines stay, and faults are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import sdk
from engine.toolchain import TypeScript
from tests.engine.javascript.answers import illegal_answers
from tests.engine.wasm.modules import run_host

SAMPLE = Path(sdk.__file__).parent / "samples/typescript/morlox.ts"


def _build(source: str) -> bytes:
    build = TypeScript().build({"main.ts": source.encode()})
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
    build = TypeScript().build({"main.ts": source.encode()})
    assert build.module is None
    assert words in build.log
