"""One kernel for all tests: each loads its own position."""

from __future__ import annotations

import pytest

from engine.kernel.host import Kernel


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    return Kernel()
