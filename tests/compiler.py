"""The compilers of C, C++ and Zig for tests: those of the checkout's home folder (docs/operate/compiler.md)."""

from __future__ import annotations

import pytest

from config.environment import ROOT
from engine import toolchain

HOME = ROOT / "var"
FOLDER = HOME / "toolchain"
NEEDED = pytest.mark.skipif(
    toolchain.installed(FOLDER) is None,
    reason="no compiler of C and C++ is installed in var/toolchain",
)
ZIG_NEEDED = pytest.mark.skipif(
    toolchain.zig_installed(HOME / "zig") is None,
    reason="no compiler of Zig is installed in var/zig",
)
