"""Pairing numbers of a stored round whose players have other numbers since (C.04.2 2.3-2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tournaments.pairing.problem import RoundRecord


@dataclass(frozen=True)
class Renumbering:
    """The present numbers of the players whose numbers at the time of the pairing were others.

    Attributes:
        moved: present numbers by the numbers at that time. Equal ones are left out.
    """

    moved: Mapping[int, int]

    @cached_property
    def _earlier(self) -> Mapping[int, int]:
        return {now: then for then, now in self.moved.items()}

    def now(self, then: int) -> int:
        """Return the present number of the player who had the number `then`."""
        return self.moved.get(then, then)

    def then(self, now: int) -> int:
        """Return the earlier number of the player who has the number `now`.

        It is 0 if another player had that number and this one entered later.
        """
        return self._earlier.get(now, 0 if now in self.moved else now)

    def followed_by(self, changes: Mapping[int, int]) -> Renumbering:
        """Return these numbers after further changes: new numbers by the present ones."""
        later = {then: changes.get(now, now) for then, now in self.moved.items()}
        later |= {self.then(now): new for now, new in changes.items() if self.then(now)}
        return Renumbering({then: now for then, now in sorted(later.items()) if then != now})


def with_opponents(
    records: Iterable[RoundRecord], number: Callable[[int], int]
) -> tuple[RoundRecord, ...]:
    """Return the records with other numbers of the opponents."""
    return tuple(
        each._replace(opponent=number(each.opponent)) if each.opponent else each for each in records
    )
