"""Tables of which a run tries a part."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from tests import parts

FILES = [f"tests/test_{n}.py::test_any" for n in range(40)]
CASES = [f"tests/test_any.py::test_{name}[{n}]" for name in "ab" for n in range(10)]
PLAIN = "tests/test_any.py::test_plain[1]"


def _tried(
    seed: int, *, order: int = 0, share: float = 1.0, nodeids: list[str] | None = None
) -> list[str]:
    """Return the tests that a run with this seed tries, of a worker with its own order."""
    mark = pytest.mark.part(0.3).mark
    items: list[Any] = [
        SimpleNamespace(
            nodeid=nodeid,
            get_closest_marker=lambda _, nodeid=nodeid: None if nodeid == PLAIN else mark,
        )
        for nodeid in nodeids or [*CASES, PLAIN]
    ]
    random.Random(order).shuffle(items)
    hook = SimpleNamespace(pytest_deselected=lambda items: None)
    options = {"randomly_seed": seed, "share": share}
    config: Any = SimpleNamespace(getoption=options.__getitem__, hook=hook)
    parts.pytest_collection_modifyitems(config, items)
    return sorted(item.nodeid for item in items)


def test_a_run_tries_the_share_of_each_table_and_every_other_test() -> None:
    tried = _tried(1)
    assert [sum(f"test_{name}[" in case for case in tried) for name in "ab"] == [3, 3]
    assert PLAIN in tried


def test_all_workers_of_a_run_try_the_same_cases() -> None:
    assert _tried(5, order=1) == _tried(5, order=2)


def test_all_cases_are_tried_in_some_run() -> None:
    assert {case for seed in range(50) for case in _tried(seed)} == {*CASES, PLAIN}


def test_a_share_of_the_files_is_tried_and_each_file_in_some_run() -> None:
    runs = [_tried(seed, share=0.5, nodeids=FILES) for seed in range(40)]
    assert {len(tried) < len(FILES) for tried in runs} == {True}
    assert 0.4 < sum(map(len, runs)) / (len(runs) * len(FILES)) < 0.6
    assert {file for tried in runs for file in tried} == set(FILES)


def test_all_lanes_try_the_same_files() -> None:
    whole = _tried(5, share=0.5, nodeids=FILES)
    lane = _tried(5, share=0.5, nodeids=FILES[::2], order=3)
    assert lane == [file for file in whole if file in FILES[::2]]


def test_a_lane_has_a_file_at_least() -> None:
    assert len(_tried(5, share=0.0, nodeids=FILES)) == 1
