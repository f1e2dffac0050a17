"""Bots between two matches: stopped processes of which the next match need not start another.

A start takes 50 ms of a processor, which is more than many pairs think.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from engine import procfs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.match import BotSpec
    from engine.process import BotProcess
    from engine.protocol import Dialect

_NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class IdleLimits:
    """Limits of the idle bots.

    Attributes:
        bots: the number of processes. The one that has waited longest is ended first.
        resident_bytes: of one process. A larger one is not kept.
        matches: after this number of matches a process is not kept, lest a small leak ends a game.
        seconds: after this time without a match a process is ended.
    """

    bots: int = 4
    resident_bytes: int = 64 << 20
    matches: int = 50
    seconds: float = 30.0


class RunningBot(NamedTuple):
    """A process that has greeted, its dialect, its processor time when it was stopped, its matches."""

    process: BotProcess
    dialect: Dialect
    cpu_ns: int | None
    matches: int


class _Waiting(NamedTuple):
    """A bot that waits since a monotonic nanosecond, for a match in the thread that started it."""

    thread: int
    program: tuple[object, ...]
    bot: RunningBot
    since_ns: int


class IdleBots:
    """Keeps processes of sandboxed bots from match to match. Close it.

    Each thread has those that it has started, since a bot dies with that.
    """

    def __init__(self, limits: IdleLimits | None = None) -> None:
        self._limits = limits or IdleLimits()
        self._lock = threading.Lock()
        self._waiting: list[_Waiting] = []
        self._timer: threading.Timer | None = None

    def take(self, spec: BotSpec) -> RunningBot | None:
        """Return a process of this bot for the calling thread, if one waits and is alive."""
        place = (threading.get_ident(), _program(spec))
        with self._lock:
            waiting = next((one for one in self._waiting if one[:2] == place), None)
            if waiting is None:
                return None
            self._waiting.remove(waiting)
        if waiting.bot.process.is_alive:
            return waiting.bot
        waiting.bot.process.close()
        return None

    def keep(self, spec: BotSpec, bot: RunningBot) -> None:
        """Keep `bot`, which is stopped, for another match, or end it if it is not fit for one.

        Only sandboxed bots wait. A built-in bot is forked in 4 ms.
        """
        if spec.tree is None or not self._is_fit(bot):
            bot.process.close()
            return
        since_ns = time.monotonic_ns()
        with self._lock:
            self._waiting.append(_Waiting(threading.get_ident(), _program(spec), bot, since_ns))
            too_many = max(0, len(self._waiting) - self._limits.bots)
            ended, self._waiting = self._waiting[:too_many], self._waiting[too_many:]
            self._watch()
        _end(ended)

    def close(self) -> None:
        """End all that wait."""
        self._end_older_than(0)

    def _is_fit(self, bot: RunningBot) -> bool:
        process = bot.process
        if not (process.is_metered and process.is_alive and bot.matches < self._limits.matches):
            return False
        return procfs.resident_bytes(procfs.family(process.pid)) <= self._limits.resident_bytes

    def _watch(self) -> None:
        """Look again when the oldest may have waited too long. The lock is held."""
        if self._timer is None and self._waiting:
            self._timer = threading.Timer(self._limits.seconds, self._expire)
            self._timer.daemon = True
            self._timer.start()

    def _expire(self) -> None:
        with self._lock:
            self._timer = None
        self._end_older_than(self._limits.seconds)
        with self._lock:
            self._watch()

    def _end_older_than(self, seconds: float) -> None:
        latest_ns = time.monotonic_ns() - round(seconds * _NS_PER_S)
        with self._lock:
            ended = [one for one in self._waiting if one.since_ns <= latest_ns]
            self._waiting = [one for one in self._waiting if one.since_ns > latest_ns]
        _end(ended)


def _end(several: Sequence[_Waiting]) -> None:
    for one in several:
        one.bot.process.close()


def _program(spec: BotSpec) -> tuple[object, ...]:
    """Return the identity of a bot's program, independent of the bot's name in records.

    A process that was given options keeps them, so only a bot with equal ones may take it.
    """
    return (spec.argv, spec.tree, spec.libraries, spec.options)
