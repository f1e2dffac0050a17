from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.programs import checks, reading
from engine.programs.errors import UploadRefusal, UploadRefusedError
from engine.programs.program import ProgramKind
from tests.engine.programs.zips import MAIN, zip_of

SAMPLE = Path(__file__).resolve().parents[3] / "engine/sdk/samples/wasm/morlox.wasm"
WASM = b"\0asm\x01\0\0\0"


def refusal(upload: bytes, filename: str) -> UploadRefusal:
    with pytest.raises(UploadRefusedError) as caught:
        reading.read_upload(upload, filename)
    assert caught.value.detail
    return caught.value.refusal


@pytest.mark.parametrize("filename", ["main.py", "Another Name.PY"])
def test_single_python_file_becomes_main(filename):
    tree = reading.read_upload(MAIN, filename)
    assert (tree.kind, tree.entry, tree.files) == (ProgramKind.PYTHON, "main.py", {"main.py": MAIN})


def test_single_module_becomes_main():
    tree = reading.read_upload(SAMPLE.read_bytes(), "morlox.wasm")
    assert (tree.kind, tree.entry, list(tree.files)) == (
        ProgramKind.WASM,
        "main.wasm",
        ["main.wasm"],
    )


def test_main_may_be_at_the_top_or_in_the_only_directory():
    top = zip_of(("main.py", MAIN), ("lib/a.py", b""))
    wrapped = zip_of(("bot/main.py", MAIN), ("bot/lib/a.py", b""))
    assert reading.read_upload(top, "bot.zip") == reading.read_upload(wrapped, "bot.zip")


C = b"int main(void) { return 0; }"


def test_an_archive_of_sources_is_one_program():
    top = zip_of(("main.c", C), ("rules/board.c", b"int n;"), ("rules/board.h", b"extern int n;"))
    tree = reading.read_upload(top, "bot.zip")
    assert (tree.kind, tree.entry) == (ProgramKind.SOURCE, "main.c")
    assert sorted(tree.files) == ["main.c", "rules/board.c", "rules/board.h"]
    wrapped = zip_of(("bot/main.cpp", C), ("bot/board.c", b"int n;"))
    tree = reading.read_upload(wrapped, "bot.zip")
    assert (tree.entry, sorted(tree.files)) == ("main.cpp", ["board.c", "main.cpp"])


def test_an_archive_with_a_main_of_python_is_python():
    tree = reading.read_upload(zip_of(("main.py", MAIN), ("main.c", C)), "bot.zip")
    assert tree.kind is ProgramKind.PYTHON


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([("main.c", C), ("main.cpp", C)], UploadRefusal.SEVERAL_MAINS),
        ([("main.c", C), ("old/main.c", C)], UploadRefusal.SEVERAL_MAINS),
        ([("board.c", C)], UploadRefusal.NO_MAIN),
        ([("main.c", C), ("board.c", b"\xff")], UploadRefusal.NOT_UTF8),
        ([("main.c", C), ("board.c", b"/" * (1 << 20) + b"/")], UploadRefusal.DOES_NOT_COMPILE),
        ([("main.c", C), ("fast.so", b"")], UploadRefusal.NATIVE_CODE),
    ],
    ids=["two-languages", "two-places", "no-main", "no-text", "large", "machine-code"],
)
def test_an_archive_of_other_sources_is_refused(entries, expected):
    assert refusal(zip_of(*entries), "bot.zip") is expected


@pytest.mark.parametrize(
    "entries",
    [
        [],
        [("a/b/main.py", MAIN)],
        [("MAIN.PY", MAIN)],
        [("bot/main.py", MAIN), ("readme.txt", b"")],
        [("main.py/x", MAIN)],
    ],
    ids=["empty", "too-deep", "upper-case", "beside-others", "directory"],
)
def test_archive_without_main_is_refused(entries):
    assert refusal(zip_of(*entries), "bot.zip") is UploadRefusal.NO_MAIN


@pytest.mark.parametrize("names", [("main.py", "old/main.py"), ("a/main.py", "b/main.py")])
def test_two_candidates_are_refused(names):
    assert (
        refusal(zip_of(*((name, MAIN) for name in names)), "bot.zip") is UploadRefusal.SEVERAL_MAINS
    )


