"""A question to a bot: the answer's duration, in the bot's own time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.clock import NS_PER_MS
from engine.endings import Fault
from engine.errors import BotFailedError, StarvedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.clock import Span
    from engine.process import BotProcess, OutputLine

# A bot that waits for a processor has this multiple of its limit on the wall, and this much more.
# After that the machine is too busy for games.
_PATIENCE = 20
_PATIENCE_NS = 60_000 * NS_PER_MS


class Question:
    """A question that sends `text` to the bot, whose answer may take `limit_ns` of the bot's time.

    Attributes:
        text: the sent text.
        sent_ns: the monotonic nanosecond at which its last bytes were written.

    Raises:
        BotFailedError: the bot is dead, does not read, or floods meanwhile.
    """

    def __init__(self, process: BotProcess, text: str, *, limit_ns: int) -> None:
        self.text = text
        self._limit_ns = limit_ns
        self._stopwatch = process.stopwatch()
        self.sent_ns = process.send(text)
        self._stopwatch.start(self.sent_ns)

    def span(self, read_ns: int) -> Span:
        """Return the time that the bot has taken until the monotonic nanosecond `read_ns`."""
        return self._stopwatch.span(read_ns)

    def lines(self, receive: Callable[[int], OutputLine]) -> Iterator[OutputLine]:
        """Yield the lines of the bot until it has used its limit.

        `receive` waits for one to a deadline.

        The wall clock may pass the limit, because the bot's waits for a processor are not its time.

        Raises:
            BotFailedError: from `receive`. `NO_ANSWER` only when the limit is used.
            StarvedError: the bot has waited for a processor beyond all patience.
        """
        deadline_ns = self.sent_ns + self._limit_ns
        while True:
            try:
                line = receive(deadline_ns)
            except BotFailedError as error:
                now_ns = time.monotonic_ns()
                deadline_ns = self.sent_ns + self._limit_ns + self.span(now_ns).credit_ns
                if error.fault is not Fault.NO_ANSWER or deadline_ns <= now_ns:
                    raise
                self._refuse_starvation(now_ns - self.sent_ns)
            else:
                yield line

    def _refuse_starvation(self, wall_ns: int) -> None:
        if wall_ns > _PATIENCE * self._limit_ns + _PATIENCE_NS:
            raise StarvedError(
                f"in {wall_ns // NS_PER_MS} ms the machine had not"
                f" {self._limit_ns // NS_PER_MS} ms of a processor for a bot"
            )
