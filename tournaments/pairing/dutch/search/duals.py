"""A bound on the sum of a perfect matching, from prices of kinds of vertices (linear programming duality).

Vertices of one kind have equal weights. Prices with price(a) + price(b) >= 2 weight(a, b) for every
edge bound the sum of every perfect matching. A matching of tight edges only, with equal sides,
reaches the bound and is therefore heaviest. The prices here are the best for fractional matchings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Weights = list[list["int | None"]]


def prices(
    counts: Sequence[int],
    weights: Weights,
    *,
    start: Sequence[int] | None = None,
    mate: Sequence[int] = (),
) -> list[int] | None:
    """Return doubled prices by kind, or None if no perfect fractional matching exists.

    `counts` are the vertices of each kind. `weights` of the edges between kinds are symmetric, None
    without an edge. `start` are prices, not doubled, to begin with, and `mate` a matching of single
    vertices that are tight at these, with -1 for free ones.
    """
    plan = _Transport(counts, weights)
    if start is not None:
        plan.begin(start, mate)
    if not plan.solve():
        return None
    return [u + v for u, v in zip(plan.row_price, plan.column_price, strict=True)]


class _Transport:
    """The transport problem from kinds to kinds: the fractional matching, doubled, by shortest augmenting paths."""

    def __init__(self, counts: Sequence[int], weights: Weights) -> None:
        self.kinds = range(len(counts))
        self.weights = weights
        self.supply = list(counts)
        self.demand = list(counts)
        self.flow: list[dict[int, int]] = [{} for _ in counts]  # by column: units from each row
        self.row_price = [max((w for w in row if w is not None), default=0) for row in weights]
        self.column_price = [0] * len(counts)

    def begin(self, start: Sequence[int], mate: Sequence[int]) -> None:
        """Begin with these prices and pairs."""
        self.row_price = list(start)
        self.column_price = list(start)
        for row, column in enumerate(mate):
            if column >= 0:
                self._move(row, column, 1)

    def solve(self) -> bool:
        for row in self.kinds:
            self._send_tight(row)
        for row in self.kinds:
            while self.supply[row]:
                if not self._send(row):
                    return False
        return True

    def _send_tight(self, row: int) -> None:
        """Send the most along edges tight at the start."""
        for column, weight in enumerate(self.weights[row]):
            if weight is None or weight != self.row_price[row] + self.column_price[column]:
                continue
            if self.demand[column] and self.supply[row]:
                self._move(row, column, min(self.supply[row], self.demand[column]))

    def _move(self, row: int, column: int, units: int) -> None:
        self.supply[row] -= units
        self.demand[column] -= units
        self.flow[column][row] = self.flow[column].get(row, 0) + units

    def _send(self, root: int) -> bool:
        """Send some of the supply of `root` along a path of least slack, and adjust the prices."""
        slack: dict[int, int] = {}
        came: dict[int, int] = {}  # the row before each column
        row_at = {root: 0}
        parent: dict[int, int] = {}  # the column before each row
        done: dict[int, int] = {}
        fresh = [root]
        while True:
            for row in fresh:
                self._relax(row, row_at[row], slack, came, done)
            if not slack:
                return False
            column = min(slack, key=slack.__getitem__)
            at = done[column] = slack.pop(column)
            if self.demand[column]:
                break
            fresh = [row for row, units in self.flow[column].items() if units and row not in row_at]
            for row in fresh:
                row_at[row] = at
                parent[row] = column
        for row, distance in row_at.items():
            self.row_price[row] -= at - distance
        for other, distance in done.items():
            self.column_price[other] += at - distance
        self._push(root, column, came, parent)
        return True

    def _relax(
        self, row: int, at: int, slack: dict[int, int], came: dict[int, int], done: dict[int, int]
    ) -> None:
        price = self.row_price[row] + at
        for column, weight in enumerate(self.weights[row]):
            if weight is None or column in done:
                continue
            distance = price + self.column_price[column] - weight
            if column not in slack or distance < slack[column]:
                slack[column] = distance
                came[column] = row

    def _push(self, root: int, end: int, came: dict[int, int], parent: dict[int, int]) -> None:
        path = [(came[end], end)]
        while path[-1][0] != root:
            column = parent[path[-1][0]]
            path.append((came[column], column))
        units = min(self.supply[root], self.demand[end])
        for row, _ in path[:-1]:
            units = min(units, self.flow[parent[row]][row])
        for row, column in path:
            self.flow[column][row] = self.flow[column].get(row, 0) + units
            if row != root:
                self.flow[parent[row]][row] -= units
        self.supply[root] -= units
        self.demand[end] -= units
