"""Work that can be counted, for tests of short operations: a busy machine counts alike."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from types import FrameType


def calls(work: Callable[[], object]) -> int:
    """Return how many functions, Python's own included, are called while `work` is done."""
    counted = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    _profiled(count, work)
    return counted


def calls_of(functions: Collection[Callable[..., object]], work: Callable[[], object]) -> list[int]:
    """Return how often each of these functions of Python is called while `work` is done."""
    counted = {function.__code__: 0 for function in functions}

    def count(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code in counted:
            counted[frame.f_code] += 1

    _profiled(count, work)
    return list(counted.values())


def _profiled(count: Callable[[FrameType, str, object], None], work: Callable[[], object]) -> None:
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
