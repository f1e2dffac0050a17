"""Bots in JavaScript: the module of a program, and what the program can do in it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.javascript import INTERPRETER, MAX_SOURCE_BYTES, module_of
from engine.javascript.modules import _number, _sections
from engine.programs import reading
from engine.programs.errors import UploadRefusal, UploadRefusedError
from engine.programs.fuel_game import COUNTING
from engine.programs.program import ProgramKind
from tests.engine.javascript.answers import illegal_answers
from tests.engine.wasm.modules import run_host

SAMPLES = Path(__file__).resolve().parents[3] / "engine/sdk/samples/javascript"
SAMPLE = SAMPLES / "morlox.js"
_PAGE = 65_536


@given(
    st.binary(max_size=300)
    | st.sampled_from([0, 1, _PAGE - 5, _PAGE - 4, _PAGE, 200_000]).map(bytes)
)
def test_the_program_is_the_last_segment_of_data_within_the_memory(source: bytes) -> None:
    sections = dict(_sections(module_of(source)))
    before = dict(_sections(INTERPRETER.read_bytes()))
    content = len(source).to_bytes(4, "little") + source
    assert sections[11].endswith(content)
    assert _number(sections[11], 0)[0] == _number(before[11], 0)[0] + 1
    pages, old_pages = (_number(each[5], 2)[0] for each in (sections, before))
    assert (pages - old_pages - 1) * _PAGE < len(content) <= (pages - old_pages) * _PAGE
    assert sections[10] == before[10]


def test_a_rebuilt_interpreter_counts_fuel_anew() -> None:
    """Games by fuel are verified by the version of the counting. Increase it with the interpreter."""
    digest = hashlib.sha256(INTERPRETER.read_bytes()).hexdigest()
    assert (COUNTING, digest[:16]) == (1, "780a4688effae1f6")


@pytest.mark.long
def test_a_program_talks_reads_and_draws_by_the_seed() -> None:
    program = b"""
    let lines = 0;
    for (let line = readLine(); line !== null; line = readLine()) {
      print(`${++lines}: ${line} \xe2\x98\x83`);
      console.log("a", 1, [2]);
    }
    print(Math.random());
    Promise.resolve(3).then(print);
    """
    module = module_of(program)
    one, two, other = (run_host(module, "x  y", "z", seed=seed) for seed in ("1", "1", "2"))
    first, second, number, last = one.output.splitlines()
    assert (first, second, last) == ("1: x  y \N{SNOWMAN}", "2: z \N{SNOWMAN}", "3")
    assert 0 <= float(number) < 1
    assert one == two
    assert one.output != other.output
    assert one.errors == "a 1 2\na 1 2\n"
    assert one.status == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("let x = 1;\nlet f = () => y;\nf();", "ReferenceError: y is not defined"),
        ("let f = (n) => 1 + f(n + 1);\nf(0);", "RangeError"),
        ("let x = ;", "SyntaxError"),
    ],
    ids=["name", "recursion", "syntax"],
)
def test_a_fault_is_told_with_its_line(program: str, error: str) -> None:
    run = run_host(module_of(program.encode()))
    assert (run.status, run.output) == (1, "")
    assert error in run.errors
    assert "main.js:" in run.errors


@pytest.mark.long
def test_an_upload_of_javascript_is_a_module() -> None:
    tree = reading.read_upload(SAMPLE.read_bytes(), "My Bot.JS")
    assert (tree.kind, tree.entry) == (ProgramKind.WASM, "main.wasm")


@pytest.mark.parametrize(
    ("upload", "refusal"),
    [
        (b"", UploadRefusal.EMPTY),
        (b"\xff", UploadRefusal.NOT_UTF8),
        (b" " * (MAX_SOURCE_BYTES + 1), UploadRefusal.DOES_NOT_COMPILE),
        (b"\0asm\x01\0\0\0", UploadRefusal.WRONG_CONTENT),
        (b"\x7fELF", UploadRefusal.NATIVE_CODE),
    ],
    ids=["empty", "not UTF-8", "too large", "module", "machine code"],
)
def test_an_upload_that_is_no_script_is_refused(upload: bytes, refusal: UploadRefusal) -> None:
    with pytest.raises(UploadRefusedError) as caught:
        reading.contents(upload, "main.js")
    assert caught.value.refusal is refusal


@pytest.mark.long
@pytest.mark.part(0.3)
@pytest.mark.parametrize(
    "key",
    [
        "morelli(edition=revised,size=7,setup=random)",
        pytest.param("morelli(edition=revised,size=5,setup=placement)", id="placement"),
        pytest.param("morelli(edition=original,size=9,setup=facing)", id="facing"),
        pytest.param("morelli(edition=original,size=7,setup=adjacent)", id="adjacent"),
        pytest.param("morelli(edition=original,size=5,setup=free)", id="free"),
        pytest.param("morlox(size=5)", id="morlox"),
        pytest.param("perfect(first=red)", id="perfect-red"),
        pytest.param("perfect(first=blue,limit=200)", id="perfect-blue"),
    ],
)
def test_a_sample_knows_the_rules_of_its_game(key: str) -> None:
    """Its answer to each position of a random game is a legal move."""
    script = (SAMPLES / f"{key.partition('(')[0]}.js").read_bytes()
    assert illegal_answers(module_of(script), key) == []
