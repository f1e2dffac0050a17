"""The quick way through a bracket: a bound that is reached proves the pairing best, bits find the first of the best.

C6 and C7 say how many of each score float; C9 to C21 are bounded by prices. Who floats is then shown to the next bracket:
where C8 is as good as for any floaters at all, and the round can be completed, the pairing is best. Where a bound is not
reached the answer is None and `exact` does the work.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum, auto
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.bits import PerfectMatching, first_transversal
from tournaments.pairing.dutch.completion import induced
from tournaments.pairing.dutch.exchanges import heads
from tournaments.pairing.dutch.floaters import is_best_for_next, least_floaters, left_in_next
from tournaments.pairing.dutch.tight import TightGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.bracket import Bracket
    from tournaments.pairing.dutch.completion import Completion
    from tournaments.pairing.dutch.field import Field
    from tournaments.pairing.problem import PairingProblem


_Pairs = list[tuple[int, int]]


def quick_pairs(
    problem: PairingProblem, field: Field, bracket: Bracket, completion: Completion
) -> _Pairs | None:
    """The pairs of the bracket by place, or None when they are not found this way."""
    floating = least_floaters(field, bracket)
    count = floating.total()
    if count == len(bracket.members):
        return []  # nobody can meet; the round can be completed, as it could before this bracket
    if count > 1 and (bracket.bye_falls_here or not bracket.below):
        return None
    search = _Search(problem, field, bracket, floating)
    if not count:
        return search.pairs(0) if completion.completes_below(bracket) else None
    barred = 0
    while True:
        found = search.pairs(barred)
        if found is None:
            return None
        paired = {p for pair in found for p in pair}
        floaters = [p for p in bracket.members if p not in paired]
        if count == 1 and completion.takes_floater(bracket, floaters[0]):
            return found
        verdict = _next_bracket(field, bracket, completion, floaters)
        if verdict is _Verdict.BEST:
            return found
        if count > 1 or floaters[0] in bracket.mdps or verdict is _Verdict.UNKNOWN:
            return None
        # Whoever floats in the end does better in C8 than this one, or leaves a round that can be completed.
        barred |= 1 << search.members.index(floaters[0])


def pairs_without(
    problem: PairingProblem, field: Field, bracket: Bracket, floater: int
) -> _Pairs | None:
    """Best pairs of an odd bracket from which this one moves down, in C9 to C21, or None when not found this way."""
    if len(bracket.members) % 2 == 0 or len(bracket.members) == 1:
        return None
    search = _Search(problem, field, bracket, Counter([field.entrants[floater].halves]))
    everybody = (1 << len(search.members)) - 1
    return search.pairs(everybody & ~(1 << search.members.index(floater)))


def reaches_bound(
    problem: PairingProblem, field: Field, bracket: Bracket, pairs: Sequence[tuple[int, int]]
) -> bool:
    """Whether prices of players prove that no pairing of the bracket is better in C9 to C21 than these pairs.

    They do when the pairs, and the place to float to, are tight edges (complementary slackness). False says nothing: the
    bound may be too high, or the bracket not one for it.
    """
    paired = {place for pair in pairs for place in pair}
    left = [place for place in bracket.members if place not in paired]
    if len(left) > 1 or paired.isdisjoint(bracket.members) or not paired.issuperset(bracket.mdps):
        return False
    floating = Counter(field.entrants[place].halves for place in left)
    bound = TightGraph(problem, field, bracket, floating).perfect(0)
    if bound is None:
        return False
    tight, _ = bound
    vertex = {place: v for v, place in enumerate(bracket.members)}
    edges = [(vertex[one], vertex[two]) for one, two in pairs]
    edges += [(vertex[place], len(vertex)) for place in left]
    return all(tight[one] >> two & 1 for one, two in edges)


class _Verdict(Enum):
    """What the next bracket says to floaters."""

    BEST = auto()
    WORSE = auto()
    UNKNOWN = auto()


def _next_bracket(
    field: Field, bracket: Bracket, completion: Completion, floaters: Sequence[int]
) -> _Verdict:
    """Whether others could serve C8 better, or let the round be completed where these do not (C4)."""
    if bracket.bye_falls_here or not bracket.below:
        return _Verdict.WORSE
    mates = completion.mates(floaters, bracket)
    if not mates:
        return _Verdict.WORSE
    left = left_in_next(field, floaters, bracket, mates)
    if not is_best_for_next(field, floaters, left, bracket):
        return _Verdict.WORSE
    if completion.takes_left(left, bracket):
        return _Verdict.BEST
    # Of two or more left over others of the same scores might have been taken.
    return _Verdict.WORSE if len(floaters) == 1 and len(left) < 2 else _Verdict.UNKNOWN


class _Search(TightGraph):
    """The search of the best pairing generated first among tight edges."""

    def pairs(self, barred: int) -> _Pairs | None:
        """The first of the best pairings in which none of the `barred` floats, if the bound is reached."""
        bound = self.perfect(barred)
        if bound is None:
            return None
        tight, mate = bound
        found = self._mdp_pairs(tight, mate)
        taken = sum(1 << v for pair in found for v in pair)
        remainder = [v for v in range(self.moved, len(self.members)) if not taken >> v & 1]
        rest = self._remainder(tight, remainder)
        return [(self.members[a], self.members[b]) for a, b in (*found, *rest)]

    def _mdp_pairs(self, tight: list[int], mate: list[int]) -> _Pairs:
        """The MDPs that are paired and their opponents; `tight` loses what that excludes.

        4.4: the first MDP that can be is among them, then the next; 4.2: the first MDP has the first resident that leaves
        a best pairing, then the next.
        """
        if not self.moved:
            return []
        graph = PerfectMatching(tight, mate)
        residents = (1 << len(self.members)) - (1 << self.moved)
        paired = []
        for v in range(self.moved):
            if len(self.exits) == self.homes or graph.choose(v, residents) >= 0:
                graph.keep(v, residents)
                paired.append(v)
            else:
                graph.keep(v, ~residents)
        found = []
        for mdp in paired:
            resident = graph.choose(mdp, residents)
            graph.close(mdp, resident)
            found.append((mdp, resident))
        return found

    def _remainder(self, tight: Sequence[int], remainder: Sequence[int]) -> _Pairs:
        """The remainder, or the homogeneous bracket: the first exchange that does, then the first transposition."""
        size = (len(remainder) - self.homes) // 2
        chosen = self._transposition(tight, remainder[:size], remainder[size:])
        if chosen is not None:
            return list(zip(remainder[:size], chosen, strict=False))
        exits = range(len(self.members), len(self.members) + self.homes)
        graph = induced(tight, (*remainder, *exits))
        places = heads(graph, size, len(remainder))
        first = [remainder[v] for v in places]
        chosen = self._transposition(tight, first, [v for v in remainder if v not in first])
        assert chosen is not None, "these are the higher players of a perfect matching"
        return list(zip(first, chosen, strict=False))

    def _transposition(
        self, tight: Sequence[int], first: Sequence[int], second: Sequence[int]
    ) -> list[int] | None:
        """The opponents of S1, the first of S2 for the first of S1 that leaves a pairing (4.2), or None."""
        column = sum(1 << v for v in second)
        rows = [tight[v] & column for v in first]
        rows += [tight[len(self.members) + n] & column for n in range(self.homes)]
        return first_transversal(rows)