@pytest.mark.parametrize(
    ("upload", "filename", "expected"),
    [
        (b"", "main.py", UploadRefusal.EMPTY),
        (b"#" * 5_000_001, "main.py", UploadRefusal.UPLOAD_TOO_LARGE),
        (b"#" * 49_000_000, "main.py", UploadRefusal.UPLOAD_TOO_LARGE),
        (b"#" * 4_900_000, "main.py", UploadRefusal.DOES_NOT_COMPILE),
        (MAIN, "main.exe", UploadRefusal.UNKNOWN_KIND),
        (MAIN, "main", UploadRefusal.UNKNOWN_KIND),
        (MAIN, "bot.zip", UploadRefusal.WRONG_CONTENT),
        (MAIN, "bot.wasm", UploadRefusal.WRONG_CONTENT),
        (zip_of(("main.py", MAIN)), "main.py", UploadRefusal.WRONG_CONTENT),
        (WASM, "main.py", UploadRefusal.WRONG_CONTENT),
        (b"\0asm\x0d\0\x01\0", "component.wasm", UploadRefusal.WRONG_CONTENT),
        (b"\x7fELF" + bytes(60), "main.py", UploadRefusal.NATIVE_CODE),
    ],
)
def test_upload_that_is_not_what_it_should_be_is_refused(upload, filename, expected):
    assert refusal(upload, filename) is expected


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("fast.so", b""),
        ("fast.cpython-311-x86_64-linux-gnu.so", b""),
        ("lib/fast.so.1", b""),
        ("fast.PYD", b""),
        ("fast.bin", b"\x7fELF\x02\x01\x01"),
        ("fast.txt", b"\xcf\xfa\xed\xfe"),
    ],
)
def test_native_code_is_refused(name, content):
    assert refusal(zip_of(("main.py", MAIN), (name, content)), "b.zip") is UploadRefusal.NATIVE_CODE


@pytest.mark.parametrize(
    "source",
    [
        b"def f(:\n",
        b"x = 1\0\n",
        b"# coding: no-such-codec\n",
        b"(" * 100_000,
        b"x=" + b"-" * 500_000 + b"1",
        b"x" + b".y" * 400_000,
        b"x" + b"()" * 400_000,
        b"if x:\n" + b"".join(b" " * k + b"if x:\n" for k in range(1, 150)),
        b"x = 1\n" * 200_000,
        b"x=" + b"+".join([b"1"] * 500_000),
        b"x=" + b"lambda:" * 100_000 + b"1",
    ],
    ids=[
        "syntax",
        "zero",
        "codec",
        "parentheses",
        "signs",
        "attributes",
        "calls",
        "indents",
        "over-1-MiB",
        "sum",
        "lambdas",
    ],
)
def test_source_that_does_not_compile_is_refused(source):
    assert refusal(source, "main.py") is UploadRefusal.DOES_NOT_COMPILE


def test_line_of_a_syntax_error_is_told():
    with pytest.raises(UploadRefusedError, match="line 2"):
        reading.read_upload(b"x = 1\ndef f(:\n", "main.py")


@pytest.mark.parametrize("source", [b"# caf\xe9\n", "x = 1\n".encode("utf-16")])
def test_source_that_is_no_utf8_is_refused(source):
    assert refusal(source, "main.py") is UploadRefusal.NOT_UTF8


@pytest.mark.parametrize("value", [b"9**9**9**9", b"'a' * 10**10", b"((1,) * 10**5,) * 10**5"])
def test_a_constant_that_would_be_large_is_not_computed_by_the_compiler(value):
    assert reading.read_upload(b"x = " + value, "main.py").entry == "main.py"


def test_source_is_compiled_and_not_run(tmp_path):
    ran = tmp_path / "ran"
    reading.read_upload(f"open({str(ran)!r}, 'w')\n".encode(), "main.py")
    assert not ran.exists()


@pytest.mark.long
def test_compiler_has_a_time_limit(monkeypatch):
    monkeypatch.setattr(checks, "_COMPILE", f"{checks._LIMITS}\nwhile 1: 0")
    monkeypatch.setattr(checks, "_SECONDS", 1)
    assert refusal(MAIN, "main.py") is UploadRefusal.DOES_NOT_COMPILE


@given(st.binary(max_size=300))
def test_garbage_is_refused_by_name(garbage):
    for filename, upload in (
        ("a.zip", b"PK\x03\x04" + garbage),
        ("a.zip", garbage),
        ("a.wasm", garbage),
        ("a", garbage),
    ):
        if upload.startswith(WASM):
            continue
        with pytest.raises(UploadRefusedError):
            reading.contents(upload, filename)
