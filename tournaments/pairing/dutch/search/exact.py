"""The sure way through a bracket: weighted matchings whose weights hold every criterion and the order of generation.

For any bracket. It is solved together with the next score group (C8). If the groups below cannot
take the remaining players (C4), it is solved with the whole field below. A superset's best pairing
that can be completed is the best. Edges that no best pairing can have are left out first, and with
them the digits of the criteria. The order of generation remains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.generation import (
    exchange_order,
    mdp_order,
    transposition_order,
)
from tournaments.pairing.dutch.rules.weights import BracketWeights
from tournaments.pairing.dutch.search.bits import bits
from tournaments.pairing.dutch.search.completion import BYE
from tournaments.pairing.dutch.search.needless import connected, without_forced
from tournaments.pairing.dutch.search.nested import heaviest_perfect
from tournaments.pairing.dutch.search.odd_sets import worth_of_tight
from tournaments.pairing.matching import refuse_too_many

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket, Pairs
    from tournaments.pairing.dutch.rules.generation import GenerationOrder
    from tournaments.pairing.dutch.search.completion import Completion

_NOBODY = -2  # whose partner is left over alone


def exact_pairs(bracket: Bracket, completion: Completion) -> Pairs:
    """Return the pairs of the bracket, higher place first."""
    if bracket.below and not bracket.bye_falls_here:
        graph = _Graph(bracket, is_whole=False)
        pairs = graph.first_best()
        if completion.takes_left(graph.left_over(), bracket):
            return pairs
    return complete_pairs(bracket)


def near_pairs(bracket: Bracket) -> Pairs:
    """Return the best pairs regardless of the pairing below the next score group (edition of 2017)."""
    return _Graph(bracket, is_whole=False).first_best()


def complete_pairs(bracket: Bracket) -> Pairs:
    """Return the best pairs if all players below have to be paired (C4)."""
    return _Graph(bracket, is_whole=True).first_best()


def best_pairs(bracket: Bracket, completion: Completion) -> Pairs:
    """Pairs of the bracket as good in every criterion as `exact_pairs`, but not the first of those generated."""
    if bracket.below and not bracket.bye_falls_here:
        graph = _Graph(bracket, is_whole=False)
        pairs = graph.some_best()
        if completion.takes_left(graph.left_over(), bracket):
            return pairs
    return _Graph(bracket, is_whole=True).some_best()


class _Graph:
    """A bracket and the groups below it. `partners` is the latest matching.

    `inside` are the edges between members that may still be chosen, `outside` all others.
    `unpaired` are those of them that are no pair: without the whole field below, any two whom
    bracket and next group leave over have such an edge.
    """

    def __init__(self, bracket: Bracket, *, is_whole: bool) -> None:
        self.field = bracket.field
        self.bracket = bracket
        self.is_whole = is_whole
        self.following = bracket.below[0] if bracket.below else range(0)
        self.weights = BracketWeights(bracket, self.following)
        self.partners: dict[int, int] = {}
        self.near = near = (*bracket.members, *self.following)
        self.unpaired: Collection[tuple[int, int]] = ()
        residents = _mask(bracket.residents)
        self.inside = {
            (one, two): self.weights.pair(one, two)
            for one, two in self._legal(bracket.members, residents)
        }
        self.outside = {
            (one, two): self.weights.pair_below(one, two)
            for one, two in self._legal(near, _mask(self.following))
        }
        if is_whole:
            self._add_rest(near)
        refuse_too_many(len(self.inside) + len(self.outside))

    def _legal(self, places: Iterable[int], lower: int) -> Iterator[tuple[int, int]]:
        """Legal pairs of one of the places with a lower place among the bits of `lower`."""
        for one in places:
            for two in bits(self.field.legal[one] & lower >> one + 1 << one + 1):
                yield one, two

    def _add_rest(self, near: Sequence[int]) -> None:
        """Add all players further down, and the bye.

        The only criterion there is that all are paired (C4).
        """
        rest = [place for group in self.bracket.below[1:] for place in group]
        for places in (near, rest):
            for pair in self._legal(places, _mask(rest)):
                self.outside.setdefault(pair, 0)
        here = (*near, *rest)
        self.outside.update(((place, BYE), 0) for place in here if place in self.bracket.bye)
        self._drop_needless()

    def _drop_needless(self) -> None:
        """Leave out edges that no complete pairing has, and players whom no chain of edges joins to a pair of the bracket (C4)."""
        possible = without_forced((*self.inside, *self.outside))
        self.inside = {edge: w for edge, w in self.inside.items() if edge in possible}
        near = connected(possible, {place for edge in self.inside for place in edge})
        self.outside = {edge: w for edge, w in self.outside.items() if edge in near}

    def first_best(self) -> Pairs:
        """Return the best pairing that is generated first."""
        self._narrow()
        # The set of MDPs is solved together with the criteria.
        if not self.bracket.mdps:
            self._solve()
        mdp_pairs = self._mdp_pairs() if self.bracket.mdps else []
        opponents = {opponent for _, opponent in mdp_pairs}
        remainder = [p for p in self.bracket.residents if p not in opponents]
        return mdp_pairs + self._remainder_pairs(remainder)

    def some_best(self) -> Pairs:
        """Return one of the best pairings."""
        self._narrow()
        self._solve()
        return [edge for edge in self.inside if self.partners.get(edge[0]) == edge[1]]

    def left_over(self) -> list[int]:
        """Return the players without a partner in bracket and next group."""
        return [place for place in self.near if place not in self.partners]

    def _narrow(self) -> None:
        """Keep the edges that best pairings can have, with digits that do no more than tell that a pairing is best."""
        if not self.bracket.bye_falls_here:
            self._narrow_by_criteria()
            return
        inside, outside = self.inside, self.outside
        self._narrow_by_criteria()
        self._solve()
        members = set(self.bracket.members)
        if sum(self.partners.get(p) not in members for p in members) != 1:
            return
        # C9: only when exactly one floats, and has the bye.
        byes = {(p, BYE): self.weights.bye(p) for p in members if (p, BYE) in outside}
        self.inside, self.outside = inside, outside | byes
        self._narrow_by_criteria()

    def _narrow_by_criteria(self) -> None:
        """Narrow the edges by the criteria, with the present weights."""
        edges = {**self.outside, **self.inside}
        single = set() if self.is_whole else {place for edge in edges for place in edge}
        if len(single) % 2:
            single.add(_NOBODY)
        worth = worth_of_tight(edges, self._kind, single)
        assert worth is not None, "the field can be completed"
        self.inside = {edge: w for edge, w in worth.items() if edge in self.inside}
        self.outside = {edge: w for edge, w in worth.items() if edge not in self.inside}
        self.unpaired = worth.keys() - edges.keys()
        if self.is_whole:
            self._drop_needless()

    def _kind(self, place: int) -> Hashable:
        """Return the inputs of the weights of a place."""
        if place in self.bracket.residents or place in self.bracket.mdps:
            return self.weights.kind(place), place in self.bracket.bye
        if place in self.following:
            return "next", self.field.players[place].score_halves
        return place if place < 0 else "rest"

    def _solve(self, order: GenerationOrder | None = None) -> None:
        room = order.room if order else 1
        edges = {edge: weight * room for edge, weight in self.outside.items()}
        for (one, two), weight in self.inside.items():
            edges[one, two] = weight * room + (order.worth(one, two) if order else 0)
        partners = heaviest_perfect(edges)
        for one, two in self.unpaired:
            if partners.get(one) == two:
                del partners[one], partners[two]
        self.partners = partners

    def _mdp_pairs(self) -> Pairs:
        """Return the MDPs that are paired, with their opponents.

        These edges alone stay inside for them.
        """
        self._solve(mdp_order(self.bracket))
        residents = self.bracket.residents
        pairs = [
            (m, self.partners[m]) for m in self.bracket.mdps if self.partners.get(m) in residents
        ]
        closed = {*self.bracket.mdps, *(resident for _, resident in pairs)}
        self.inside = {
            edge: weight
            for edge, weight in self.inside.items()
            if edge in pairs or not closed & set(edge)
        }
        return pairs

    def _remainder_pairs(self, remainder: Sequence[int]) -> Pairs:
        """Return the remainder, or the homogeneous bracket: first who is in S1 and S2, then the transposition."""
        inside = set(remainder)
        pairs = sum(self.partners.get(p) in inside for p in remainder) // 2
        if not pairs:
            return []
        self._solve(exchange_order(remainder[:pairs], remainder[pairs:]))
        s1 = {p for p in remainder if self.partners.get(p) in inside and p < self.partners[p]}
        self.inside = {
            (one, two): weight
            for (one, two), weight in self.inside.items()
            if one not in inside or (one in s1 and two not in s1)
        }
        first = sorted(s1)
        self._solve(transposition_order(first, [p for p in remainder if p not in s1]))
        return [(p, self.partners[p]) for p in first]


def _mask(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)
