"""A pytest plugin that collects tests once and runs them in forked processes, a file at a time (`--forks N`).

pytest-xdist collects all tests in each of its processes and sends five messages for a test: with
three processes, 45 s of the processor for 17,700 tests.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections import deque
from dataclasses import dataclass
from multiprocessing import connection
from typing import TYPE_CHECKING, Any

import pytest

from tests import workers

if TYPE_CHECKING:
    from collections.abc import Iterator

Pipe = connection.Connection


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forks", type=int, default=0, metavar="N", help="run tests in N processes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    count = session.config.getoption("forks")
    if not count or session.testsfailed or session.config.option.collectonly:
        return None
    pids: dict[Pipe, int] = {}
    for number in range(count):
        ours, theirs = connection.Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        if (pid := os.fork()) == 0:
            for end in (ours, *pids):
                end.close()
            _Worker(session, theirs, number).run()
            return True
        theirs.close()
        pids[ours] = pid
    _Controller(session, pids).run()
    return True


def _files(session: pytest.Session) -> Iterator[list[int]]:
    """The indices of the tests of each file, in the order of the session."""
    numbered = enumerate(session.items)
    for _, tests in itertools.groupby(numbered, lambda each: each[1].nodeid.partition("::")[0]):
        yield [index for index, _ in tests]


@dataclass
class _Controller:
    """The process that has forked the others.

    It sends each of them a file when it asks for one, and reports the results of all.
    """

    session: pytest.Session
    # The process at the other end of each pipe.
    pids: dict[Pipe, int]

    def run(self) -> None:
        session = self.session
        if reporter := session.config.pluginmanager.getplugin("terminalreporter"):
            reporter.showfspath = False  # results of several files come mixed
        files = deque(_files(session))
        while self.pids:
            for end in connection.wait(list(self.pids)):
                assert isinstance(end, connection.Connection), "pipes alone are waited for"
                try:
                    message = end.recv()
                except EOFError:
                    self._end(end)
                    continue
                if message is not None:
                    self._report(message)
                elif session.shouldfail or session.shouldstop or not files:
                    end.send([])
                else:
                    end.send(files.popleft())
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)

    def _end(self, end: Pipe) -> None:
        """Wait for a process that has closed its pipe. It has failed if it says more than "a test failed"."""
        _, status = os.waitpid(self.pids.pop(end), 0)
        code = os.waitstatus_to_exitcode(status)
        if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            self.session.testsfailed += 1
            self.session.shouldfail = f"a process of tests ended with {code}"

    def _report(self, phases: list[dict[str, Any]]) -> None:
        config = self.session.config
        hook, reporter = config.hook, config.pluginmanager.getplugin("terminalreporter")
        for phase in phases:
            report = hook.pytest_report_from_serializable(config=config, data=phase)
            hook.pytest_runtest_logreport(report=report)
            if report.failed and reporter:
                # A run that is cut short has no summary.
                reason = report.longreprtext.strip().rpartition("\n")[2]
                reporter.write_line(f" {report.nodeid}: {reason}")
        last = phases[-1]
        hook.pytest_runtest_logfinish(nodeid=last["nodeid"], location=last["location"])


class _Worker:
    """A forked process: it runs the files that it is sent, and sends the reports of each test."""

    def __init__(self, session: pytest.Session, pipe: Pipe, number: int) -> None:
        self._session = session
        self._pipe = pipe
        self._phases: list[dict[str, Any]] = []
        config = session.config
        config.workerinput = {"workerid": f"gw{number}"}  # type: ignore[attr-defined]  # for its database
        plugins = config.pluginmanager
        plugins.unregister(name="terminalreporter")
        capture = plugins.getplugin("capturemanager")
        assert capture is not None, "pytest's own"
        # Files of captured output are not shared with the process that was forked.
        capture.stop_global_capturing()
        capture.start_global_capturing()
        plugins.register(self)
        workers.separate(number)

    def run(self) -> None:
        session = self._session
        tests = self._next_file()
        while tests:
            following: list[pytest.Item] = []
            for place, test in enumerate(tests):
                if test is tests[-1]:
                    following = self._next_file()
                after = [*tests[place + 1 : place + 2], *following]
                session.config.hook.pytest_runtest_protocol(
                    item=test, nextitem=after[0] if after else None
                )
                if session.shouldfail or session.shouldstop:
                    return
            tests = following

    def _next_file(self) -> list[pytest.Item]:
        self._pipe.send(None)
        return [self._session.items[index] for index in self._pipe.recv()]

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        config = self._session.config
        self._phases.append(config.hook.pytest_report_to_serializable(config=config, report=report))

    @pytest.hookimpl
    def pytest_runtest_logfinish(self) -> None:
        self._pipe.send(self._phases)
        self._phases = []

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        # The end of the interpreter with the libraries of thousands of tests was a segmentation fault.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(self._session.exitstatus)
