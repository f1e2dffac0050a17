"""One kernel for all tests: a position is loaded anew by each."""

from __future__ import annotations

import pytest

from engine.kernel.host import Kernel


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    return Kernel()
