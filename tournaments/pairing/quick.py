"""Quick pairing: players who wait for a game, paired by rating and patience."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The initially accepted distance, in points to both sides, its growth with each second, and the
# time after which any opponent is accepted.
_AT_ONCE_ELO = 150
_ELO_A_SECOND = 10
_ANYBODY_AFTER_S = 60


@dataclass(frozen=True, slots=True)
class Waiting:
    """A waiting person. `number` tells people apart and is smaller for earlier ones.

    The rating is in hundredths of a point.
    """

    number: int
    centielo: int
    waited_s: float


def window_elo(waited_s: float) -> int | None:
    """Return the limit of an opponent's distance in rating after these seconds, in points, or None for any distance."""
    if waited_s >= _ANYBODY_AFTER_S:
        return None
    return _AT_ONCE_ELO + int(_ELO_A_SECOND * max(0.0, waited_s))


def pair(waiting: Iterable[Waiting]) -> Sequence[tuple[Waiting, Waiting]]:
    """Return those who play each other now, each at most once.

    The person who has waited longest chooses first, the nearest rating of those who accept each
    other. If two are equally near, the earlier one is chosen.
    """
    free = sorted(waiting, key=lambda one: (-one.waited_s, one.number))
    pairs = []
    while free:
        first = free.pop(0)
        accepted = [other for other in free if _accept_each_other(first, other)]
        if accepted:
            # `min` keeps the first of equals, and `free` is in the order of patience.
            chosen = min(accepted, key=lambda other: abs(other.centielo - first.centielo))
            free.remove(chosen)
            pairs.append((first, chosen))
    return pairs


def _accept_each_other(one: Waiting, other: Waiting) -> bool:
    distance = abs(one.centielo - other.centielo)
    windows = [window_elo(each.waited_s) for each in (one, other)]
    return all(window is None or distance <= 100 * window for window in windows)
