"""The category in which each of some equals wins, if a player cannot win twice.

Each takes the category in which the share is largest, given the categories of the others. The
better placed choose first, and choose again until no player gains by another choice. In pools that
are shared equally this ends: it is a congestion game (Rosenthal 1973), in which every gain raises
one potential. There the better placed of two also gets the larger of their shares. Under Hort the
order of the standings is in the shares already, and such exchanges could form an endless circle.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from tournaments.standings.prizes.fund import Sharing
from tournaments.standings.prizes.pools import ORDER_HALVES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tournaments.standings.prizes.fund import Prize

# There is no proof that choices end under Hort. In thousands of random funds they ended within ten.
_MOST_SWEEPS = 50


class Worth(NamedTuple):
    """The measure by which shares are compared: money first, exact, then the presence of a thing with it."""

    money: Fraction
    things: int


_NOTHING = Worth(Fraction(0), 0)


class Offer:
    """The prizes left in one category, and who of the equals takes part in them.

    Members are numbers of the equals from 0, in the order of the standings.
    """

    def __init__(
        self,
        prizes: Sequence[Prize],
        entitled: Collection[int],
        ranks: Sequence[int],
        sharing: Sharing,
    ) -> None:
        """Take the prizes from the next place on, and the players of the category."""
        self.members: list[int] = []
        self.entitled = entitled
        self._prizes = prizes
        self._ranks = ranks
        self._sums = list(accumulate((prize.amount for prize in prizes), initial=0))
        self._things = list(accumulate((bool(prize.words) for prize in prizes), initial=0))
        self._order = Fraction(ORDER_HALVES[sharing], 2)
        self._is_equal = sharing is Sharing.EQUAL

    def worth(self, number: int) -> Worth:
        """Return the actual or possible value of that player's share among the members."""
        place = bisect_left(self.members, number)
        is_member = place < len(self.members) and self.members[place] == number
        more = 0 if is_member else 1
        rank = self._ranks[number]
        start = bisect_left(self.members, rank, key=self._ranks.__getitem__)
        end = bisect_right(self.members, rank, key=self._ranks.__getitem__) + more
        by_order = Fraction(self._sum(end) - self._sum(start), end - start)
        count = len(self.members) + more
        by_points = Fraction(self._sum(count), count)
        money = self._order * by_order + (1 - self._order) * by_points
        return Worth(money, self._thing(place, count))

    def _sum(self, places: int) -> int:
        return self._sums[min(places, len(self._prizes))]

    def _thing(self, place: int, count: int) -> int:
        if self._is_equal:
            return int(place < self._things[min(count, len(self._prizes))])
        return int(place < len(self._prizes) and bool(self._prizes[place].words))


class Choice:
    """The categories that equals take among these offers. `of` has the offer of each, or None."""

    def __init__(self, offers: Sequence[Offer], count: int, sharing: Collection[Sharing]) -> None:
        """Choose for `count` equals. `sharing` are the rules of the offers."""
        self._exchanges = Sharing.HORT not in sharing
        self.of: list[Offer | None] = [None] * count
        self._offers = offers
        for _ in range(_MOST_SWEEPS):
            if not self._sweep():
                break

    def _sweep(self) -> bool:
        """Repeat the choice of all players, and return whether a choice has changed."""
        numbers = range(len(self.of))
        gains = sum(self._best(number) for number in numbers)
        return bool(gains or sum(self._exchange(number) for number in numbers))

    def _worth(self, number: int) -> Worth:
        offer = self.of[number]
        return _NOTHING if offer is None else offer.worth(number)

    def _best(self, number: int) -> bool:
        best, most = self.of[number], self._worth(number)
        for offer in self._offers:
            if number in offer.entitled and offer is not self.of[number]:
                worth = offer.worth(number)
                if worth > most:
                    best, most = offer, worth
        if best is self.of[number]:
            return False
        self._take(number, best)
        return True

    def _exchange(self, number: int) -> bool:
        """Change places with an equal behind who has more, if both belong to both categories."""
        own = self.of[number]
        if own is None or not self._exchanges:
            return False
        for offer in self._offers:
            if offer is own or number not in offer.entitled:
                continue
            most = self._worth(number)
            for other in reversed(offer.members):
                if other < number:
                    break
                if other in own.entitled and offer.worth(other) > most:
                    self._take(other, own)
                    self._take(number, offer)
                    return True
        return False

    def _take(self, number: int, offer: Offer | None) -> None:
        before = self.of[number]
        if before is not None:
            before.members.remove(number)
        self.of[number] = offer
        if offer is not None:
            insort(offer.members, number)
