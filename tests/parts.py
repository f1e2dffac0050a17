"""A pytest plugin that tries a part of the tests: another part with each seed.

The mark `part` belongs to long tables whose cases are of one kind and expensive: a run tries this
share of them. `--share=0.5` tries half of the files. `tests.run` loads the plugin for a run of
everything, and not under `--all` or for chosen tests, which try all cases.
"""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--share", type=float, default=1.0, help="share of the files that are tried, from 0 to 1"
    )


@pytest.hookimpl(trylast=True)  # after tests without the marks of the lane have gone
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Workers and lanes of one run draw alike, because they have the seed that pytest-randomly prints.
    seed, share = config.getoption("randomly_seed"), config.getoption("share")
    draw = random.Random(seed)
    left_out = {item.nodeid for table in _tables(items) for item in _left_out(table, draw)}
    tried = _tried(set(map(_file, items)), seed, share)
    left_out |= {item.nodeid for item in items if _file(item) not in tried}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]


def _tables(items: Iterable[pytest.Item]) -> list[list[pytest.Item]]:
    """Return the cases of each marked test. Neither tables nor cases depend on the order of `items`."""
    cases = sorted(
        (item for item in items if item.get_closest_marker("part")), key=lambda item: item.nodeid
    )
    return [
        list(table)
        for _, table in itertools.groupby(cases, lambda item: item.nodeid.partition("[")[0])
    ]


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _tried(files: Collection[str], seed: int, share: float) -> set[str]:
    """Return the files that the seed draws. Every lane draws alike.

    A lane has one file at least, because pytest fails without a test.
    """
    draws = {file: random.Random(f"{seed} {file}").random() for file in files}
    return {file for file in files if draws[file] < share or draws[file] == min(draws.values())}


def _left_out(table: Sequence[pytest.Item], draw: random.Random) -> list[pytest.Item]:
    mark = table[0].get_closest_marker("part")
    assert mark is not None, "tables are of marked tests"
    (part,) = mark.args
    return draw.sample(table, len(table) - max(1, round(part * len(table))))
