"""Work in forked processes: each has a limit of processor time, and its exit code is the answer."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Task = TypeVar("Task")


class Outcome(StrEnum):
    """How a mutant fared."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMEOUT = "timeout"


@dataclass(frozen=True)
class Limit:
    """What one process may take, in seconds of the processor and on the clock."""

    cpu_s: float
    wall_s: float


def outcomes(
    tasks: Iterable[Task], work: Callable[[Task], int], *, limit: Limit, jobs: int
) -> Iterator[tuple[Task, Outcome]]:
    """Do each task in a process of its own, `jobs` at a time; in the order in which they end."""
    running: dict[int, Task] = {}
    for task in tasks:
        if len(running) == jobs:
            yield _next(running)
        running[_start(task, work, limit)] = task
    while running:
        yield _next(running)


def _start(task: Task, work: Callable[[Task], int], limit: Limit) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        _be_quiet()
        signal.setitimer(signal.ITIMER_PROF, limit.cpu_s)
        signal.setitimer(signal.ITIMER_REAL, limit.wall_s)
        code = work(task)
    except BaseException:  # noqa: BLE001 - a process edge: whatever a mutant raises kills it
        traceback.print_exc()
    finally:
        os._exit(code)


def _be_quiet() -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


def _next(running: dict[int, Task]) -> tuple[Task, Outcome]:
    pid, status = os.wait()
    task = running.pop(pid)
    if os.WIFSIGNALED(status):
        clocks = {signal.SIGPROF, signal.SIGALRM}
        return task, Outcome.TIMEOUT if os.WTERMSIG(status) in clocks else Outcome.KILLED
    return task, Outcome.KILLED if os.WEXITSTATUS(status) else Outcome.SURVIVED
