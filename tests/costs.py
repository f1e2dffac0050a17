"""A pytest plugin that prints which tests and which files take most CPU time, their processes included.

Wall time on a busy machine includes waiting. CPU time is work alone. A process is counted by the
test in which it ends. A site that lives for the whole run is not counted, nor are processes that a
test kills without waiting for them.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

_LINES = 25
_CPU = "cpu_s"
_LAST = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    del call
    report = yield
    total = sum(os.times()[:4])
    report.user_properties.append((_CPU, total - item.config.stash.get(_LAST, total)))
    item.config.stash[_LAST] = total
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    tests: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == _CPU:
                    tests[report.nodeid] += value
                    files[report.nodeid.partition("::")[0]] += value
    for title, costs in (("test", tests), ("file", files)):
        terminalreporter.section(f"CPU seconds by {title}; {sum(costs.values()):.1f} in all")
        for name, value in costs.most_common(_LINES):
            terminalreporter.write_line(f"{value:8.1f}  {name}")
