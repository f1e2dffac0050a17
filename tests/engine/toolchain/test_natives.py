"""Builds by native compilers in a sandbox of their own: Zig, Go, AssemblyScript and Rust."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from config.environment import ROOT
from engine import toolchain
from engine.installation import Package
from engine.toolchain import BuildError, __main__, languages, native
from engine.toolchain.native import Native, NativeTool
from tests import compiler
from tests.engine.toolchain import compiled

_GUIDE = (ROOT / "docs/bots/languages.md").read_text()
_OPERATORS = (ROOT / "docs/operate/compiler.md").read_text()
_EVERY = pytest.mark.parametrize("language", compiler.each_native())
# A source that is refused, and the words for it.
_FAULTS = {
    languages.ZIG: {
        "name": (b"pub fn main() void { x(); }", "main.zig:1:22: error: use of undeclared"),
        "syntax": (b"pub fn main() void {", "main.zig:1:"),
        "file": (
            b'comptime { _ = @embedFile("/etc/passwd"); } pub fn main() void {}',
            "error: embed of",
        ),
    },
    languages.GO: {
        "name": (b"package main\nfunc main() { x() }", "main.go:2:15: undefined: x"),
        "syntax": (b"package main\nfunc main() {", "main.go:2:14: syntax error"),
        "file": (
            b'package main\nimport _ "embed"\n//go:embed /etc/passwd\nvar x string\nfunc main() { println(x) }',
            "invalid go:embed",
        ),
        "C": (b'package main\nimport "C"\nfunc main() {}', "could not import C"),
        "package": (b'package main\nimport _ "example.org/x"\nfunc main() {}', "could not import"),
        "internal": (b'package main\nimport _ "internal/abi"\nfunc main() {}', "could not import"),
        "assembly": (b"package main\nfunc x()\nfunc main() { x() }", "missing function body"),
        "runtime": (
            b'package main\nimport _ "unsafe"\n//go:linkname x runtime.exit\nfunc x(int32)\nfunc main() { x(3) }',
            "link: main: invalid reference to runtime.exit",
        ),
        "flags": (
            b'package main\n//go:cgo_ldflag "-x"\nfunc main() {}',
            "only allowed in cgo-generated code",
        ),
    },
    languages.ASSEMBLYSCRIPT: {
        "name": (b"x();", "Cannot find name 'x'"),
        "syntax": (b"function f(", "main.ts(1,"),
        "file": (b'import * as x from "../../etc/passwd";', "not found"),
    },
    languages.RUST: {
        "name": (b"fn main() { x(); }", "cannot find function `x`"),
        "syntax": (b"fn main() {", "main.rs:1:"),
        "file": (
            b'fn main() { println!("{}", include_str!("/etc/passwd")); }',
            "couldn't read /etc/passwd",
        ),
        "crate": (b"extern crate serde; fn main() {}", "can't find crate for `serde`"),
        "module": (b'#[path = "/etc/passwd"] mod x; fn main() {}', "couldn't read /etc/passwd"),
        "feature": (b"#![feature(asm_const)] fn main() {}", "may not be used on the stable"),
        "library": (
            b'#[link(name = "c", kind = "static")] extern "C" {} #[link(name = "none")] extern "C" { fn y(); } fn main() { unsafe { y() } }',
            "error",
        ),
    },
}
_FAULTY = [
    pytest.param(language, *fault, id=f"{language.folder}-{name}", marks=compiler.needs(language))
    for language, faults in _FAULTS.items()
    for name, fault in faults.items()
]
# Sources whose build takes more than a second of the processor.
_ENDLESS = {
    languages.ZIG: b"""
    comptime { @setEvalBranchQuota(4_000_000_000); var i: u64 = 0; while (i < 4_000_000_000) : (i += 1) {} }
    pub fn main() void {}
    """,
    languages.GO: b"package main\nfunc main() {\n"
    + 60_000 * b"println(len(make([]int, 3)))\n"
    + b"}",
    languages.ASSEMBLYSCRIPT: b"let x = 0;\n" + 40_000 * b"x += <i32>Math.random();\n",
    languages.RUST: b"""
    #![recursion_limit = "100000000"]
    macro_rules! f { ($($t:tt)*) => { f!($($t)* $($t)* x) } }
    fn main() { f!(x) }
    """,
}


def _tool(language: Native) -> NativeTool:
    tool = native.installed(language, compiler.HOME)
    assert tool is not None
    return tool


@_EVERY
@pytest.mark.long
def test_the_sample_is_built_to_equal_bytes_and_plays(language: Native) -> None:
    compiled.require_playing(_tool(language), language.source, compiler.sample(language.suffix))


@pytest.mark.parametrize(("language", "source", "words"), _FAULTY)
@pytest.mark.long
def test_a_source_that_cannot_be_built_is_refused_with_its_reason(
    language: Native, source: bytes, words: str
) -> None:
    build = _tool(language).build({language.source: source})
    assert build.module is None
    assert words in build.log
    assert "root:x:" not in build.log


@_EVERY
@pytest.mark.long
def test_a_compiler_that_does_not_end_is_stopped(language: Native) -> None:
    tool = _tool(language)
    short = dataclasses.replace(tool, compiler=dataclasses.replace(language, seconds=1))
    build = short.build({language.source: _ENDLESS[language]})
    assert build.module is None
    assert "The compiler was stopped" in build.log


@_EVERY
@pytest.mark.long
def test_a_log_has_an_end(language: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "_LOG_BYTES", 10)
    source, _ = _FAULTS[language]["name"]
    assert len(_tool(language).build({language.source: source}).log) == 10


@_EVERY
@pytest.mark.long
def test_a_compiler_is_usable_where_bubblewrap_is(
    language: Native, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _tool(language) in toolchain.tools(compiler.HOME)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    assert _tool(language) not in toolchain.tools(compiler.HOME)
    assert toolchain.tool_for(language.suffix, compiler.HOME) is None


@pytest.mark.parametrize("language", toolchain.NATIVES, ids=lambda language: language.folder)
def test_a_machine_without_the_compiler_is_at_fault(language: Native, tmp_path: Path) -> None:
    with pytest.raises(BuildError):
        NativeTool(language, tmp_path / "none", language.name).build({language.source: b""})


@pytest.mark.parametrize("package", __main__.PACKAGES, ids=lambda package: package.folder)
def test_the_documents_have_the_installation(package: Package) -> None:
    assert all(archive.download in _OPERATORS for archive in package.archives)
    assert f"--folder var/{package.folder}" in _OPERATORS


@pytest.mark.parametrize("language", toolchain.NATIVES, ids=lambda language: language.folder)
def test_the_guide_has_the_language(language: Native) -> None:
    assert f"\n## {language.language}\n" in _GUIDE
    assert f"/morlox{language.suffix}`" in _GUIDE


def test_archives_of_two_compilers_are_not_installed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / "ziglang.whl", tmp_path / "long.tgz"]
    known = [languages.ZIG.archives[0], languages.ASSEMBLYSCRIPT.archives[3]]
    for path, archive in zip(paths, known, strict=True):
        path.write_text(archive.sha256)
    monkeypatch.setattr(__main__, "_sha256", Path.read_text)
    assert __main__.main(["install", *map(str, paths), "--folder", str(tmp_path / "zig")]) == 2
    assert "belongs to another package: long.tgz" in capsys.readouterr().err
    assert __main__.main(["install", str(paths[1]), "--folder", str(tmp_path / "asc")]) == 2
    assert "missing: pip download --no-deps nodejs" in capsys.readouterr().err
