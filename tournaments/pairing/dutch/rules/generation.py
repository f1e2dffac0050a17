"""The order of generation (C.04.3 4) as digits: of two equally good pairings the one generated first is worth more.

BSNs count from 0 here. Only differences of their sums are compared, and the pairings compared have
an equal number of terms.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tournaments.pairing.dutch.rules.digits import Digits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket


class GenerationOrder(NamedTuple):
    """Value of a pair for the order of generation, and the number of its digits below the criteria."""

    worth: Callable[[int, int], int]
    room: int


def mdp_order(bracket: Bracket) -> GenerationOrder:
    """Return the digits of 4.4, the set of MDPs, the smallest differing BSN first, then of 4.2, their opponents."""
    bsn = Counter({place: n for n, place in enumerate(bracket.residents)})
    digits = Digits()
    opponent = Counter({mdp: digits.take(len(bsn)) for mdp in reversed(bracket.mdps)})
    paired = Counter({mdp: digits.take(1) for mdp in reversed(bracket.mdps)})

    def worth(one: int, two: int) -> int:
        return paired[one] - opponent[one] * bsn[two]

    return GenerationOrder(worth, digits.next)


def exchange_order(first: Sequence[int], second: Sequence[int]) -> GenerationOrder:
    """Return 4.3 as digits.

    In the first exchange that makes a pairing S1 is the higher player of each pair.

    From a pair in S2 the higher one moves to S1, from a pair in S1 the lower one to S2, with the
    unpaired. The numbers of those in S1 afterwards, less that sum before, are the difference of
    4.3.2.
    """
    bsn = {place: n for n, place in enumerate((*first, *second))}
    digits = Digits()
    enters = {place: digits.take(1) for place in reversed(second)}  # 4.3.4
    stays = {place: digits.take(1) for place in first}  # 4.3.3
    difference = digits.take(len(bsn) ** 2)  # 4.3.2
    exchange = digits.take(len(bsn))  # 4.3.1
    worth = Counter({place: -difference * n for place, n in bsn.items()})
    worth.subtract(stays)
    worth.update({place: enter - exchange for place, enter in enters.items()})
    return GenerationOrder(lambda one, _two: worth[one], digits.next)


def transposition_order(first: Sequence[int], second: Sequence[int]) -> GenerationOrder:
    """4.2: the opponents of S1 from its first player on, in lexicographic order."""
    bsn = Counter({place: n for n, place in enumerate(second)})
    digits = Digits()
    opponent = Counter({place: digits.take(len(bsn)) for place in reversed(first)})

    def worth(one: int, two: int) -> int:
        return -opponent[one] * bsn[two]

    return GenerationOrder(worth, digits.next)
