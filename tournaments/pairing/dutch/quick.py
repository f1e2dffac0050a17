"""The quick way through a bracket: a bound that is reached proves the pairing best, bits find the first of the best.

Where it does not apply, or the bound is not reached, the answer is None and `exact` does the work. It applies when all
MDPs can be paired and at most one resident floats, whom the next bracket can take: then C6, C7 and C8 are as good as
they can be for anybody, and C9 to C21 are left.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from tournaments.pairing.colours import Strength
from tournaments.pairing.dutch.bits import augment, bits, first_transversal, matching
from tournaments.pairing.dutch.criteria import Criteria
from tournaments.pairing.dutch.duals import prices
from tournaments.pairing.dutch.field import Float

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.completion import Completion
    from tournaments.pairing.dutch.duals import Weights
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import PairingProblem

# Up to here every player is a kind of its own: the bound is sharper.
_SMALL = 14
# Exchanges tried before the exact way is taken.
_MOST_EXCHANGES = 600
# Exchanges of one size that are put in order.
_MOST_SWAPS = 40_000

_Pairs = list[tuple[int, int]]


def quick_pairs(
    problem: PairingProblem, field: Field, bracket: Bracket, completion: Completion
) -> _Pairs | None:
    """The pairs of the bracket by place, or None when they are not found this way."""
    if len(bracket.mdps) > len(bracket.residents):
        return None
    if len(bracket.members) == 1:
        return [] if completion.takes_floater(bracket, bracket.members[0]) else None
    search = _Search(problem, field, bracket)
    if not search.floats:
        return search.pairs(-1) if completion.completes_below(bracket) else None
    barred: set[int] = set()
    while True:
        found = search.pairs(sum(1 << v for v in barred))
        if found is None:
            return None
        paired = {p for pair in found for p in pair}
        floater = next(p for p in bracket.residents if p not in paired)
        if completion.takes_floater(bracket, floater):
            return found
        # Whoever floats in the end does better in C8 than this one.
        barred.add(search.members.index(floater))


def pairs_without(
    problem: PairingProblem, field: Field, bracket: Bracket, floater: int
) -> _Pairs | None:
    """Best pairs of an odd bracket from which this one moves down, in C9 to C21, or None when not found this way."""
    search = _Search(problem, field, bracket)
    everybody = (1 << len(search.members)) - 1
    if not search.floats or len(bracket.mdps) >= len(search.members):
        return None
    return search.pairs(everybody & ~(1 << search.members.index(floater)))


def reaches_bound(
    problem: PairingProblem, field: Field, bracket: Bracket, pairs: Sequence[tuple[int, int]]
) -> bool:
    """Whether prices of players prove that no pairing of the bracket is better in C9 to C21 than these pairs.

    False says nothing: the bound may be too high, or the bracket not one for it.
    """
    paired = {place for pair in pairs for place in pair}
    left = [place for place in bracket.members if place not in paired]
    if len(left) > 1 or paired.isdisjoint(bracket.members) or not paired.issuperset(bracket.mdps):
        return False
    return _Search(problem, field, bracket).reaches_bound(pairs)


class _Priced(NamedTuple):
    """Kinds of members: who is of each, what they are worth to each other, and the prices that bound that."""

    groups: list[list[int]]
    masks: list[int]
    neighbours: list[int]
    weights: Weights
    prices: list[int]


class _Search:
    """One bracket as a graph of its members and, when one of them floats, of the place where they float to."""

    def __init__(self, problem: PairingProblem, field: Field, bracket: Bracket) -> None:
        self.field = field
        self.bracket = bracket
        self.members = bracket.members
        self.moved = len(bracket.mdps)
        self.floats = len(self.members) % 2 == 1
        self.criteria = Criteria(
            problem,
            field,
            bracket.mdps,
            bracket.residents,
            (),
            mdps_may_float=False,
            residents_may_float=self.floats,
        )
        self.asked_floats = {Float.DOWN} if self.floats else set()
        if self.moved:
            self.asked_floats.add(Float.UP)
        self.legal = self._legal()
        self.has_topscorer = any(field.entrants[p].is_topscorer for p in self.members)

    def _legal(self) -> list[int]:
        """Who may meet whom, as bits over the members; MDPs do not meet each other."""
        start, size = self.bracket.residents.start, len(self.bracket.residents)
        window = (1 << size) - 1
        legal = []
        for v, place in enumerate(self.members):
            near = (self.field.legal[place] >> start & window) << self.moved
            if v >= self.moved:
                near |= sum(
                    1 << m
                    for m, mdp in enumerate(self.bracket.mdps)
                    if self.field.legal[place] >> mdp & 1
                )
            legal.append(near)
        return legal

    def pairs(self, barred: int) -> _Pairs | None:
        """The first of the best pairings in which none of the `barred` floats, if the bound is reached."""
        tight = self._tight(max(barred, 0))
        if tight is None:
            return None
        found = self._mdp_pairs(tight)
        if found is None:
            return None
        taken = sum(1 << v for pair in found for v in pair)
        remainder = [v for v in range(self.moved, len(self.members)) if not taken >> v & 1]
        rest = self._remainder(tight, remainder)
        if rest is None:
            return None
        return [(self.members[a], self.members[b]) for a, b in (*found, *rest)]

    def _tight(self, barred: int) -> list[int] | None:
        """The edges a best pairing may use, as bits; the floating place is the last vertex."""
        priced = self._priced(barred)
        if priced is None:
            return None
        tight = [0] * len(priced.neighbours)
        for k, group in enumerate(priced.groups):
            near = sum(
                priced.masks[other]
                for other, weight in enumerate(priced.weights[k])
                if weight is not None and priced.prices[k] + priced.prices[other] == 2 * weight
            )
            for v in group:
                tight[v] = priced.neighbours[v] & near
        return tight

    def _priced(self, barred: int) -> _Priced | None:
        """The kinds of members and their prices, or None when there is no perfect fractional matching."""
        kinds: dict[Hashable, list[int]] = {}
        for v in range(len(self.members)):
            kinds.setdefault(self._kind(v, barred), []).append(v)
        groups = list(kinds.values())
        if self.floats:
            groups.append([len(self.members)])
        masks = [sum(1 << v for v in group) for group in groups]
        neighbours = self.legal
        if self.floats:
            may_float = self._may_float(barred)
            neighbours = [
                mask | (may_float >> v & 1) << len(self.members)
                for v, mask in enumerate(self.legal)
            ]
            neighbours.append(may_float)
        weights = self._weights(groups, masks, neighbours)
        found = prices([len(group) for group in groups], weights)
        return None if found is None else _Priced(groups, masks, neighbours, weights, found)

    def reaches_bound(self, pairs: Sequence[tuple[int, int]]) -> bool:
        """Whether these pairs, of everybody but the one who floats, are worth as much as the prices allow."""
        priced = self._priced(0)
        if priced is None:
            return False
        index = {place: v for v, place in enumerate(self.members)}
        worth = sum(self.criteria.pair(one, two) for one, two in pairs)
        paired = {place for pair in pairs for place in pair}
        left = [place for place in self.members if place not in paired]
        if len(left) != self.floats:
            return False
        if left:
            worth += self._weight(index[left[0]], len(self.members))
        bound = sum(
            len(group) * price for group, price in zip(priced.groups, priced.prices, strict=True)
        )
        return bound == 2 * worth

    def _may_float(self, barred: int) -> int:
        mask = 0
        for v in range(self.moved, len(self.members)):
            if not self.bracket.bye_falls_here or self.members[v] in self.bracket.bye:
                mask |= 1 << v
        return mask & ~barred

    def _kind(self, v: int, barred: int) -> Hashable:
        """What the weights of a member depend on."""
        if len(self.members) <= _SMALL:
            return v
        entrant = self.field.entrants[self.members[v]]
        due = entrant.preference
        own = entrant.tpn if self.has_topscorer and due.strength is Strength.ABSOLUTE else 0
        kind = (due.side, due.strength, own)
        if v < self.moved:
            return kind, entrant.halves
        floats = tuple(f if f in self.asked_floats else None for f in entrant.floats)
        bye = (entrant.unplayed, self.members[v] in self.bracket.bye) if self._gives_bye() else ()
        return kind, floats, bye, barred >> v & 1

    def _gives_bye(self) -> bool:
        return self.floats and self.bracket.bye_falls_here

    def _weights(
        self, groups: Sequence[Sequence[int]], masks: Sequence[int], neighbours: Sequence[int]
    ) -> Weights:
        weights: Weights = [[None] * len(groups) for _ in groups]
        for k, group in enumerate(groups):
            near = 0
            for v in group:
                near |= neighbours[v]
            for other in range(k + 1):
                if near & masks[other] and (other != k or len(group) > 1):
                    weight = self._weight(group[0], groups[other][-1])
                    weights[k][other] = weights[other][k] = weight
        return weights

    def _weight(self, one: int, other: int) -> int:
        high, low = sorted((one, other))
        if low < len(self.members):
            return self.criteria.pair(self.members[high], self.members[low])
        if self._gives_bye():  # C9
            return -self.criteria.c9 * self.field.entrants[self.members[high]].unplayed
        return 0

    def _mdp_pairs(self, tight: Sequence[int]) -> _Pairs | None:
        """The opponents of the MDPs, the first MDP first, each the first resident that leaves a best pairing (4.2)."""
        if not self.moved:
            return []
        mate = matching(tight)
        if min(mate) < 0:
            return None
        open_vertices = (1 << len(tight)) - 1
        found = []
        for mdp in range(self.moved):
            for resident in bits(tight[mdp] & open_vertices):
                if self._moves_to(tight, mate, mdp, resident, open_vertices):
                    break
            found.append((mdp, mate[mdp]))
            open_vertices &= ~(1 << mdp | 1 << mate[mdp])
        return found

    def _moves_to(
        self, tight: Sequence[int], mate: list[int], mdp: int, resident: int, open_vertices: int
    ) -> bool:
        """Whether the perfect matching can be changed so that these two meet; `mate` is changed then."""
        if mate[mdp] == resident:
            return True
        lost, other = mate[mdp], mate[resident]
        trial = list(mate)
        trial[mdp], trial[resident] = resident, mdp
        trial[lost] = trial[other] = -1
        within = open_vertices & ~(1 << mdp | 1 << resident)
        narrowed = [mask & within if within >> v & 1 else 0 for v, mask in enumerate(tight)]
        if not augment(narrowed, trial, lost):
            return False
        mate[:] = trial
        return True

    def _remainder(self, tight: Sequence[int], remainder: Sequence[int]) -> _Pairs | None:
        """The remainder, or the homogeneous bracket: exchanges in their order, then the first transposition."""
        half = len(remainder) // 2
        first, second = remainder[:half], remainder[half:]
        columns = [sum(1 << v for v in second)]
        for tried, (leaving, entering) in enumerate(_exchanges(first, second)):
            if tried > _MOST_EXCHANGES:
                return None
            heads = sorted({*first, *entering} - {*leaving})
            column = columns[0] & ~sum(1 << v for v in entering) | sum(1 << v for v in leaving)
            rows = [tight[v] & column for v in heads]
            if self.floats:
                rows.append(tight[len(self.members)] & column)
            chosen = first_transversal(rows)
            if chosen is not None:
                return list(zip(heads, chosen, strict=False))
        return None


def _exchanges(
    first: Sequence[int], second: Sequence[int]
) -> Iterable[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Who leaves S1 and who leaves S2, in the order of generation (4.3); none first, then one, then two players."""
    yield (), ()
    bsn = {v: n for n, v in enumerate((*first, *second))}
    for size in (1, 2):
        if comb(len(first), size) * comb(len(second), size) > _MOST_SWAPS:
            return
        swaps = [(x, y) for x in combinations(first, size) for y in combinations(second, size)]
        swaps.sort(
            key=lambda swap: (
                sum(bsn[v] for v in swap[1]) - sum(bsn[v] for v in swap[0]),
                [-bsn[v] for v in reversed(swap[0])],
                [bsn[v] for v in swap[1]],
            )
        )
        yield from swaps
