"""The sure way through a bracket: weighted matchings whose weights hold every criterion and the order of generation.

Slow, for any bracket. The bracket is solved together with the next score group (C8); only where the groups below cannot
take what that leaves over (C4) with the whole field below. A superset's best pairing that can be completed is the best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.bits import bits
from tournaments.pairing.dutch.completion import BYE
from tournaments.pairing.dutch.criteria import Criteria, Digits
from tournaments.pairing.dutch.matching import heaviest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.completion import Completion
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import PairingProblem

_Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Order:
    """Digits below the criteria: what a pair is worth for the order of generation, and how much room they need."""

    worth: Callable[[int, int], int]
    room: int


def exact_pairs(
    problem: PairingProblem, field: Field, bracket: Bracket, completion: Completion
) -> _Pairs:
    """The pairs of the bracket, higher place first."""
    if bracket.below and not bracket.bye_falls_here:
        graph = _Graph(problem, field, bracket, is_whole=False)
        pairs = graph.first_best()
        if completion.takes_left(graph.left_over(), bracket):
            return pairs
    return _Graph(problem, field, bracket, is_whole=True).first_best()


def best_pairs(
    problem: PairingProblem, field: Field, bracket: Bracket, completion: Completion
) -> _Pairs:
    """Pairs of the bracket as good in every criterion as `exact_pairs`, but not the first of those generated."""
    if bracket.below and not bracket.bye_falls_here:
        graph = _Graph(problem, field, bracket, is_whole=False)
        pairs = graph.some_best()
        if completion.takes_left(graph.left_over(), bracket):
            return pairs
    return _Graph(problem, field, bracket, is_whole=True).some_best()


class _Graph:
    """A bracket and what is below it; `partners` is the latest matching.

    `inside` are the edges between members that may still be chosen, `outside` all others.
    """

    def __init__(
        self, problem: PairingProblem, field: Field, bracket: Bracket, *, is_whole: bool
    ) -> None:
        self.field = field
        self.bracket = bracket
        self.is_whole = is_whole
        self.following = bracket.below[0] if bracket.below else range(0)
        self.criteria = Criteria(problem, field, bracket.mdps, bracket.residents, self.following)
        self.partners: dict[int, int] = {}
        near = (*bracket.members, *self.following)
        residents = _mask(bracket.residents)
        self.inside = {
            (one, two): self.criteria.pair(one, two)
            for one, two in self._legal(bracket.members, residents)
        }
        self.outside = {
            (one, two): self.criteria.pair_below(one, two)
            for one, two in self._legal(near, _mask(self.following))
        }
        if is_whole:
            self._add_rest(near)

    def _legal(self, places: Iterable[int], lower: int) -> Iterator[tuple[int, int]]:
        """Legal pairs of one of the places with a lower place among the bits of `lower`."""
        for one in places:
            for two in bits(self.field.legal[one] & lower >> one + 1 << one + 1):
                yield one, two

    def _add_rest(self, near: Sequence[int]) -> None:
        """Everybody further down, and the bye: nothing counts there but that all are paired (C4)."""
        rest = [place for group in self.bracket.below[1:] for place in group]
        for places in (near, rest):
            for pair in self._legal(places, _mask(rest)):
                self.outside.setdefault(pair, 0)
        here = (*near, *rest)
        self.outside.update(((place, BYE), 0) for place in here if place in self.bracket.bye)
        self._drop_unconnected()

    def _drop_unconnected(self) -> None:
        """Leave out whoever no chain of edges joins to the bracket: they can be paired among themselves, whatever is here."""
        beside: dict[int, list[int]] = {}
        for one, two in (*self.inside, *self.outside):
            beside.setdefault(one, []).append(two)
            beside.setdefault(two, []).append(one)
        reached = set(self.bracket.members)
        stack = list(reached)
        while stack:
            for other in beside.get(stack.pop(), ()):
                if other not in reached:
                    reached.add(other)
                    stack.append(other)
        self.outside = {edge: w for edge, w in self.outside.items() if edge[0] in reached}

    def first_best(self) -> _Pairs:
        """Of the best pairings the one generated first."""
        # The set of MDPs is solved together with the criteria.
        if self.bracket.bye_falls_here or not self.bracket.mdps:
            self._solve()
            self._add_unplayed()
        found = self._mdp_pairs() if self.bracket.mdps else []
        taken = {place for pair in found for place in pair}
        remainder = [p for p in self.bracket.residents if p not in taken]
        return found + self._remainder_pairs(remainder)

    def some_best(self) -> _Pairs:
        """One of the best pairings."""
        self._solve()
        self._add_unplayed()
        return [edge for edge in self.inside if self.partners.get(edge[0]) == edge[1]]

    def left_over(self) -> list[int]:
        """Who has no partner in bracket and next group."""
        near = (*self.bracket.members, *self.following)
        return [place for place in near if place not in self.partners]

    def _solve(self, order: _Order | None = None) -> None:
        room = order.room if order else 1
        edges = {edge: weight * room for edge, weight in self.outside.items()}
        for (one, two), weight in self.inside.items():
            edges[one, two] = weight * room + (order.worth(one, two) if order else 0)
        self.partners = heaviest(edges, most_pairs=self.is_whole)

    def _add_unplayed(self) -> None:
        """C9: only when exactly one floats, and has the bye."""
        members = set(self.bracket.members)
        floaters = [p for p in members if self.partners.get(p) not in members]
        if not self.bracket.bye_falls_here or len(floaters) != 1:
            return
        for place in members & self.bracket.bye:
            unplayed = self.field.entrants[place].unplayed
            self.outside[place, BYE] = -self.criteria.c9 * unplayed
        self._solve()

    def _mdp_pairs(self) -> _Pairs:
        """The MDPs that are paired, with their opponents; these edges alone stay inside for them."""
        self._solve(_mdp_order(self.bracket))
        residents = self.bracket.residents
        found = [
            (m, self.partners[m]) for m in self.bracket.mdps if self.partners.get(m) in residents
        ]
        closed = {*self.bracket.mdps, *(resident for _, resident in found)}
        self.inside = {
            edge: weight
            for edge, weight in self.inside.items()
            if edge in found or not closed & set(edge)
        }
        return found

    def _remainder_pairs(self, remainder: Sequence[int]) -> _Pairs:
        """The remainder, or the homogeneous bracket: first who is in S1 and S2, then the transposition."""
        inside = set(remainder)
        pairs = sum(self.partners.get(p) in inside for p in remainder) // 2
        if not pairs:
            return []
        self._solve(_exchange_order(remainder[:pairs], remainder[pairs:]))
        heads = {p for p in remainder if self.partners.get(p) in inside and p < self.partners[p]}
        self.inside = {
            (one, two): weight
            for (one, two), weight in self.inside.items()
            if one not in inside or (one in heads and two not in heads)
        }
        first = sorted(heads)
        self._solve(_transposition_order(first, [p for p in remainder if p not in heads]))
        return [(p, self.partners[p]) for p in first]


def _mask(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


def _mdp_order(bracket: Bracket) -> _Order:
    """4.4 the set of MDPs, the smallest differing BSN first; then 4.2 their opponents."""
    bsn = {place: n for n, place in enumerate(bracket.residents, start=1)}
    digits = Digits()
    opponent = {mdp: digits.take(len(bsn) + 1) for mdp in reversed(bracket.mdps)}
    paired = {mdp: digits.take(1) for mdp in reversed(bracket.mdps)}

    def worth(one: int, two: int) -> int:
        return paired[one] - opponent[one] * bsn[two] if one in paired else 0

    return _Order(worth, digits.next)


def _exchange_order(first: Sequence[int], second: Sequence[int]) -> _Order:
    """4.3 as digits. In the first exchange that makes a pairing S1 is the higher player of each pair.

    Of a pair from S2 the higher one moves to S1, of a pair from S1 the lower one to S2, with the unpaired: the numbers of
    those in S1 afterwards, less the same sum before, are the difference of 4.3.2.
    """
    bsn = {place: n for n, place in enumerate((*first, *second), start=1)}
    digits = Digits()
    enters = {place: digits.take(1) for place in reversed(second)}  # 4.3.4
    stays = {place: digits.take(1) for place in first}  # 4.3.3
    difference = digits.take(len(bsn) ** 2)  # 4.3.2
    exchange = digits.take(len(bsn))  # 4.3.1

    def worth(one: int, _two: int) -> int:
        if one not in bsn:
            return 0
        sum_so_far = -difference * bsn[one]
        return sum_so_far - stays[one] if one in stays else sum_so_far - exchange + enters[one]

    return _Order(worth, digits.next)


def _transposition_order(first: Sequence[int], second: Sequence[int]) -> _Order:
    """4.2: the opponents of S1 from its first player on, in lexicographic order."""
    bsn = {place: n for n, place in enumerate(second, start=1)}
    digits = Digits()
    opponent = {place: digits.take(len(bsn)) for place in reversed(first)}

    def worth(one: int, two: int) -> int:
        return -opponent[one] * bsn[two] if one in opponent else 0

    return _Order(worth, digits.next)
