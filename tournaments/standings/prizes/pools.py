"""The shares of equals: the prizes of their places, cut into sums and things."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tournaments.standings.prizes.fund import Sharing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.standings.prizes.fund import Prize, Rules

# The number of halves of a sum that depend on the order of the standings. The rest is shared.
ORDER_HALVES = {Sharing.NONE: 2, Sharing.EQUAL: 0, Sharing.HORT: 1}


@dataclass(frozen=True, slots=True)
class Share:
    """The share of one of the equals, and its computation. Money is in minor units.

    Attributes:
        amount: the paid sum.
        exact: the sum before rounding.
        by_order: the part of `exact` that the place in the standings gives.
        by_points: the part of it that equal points give.
        words: prizes that are no money.
    """

    amount: int
    exact: Fraction
    by_order: Fraction
    by_points: Fraction
    words: tuple[str, ...]


def shares(ranks: Sequence[int], prizes: Sequence[Prize], rules: Rules) -> list[Share]:
    """Return the shares of equals with these ranks, best first, in the prizes of their places.

    There may be fewer prizes than equals, not more. The sum is that of the prizes: each share is
    rounded down, and the rest is added to the first ones, a unit of rounding each.
    """
    assert len(prizes) <= len(ranks), "one place each"
    amounts = [prize.amount for prize in prizes] + [0] * (len(ranks) - len(prizes))
    average = Fraction(sum(amounts), len(ranks))
    halves = ORDER_HALVES[rules.sharing]
    orders = [Fraction(halves, 2) * part for part in _by_rank(ranks, amounts)]
    points = Fraction(2 - halves, 2) * average
    exact = [order + points for order in orders]
    words = _words(prizes, len(ranks), by_place=rules.sharing is not Sharing.EQUAL)
    return [
        Share(amount, whole, order, points, things)
        for amount, whole, order, things in zip(
            _rounded(exact, rules.rounding), exact, orders, words, strict=True
        )
    ]


def _by_rank(ranks: Sequence[int], amounts: Sequence[int]) -> list[Fraction]:
    """Return the amount of each place. Players who share a rank share the amounts of their places."""
    by_rank: dict[int, list[int]] = {}
    for rank, amount in zip(ranks, amounts, strict=True):
        by_rank.setdefault(rank, []).append(amount)
    return [Fraction(sum(by_rank[rank]), len(by_rank[rank])) for rank in ranks]


def _rounded(exact: Sequence[Fraction], unit: int) -> list[int]:
    """Return multiples of `unit` with an equal sum, each at most one unit away from the exact amount."""
    rounded = [whole // unit * unit for whole in exact]
    left = sum(exact) - sum(rounded)
    assert left % unit == 0, "prizes are multiples of it"
    for number in range(int(left / unit)):
        rounded[number] += unit
    return rounded


def _words(prizes: Sequence[Prize], count: int, *, by_place: bool) -> list[tuple[str, ...]]:
    """Return the things, which cannot be shared: by place, or from the first on."""
    things = [prize.words for prize in prizes]
    if not by_place:
        things = [each for each in things if each]
    things += [""] * (count - len(things))
    return [(each,) if each else () for each in things]
