"""A sum with several quantities in it, each with its own digits, so that comparing sums is comparing them in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Digits:
    """Hands out units of a sum, the least significant first."""

    def __init__(self) -> None:
        self.next = 1

    def take(self, most: int) -> int:
        """Return the unit of a quantity whose absolute value never exceeds `most`, or 0 if `most` is 0."""
        if not most:
            return 0
        unit = self.next
        self.next *= 2 * most + 1
        return unit

    def levels(self, counts: Mapping[int, int]) -> dict[int, int]:
        """Units of counters, one for each level, the higher level the more significant."""
        return {level: self.take(counts[level]) for level in sorted(counts)}
