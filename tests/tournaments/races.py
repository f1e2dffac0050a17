"""Simultaneous requests of a test, each with its own connection to the database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

from tournaments.errors import TournamentError

T = TypeVar("T")
RUNNERS = 8


def at_once(action: Callable[[int], T]) -> list[T | TournamentError]:
    """Return the result or the refusal of `action` in each of eight threads that began at one moment."""
    barrier = threading.Barrier(RUNNERS)
    results: list[T | TournamentError] = []

    def run(number: int) -> None:
        try:
            barrier.wait()
            try:
                results.append(action(number))
            except TournamentError as refusal:
                results.append(refusal)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(RUNNERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == RUNNERS, "a thread ended by an error that is no refusal"
    return results


def successes(results: list[T | TournamentError]) -> list[T]:
    return [result for result in results if not isinstance(result, TournamentError)]
