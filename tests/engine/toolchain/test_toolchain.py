"""Builds of C and C++ by the compiler in WebAssembly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine import toolchain
from engine.toolchain import Toolchain, installed
from tests import compiler
from tests.engine.toolchain import compiled
from tests.engine.wasm.modules import run_host

CPP = b"""
#include <iostream>
#include <map>
int main() {
  std::map<std::string, int> seen;
  for (std::string line; std::getline(std::cin, line);) std::cout << line << " " << ++seen[line] << std::endl;
}
"""


@pytest.fixture
def tool() -> Toolchain:
    tool = installed(compiler.FOLDER)
    assert tool is not None
    return tool


@compiler.NEEDED
@pytest.mark.long
@pytest.mark.parametrize("suffix", toolchain.DRIVERS)
def test_the_sample_is_built_to_equal_bytes_and_plays(tool: Toolchain, suffix: str) -> None:
    compiled.require_playing(tool, f"main{suffix}", compiler.sample(suffix))


@compiler.NEEDED
@pytest.mark.long
def test_cpp_has_its_library(tool: Toolchain) -> None:
    build = tool.build({"main.cpp": CPP})
    assert build.module is not None, build.log
    assert run_host(build.module, "a", "b", "a").output == "a 1\nb 1\na 2\n"


@compiler.NEEDED
@pytest.mark.long
def test_sources_of_both_languages_are_one_module(tool: Toolchain) -> None:
    """Sources in any folder are compiled, and include headers by their paths from the top."""
    main = b"""
    #include <cstdio>
    #include "rules/n.h"
    int main() { std::printf("%d\\n", n()); }
    """
    build = tool.build(
        {
            "main.cpp": main,
            "rules/n.h": b'extern "C" int n(void);',
            "rules/n.c": b"int n(void) { return 42; }",
            "readme.txt": b"A bot",
        }
    )
    assert build.module is not None, build.log
    assert run_host(build.module).output == "42\n"


@compiler.NEEDED
@pytest.mark.long
@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"main.c": b"int main(void) { return 0; }", "a/b.c": b"int b = x;"}, "a/b.c:1:9: error"),
        ({"main.c": b"", "main.c.o/x": b""}, "main.c.o"),
        ({"main.c": b'#include "../x.h"'}, "../x.h"),
    ],
    ids=["second-file", "folder", "outside"],
)
def test_sources_that_cannot_be_built_are_told_why(
    tool: Toolchain, files: dict[str, bytes], words: str
) -> None:
    build = tool.build(files)
    assert build.module is None
    assert words in build.log


@compiler.NEEDED
@pytest.mark.long
@pytest.mark.parametrize(
    ("source", "words"),
    [
        (b"int main(void) { return x; }", "main.c:1:25: error: use of undeclared identifier 'x'"),
        (b"int f(void); int main(void) { return f(); }", "undefined symbol: f"),
        (b'#include "/etc/passwd"', "'/etc/passwd' file not found"),
        (b"#include </proc/self/environ>", "file not found"),
        (b"char a[1 << 30] = {1}; int main(void) { return a[1]; }", "emory"),
        (b"int main(void) {" + b"{" * 100_000, "error"),
    ],
    ids=["name", "symbol", "file", "environment", "memory", "deep"],
)
def test_a_source_that_cannot_be_built_is_told_why(
    tool: Toolchain, source: bytes, words: str
) -> None:
    build = tool.build({"main.c": source})
    assert build.module is None
    assert words in build.log


@compiler.NEEDED
@pytest.mark.long
def test_a_compiler_that_does_not_end_is_stopped(
    tool: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.toolchain._SECONDS", 3)
    source = b"""
    template<class T, int N> struct A { A<A<T, N - 1>, N - 1> left; A<int, N - 1> right; };
    template<class T> struct A<T, 0> {};
    A<int, 24> tree;
    """
    build = tool.build({"main.cpp": source})
    assert "The compiler was stopped" in build.log
    assert build.module is None


def test_a_folder_without_a_compiler_has_none(tmp_path: Path) -> None:
    assert installed(tmp_path) is None
    (tmp_path / "about.json").write_text("[]")
    assert installed(tmp_path) is None


@pytest.mark.long
def test_another_archive_is_not_installed(tmp_path: Path) -> None:
    archive = tmp_path / "clang.tgz"
    archive.write_bytes(b"another")
    command = [sys.executable, "-m", "engine.toolchain", "install", str(archive)]
    child = subprocess.run(
        [*command, "--folder", str(tmp_path / "new")], capture_output=True, text=True, check=False
    )
    assert child.returncode == 2
    assert "another archive" in child.stderr
    assert not (tmp_path / "new").exists()
