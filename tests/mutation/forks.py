"""Work in forked processes: each has a limit of processor time, and its exit code is the answer."""

from __future__ import annotations

import os
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

Task = TypeVar("Task")


class Outcome(StrEnum):
    """Result of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMEOUT = "timeout"


@dataclass(frozen=True)
class Limit:
    """Limits of one process, in seconds of the processor and on the clock."""

    cpu_s: float
    wall_s: float


@dataclass(frozen=True)
class _Process(Generic[Task]):
    pid: int
    task: Task


def outcomes(
    tasks: Iterable[Task], work: Callable[[Task], int], *, limit: Limit, jobs: int
) -> Iterator[tuple[Task, Outcome]]:
    """Do each task in a separate process, `jobs` at a time, and yield the results in the order in which they end."""
    running: dict[int, _Process[Task]] = {}
    for task in tasks:
        if len(running) == jobs:
            yield _next(running)
        pid = _start(task, work, limit)
        running[os.pidfd_open(pid)] = _Process(pid, task)
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


def _next(running: dict[int, _Process[Task]]) -> tuple[Task, Outcome]:
    """Return the first to end, by their file descriptors: `os.wait` would take children of other tests too."""
    (descriptor, *_), _, _ = select.select(list(running), [], [])
    os.close(descriptor)
    process = running.pop(descriptor)
    _, status = os.waitpid(process.pid, 0)
    if os.WIFSIGNALED(status):
        clocks = {signal.SIGPROF, signal.SIGALRM}
        is_late = os.WTERMSIG(status) in clocks
        return process.task, Outcome.TIMEOUT if is_late else Outcome.KILLED
    return process.task, Outcome.KILLED if os.WEXITSTATUS(status) else Outcome.SURVIVED
