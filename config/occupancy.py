"""How many of something there are at once, in all and by network address, and what is answered when there are too many."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field


class BusyError(Exception):
    """There are too many at once: answer `status`, 429 for an address' own or 503 for everybody's."""

    def __init__(self, status: int, retry_after_s: int) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after_s = retry_after_s


@dataclass
class Occupancy:
    """A count with a limit in all and a smaller one by address. Of one thread."""

    most: int
    most_by_address: int
    retry_after_s: int
    total: int = 0
    by_address: Counter[str] = field(default_factory=Counter)

    def enter(self, address: str, *, speaks_for_many: bool = False) -> None:
        """Count one more; raises BusyError where there are too many. A proxy, which speaks for many, has no limit of its own."""
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
        """Be counted for a while; raises BusyError as `enter` does."""
        self.enter(address)
        try:
            yield
        finally:
            self.leave(address)
