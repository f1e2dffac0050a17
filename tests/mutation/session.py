"""The tests of some modules, collected once. Every mutant is a fork of that process."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import NamedTuple

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase

from tests.mutation.forks import Limit, Outcome, outcomes
from tests.mutation.inject import install, swap, swaps
from tests.mutation.mutants import Mutant

# The multiple of its tests' time without a mutant that a mutant may take, and some seconds for
# starting.
_PATIENCE = 4
_START_S = 5
_FAST = hypothesis.settings(
    database=None,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],  # nobody reads the example, so it is not made small
    suppress_health_check=list(HealthCheck),
)


class BaselineError(Exception):
    """The tests fail without a mutant."""


class _Task(NamedTuple):
    mutant: Mutant
    pairs: list[tuple[FunctionType, CodeType]]


class ForkingSession:
    """A plugin that runs the collected tests once for each mutant, in place of once.

    A mutant whose code no loaded function can be given is not reported.
    """

    def __init__(
        self, mutants: Sequence[Mutant], report: Callable[[Mutant, Outcome], None], *, jobs: int
    ) -> None:
        self._mutants = mutants
        self._report = report
        self._jobs = jobs

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        limit = measured(lambda: _run(session))

        def work(task: _Task) -> int:
            swap(task.pairs)
            return _run(session)

        tasks = (_Task(m, pairs) for m in self._mutants if (pairs := swaps(m)))
        for task, outcome in outcomes(tasks, work, limit=limit, jobs=self._jobs):
            self._report(task.mutant, outcome)
        return True


def run_tests(files: Sequence[str], plugins: Sequence[object] = ()) -> int:
    """Collect and run files of tests in this process, and return pytest's exit code."""
    hypothesis.settings.register_profile("mutation", _FAST)
    hypothesis.settings.load_profile("mutation")
    without = ("no:randomly", "no:cacheprovider")
    switches = [word for name in without for word in ("-p", name)]
    switches.append("-qq")  # no summary: the tests run in forks, so pytest would say that none ran
    switches += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis, imported above
    return int(pytest.main([*switches, "-x", "-m", "not slow", *files], plugins=list(plugins)))


def run_afresh(mutant: Mutant, files: Sequence[str]) -> int:
    """Run the tests in this process, which has imported no module of the project yet, with the mutant."""
    install(mutant)
    return run_tests(files)


def measured(work: Callable[[], int]) -> Limit:
    """Return the limit for a mutant, from the time of the tests without one.

    Raises BaselineError if they fail.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    endless = Limit(cpu_s=3600, wall_s=3600)
    ((_, outcome),) = outcomes([None], lambda _: work(), limit=endless, jobs=1)
    wall_s = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if outcome is not Outcome.SURVIVED:
        raise BaselineError("the tests fail without a mutant")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Limit(cpu_s=_PATIENCE * cpu_s + _START_S, wall_s=3 * _PATIENCE * wall_s + 3 * _START_S)


def _run(session: pytest.Session) -> int:
    """Return the tests of the session in this process until one fails."""
    items = session.items
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return 1
    return 0
