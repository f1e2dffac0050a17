"""The compiler of C and C++ for tests: that of the checkout's home folder (docs/operate/compiler.md)."""

from __future__ import annotations

import pytest

from config.environment import ROOT
from engine import toolchain

FOLDER = ROOT / "var/toolchain"
NEEDED = pytest.mark.skipif(
    toolchain.installed(FOLDER) is None,
    reason="no compiler of C and C++ is installed in var/toolchain",
)
