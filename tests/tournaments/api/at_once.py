"""Simultaneous requests, each in a thread with its own connection."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.db import connection

RUNNERS = 10


def at_once(ask: Callable[[int], Any], runners: int = RUNNERS) -> list[Any]:
    """The answers to `ask` of each number below `runners`, all begun when the last was ready."""
    barrier, answers = threading.Barrier(runners), []

    def run(number: int) -> None:
        try:
            barrier.wait(60)
            answers.append(ask(number))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(runners)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(answers) == runners
    return answers
