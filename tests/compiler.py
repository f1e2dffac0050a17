"""The compilers for tests: those of the checkout's home folder (docs/operate/compiler.md)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from config.environment import ROOT
from engine import sdk, toolchain
from engine.programs import reading
from engine.toolchain import native
from engine.toolchain.native import Native

HOME = ROOT / "var"
FOLDER = HOME / "toolchain"
# The folders of all compilers below a home folder.
FOLDERS = ("toolchain", *(compiler.folder for compiler in toolchain.NATIVES))
NEEDED = pytest.mark.skipif(
    toolchain.installed(FOLDER) is None,
    reason="no compiler of C and C++ is installed in var/toolchain",
)


def needs(compiler: Native) -> pytest.MarkDecorator:
    """Return the mark of tests that need a native compiler."""
    return pytest.mark.skipif(
        native.installed(compiler, HOME) is None,
        reason=f"no compiler of {compiler.language} is installed in var/{compiler.folder}",
    )


def each_native() -> Sequence[ParameterSet]:
    """Return the native compilers as parameters, each skipped where it is not installed."""
    return [
        pytest.param(compiler, id=compiler.folder, marks=needs(compiler))
        for compiler in toolchain.NATIVES
    ]


def each_suffix() -> Sequence[ParameterSet]:
    """Return the ends of the names of bots in one file, each skipped where its compiler is not installed."""
    marks = {compiler.suffix: [needs(compiler)] for compiler in toolchain.NATIVES}
    marks |= {suffix: [NEEDED] for suffix in toolchain.DRIVERS}
    return [
        pytest.param(each, id=each[1:], marks=marks.get(each, [])) for each in reading.LANGUAGES
    ]


def sample(suffix: str) -> bytes:
    """Return the sample bot for Morlox in the language of such files."""
    (path,) = (Path(sdk.__file__).parent / "samples").glob(f"*/morlox{suffix}")
    return path.read_bytes()
