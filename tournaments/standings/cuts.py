"""The contributions that the modifiers leave out (C.07 14 and 16.5)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournaments.standings.field import Row


class Cut(StrEnum):
    """The reason for which a contribution does not count."""

    LOWEST = "lowest"
    VOLUNTARY = "voluntary"  # a round not played by choice goes first
    HIGHEST = "highest"
    FIRST_ROUND = "first-round"

    @property
    def article(self) -> str:
        """Return the article of C.07 that says so."""
        return {Cut.VOLUNTARY: "16.5", Cut.FIRST_ROUND: "14.1.1"}.get(self, "14")


def cuts(row: Row, *, low: int, high: int) -> dict[int, Cut]:
    """Return the parts of `row` that are left out: indices of contributions, with the reason.

    The least significant value is that of the weakest opponent, the smallest of several (14). If
    rounds were not played by choice, the smallest contribution of those is cut instead, unless it
    is lower (16.5). Highest ones are cut last.
    """
    strength, worth = row.strength, row.worth
    order = sorted(range(len(worth)), key=lambda n: (strength[n], worth[n], n))
    if not row.voluntary:
        reasons = dict.fromkeys(order[:low], Cut.LOWEST)
        order = order[low:]
    else:
        reasons = _lowest(row, order, low)
    reasons.update(dict.fromkeys(order[max(0, len(order) - high) :], Cut.HIGHEST))
    return reasons


def _lowest(row: Row, order: list[int], low: int) -> dict[int, Cut]:
    """Return the low cuts of a participant with voluntary rounds, and remove them from `order`."""
    reasons: dict[int, Cut] = {}
    worth = row.worth
    # Among equal contributions the first is the one that is itself the least significant value. The
    # order of the rounds is no criterion (14.1, 16.5).
    chosen = sorted(row.voluntary, key=lambda n: (worth[n], row.strength[n], n))
    for _ in range(min(low, len(order))):
        least = order[0]
        if chosen and worth[chosen[0]] >= worth[least]:
            least = chosen[0]
        is_voluntary = least in chosen
        order.remove(least)
        if is_voluntary:
            chosen.remove(least)
        reasons[least] = Cut.VOLUNTARY if is_voluntary else Cut.LOWEST
    return reasons


def first_rounds(row: Row, *, low: int) -> dict[int, Cut]:
    """Return the rounds that a cut leaves out of progressive scores: the first rounds, played or not (14.1.1)."""
    return {n: Cut.FIRST_ROUND for n, r in enumerate(row.rounds) if r < low}
