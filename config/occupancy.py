"""Number of simultaneous users of a resource, in all and by network address, and the answer to excess users."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field


class BusyError(Exception):
    """Excess of simultaneous users: answer `status`, 429 for an address' own or 503 for everyone's."""

    def __init__(self, status: int, retry_after_s: int) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after_s = retry_after_s


@dataclass
class Occupancy:
    """A count with a limit in all and a smaller one by address. For one thread."""

    most: int
    most_by_address: int
    retry_after_s: int
    total: int = 0
    by_address: Counter[str] = field(default_factory=Counter)

    def enter(self, address: str, *, speaks_for_many: bool = False) -> None:
        """Count one more, and raise BusyError if there are too many.

        A proxy, which speaks for many, has no separate limit.
        """
        if self.by_address[address] >= self.most_by_address and not speaks_for_many:
            raise BusyError(429, self.retry_after_s)
        if self.total >= self.most:
            raise BusyError(503, self.retry_after_s)
        self.total += 1
        self.by_address[address] += 1

    def leave(self, address: str) -> None:
        """Count one less."""
        self.total -= 1
        self.by_address[address] -= 1
        if not self.by_address[address]:
            del self.by_address[address]

    @contextlib.contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Count the address for the duration of the context. Raises BusyError as `enter` does."""
        self.enter(address)
        try:
            yield
        finally:
            self.leave(address)
