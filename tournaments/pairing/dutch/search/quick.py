"""The quick way through a bracket: a bound that is reached proves the pairing best, bits find the first of the best.

C6 and C7 say how many of each score float. C9 to C21 are bounded by prices. The floaters are then
shown to the next bracket. If C8 is as good as for any floaters at all, and the round can be
completed, the pairing is best. If a bound is not reached the answer is None and `exact` does the
work.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tournaments.pairing.dutch.rules.bracket import BracketPairing
from tournaments.pairing.dutch.search.bits import PerfectMatching, first_transversal
from tournaments.pairing.dutch.search.completion import induced
from tournaments.pairing.dutch.search.exchanges import s1_after_exchange
from tournaments.pairing.dutch.search.floaters import is_best_for_next, least_floaters, left_in_next
from tournaments.pairing.dutch.search.tight import TightGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.pairing.dutch.rules.bracket import Bracket, Pairs
    from tournaments.pairing.dutch.search.completion import Completion


def quick_pairs(bracket: Bracket, completion: Completion) -> Pairs | None:
    """Return the pairs of the bracket by place, or None when they are not found this way."""
    floating = least_floaters(bracket)
    count = floating.total()
    if count == len(bracket.members):
        return []  # nobody can meet; the round can be completed, as it could before this bracket
    if count > 1 and (bracket.bye_falls_here or not bracket.below):
        return None
    search = _Search(bracket, floating)
    if not count:
        return search.pairs(0) if completion.takes(0, bracket.below) else None
    return _accepted_below(bracket, completion, search)


def _accepted_below(bracket: Bracket, completion: Completion, search: _Search) -> Pairs | None:
    """Return the first of the best pairings whose floaters are the best for the next bracket (C8) and let the round be completed."""
    pairs = search.pairs(0)
    if pairs is None:
        return None
    floaters = BracketPairing(bracket, pairs).floaters
    is_one = len(floaters) == 1
    if is_one and completion.takes_floater(bracket, floaters[0]):
        return pairs
    if bracket.bye_falls_here or not bracket.below:
        return None
    if is_one and floaters[0] not in bracket.mdps:
        # One whom the next bracket takes at its best does better in C8 than all others.
        taken = search.vertices(completion.floaters_taken(bracket))
        if taken:
            return search.pairs(~taken)
    return pairs if _are_best_below(bracket, completion, floaters) else None


def pairs_without(bracket: Bracket, floaters: Sequence[int]) -> Pairs | None:
    """Best pairs of an odd bracket from which one of these moves down, in C9 to C21, or None when not found this way.

    They have equal scores.
    """
    if len(bracket.members) % 2 == 0 or len(bracket.members) == 1:
        return None
    search = _Search(bracket, Counter([bracket.field.players[floaters[0]].score_halves]))
    return search.pairs(~search.vertices(sum(1 << place for place in floaters)))


def reaches_bound(pairing: BracketPairing) -> bool:
    """Return whether prices of players prove that no pairing of the bracket is better in C9 to C21 than this one.

    They do when the pairs, and the place to float to, are tight edges (complementary slackness).
    False is no proof of the contrary: the bound may be too high, or the bracket not suitable.
    """
    bracket, floaters = pairing.bracket, pairing.floaters
    if len(floaters) > 1 or not pairing.pairs or not set(floaters).isdisjoint(bracket.mdps):
        return False
    floating = Counter(bracket.field.players[place].score_halves for place in floaters)
    bound = TightGraph(bracket, floating).perfect(0)
    if bound is None:
        return False
    tight, _ = bound
    vertex = {place: v for v, place in enumerate(bracket.members)}
    edges = [(vertex[one], vertex[two]) for one, two in pairing.pairs]
    edges += [(vertex[place], len(vertex)) for place in floaters]
    return all(tight[one] >> two & 1 for one, two in edges)


def _are_best_below(bracket: Bracket, completion: Completion, floaters: Sequence[int]) -> bool:
    """Return whether no others could serve C8 better, and these let the round be completed (C4)."""
    mates = completion.mates(floaters, bracket)
    if not mates:
        return False
    left = left_in_next(bracket.next(floaters), mates)
    return is_best_for_next(bracket, floaters, left) and completion.takes_left(left, bracket)


class _Search(TightGraph):
    """The search of the best pairing generated first among tight edges."""

    def vertices(self, places: int) -> int:
        """Return the members at these places, both as bits."""
        return sum(1 << v for v, place in enumerate(self.members) if places >> place & 1)

    def pairs(self, barred: int) -> Pairs | None:
        """Return the first of the best pairings in which no `barred` player floats, if the bound is reached."""
        bound = self.perfect(barred)
        if bound is None:
            return None
        tight, mate = bound
        mdp_pairs = self._mdp_pairs(tight, mate)
        opponents = sum(1 << resident for _, resident in mdp_pairs)
        remainder = [v for v in range(self.mdp_count, len(self.members)) if not opponents >> v & 1]
        rest = self._remainder(tight, remainder)
        return [(self.members[a], self.members[b]) for a, b in (*mdp_pairs, *rest)]

    def _mdp_pairs(self, tight: list[int], mate: list[int]) -> Pairs:
        """Return the MDPs that are paired and their opponents.

        `tight` loses edges that they exclude.

        4.4: the first MDP that can be is among them, then the next. 4.2: the first MDP has the
        first resident that leaves a best pairing, then the next.
        """
        graph = PerfectMatching(tight, mate)
        residents = (1 << len(self.members)) - (1 << self.mdp_count)
        paired = []
        for v in range(self.mdp_count):
            if len(self.float_slots) == self.resident_floaters or graph.choose(v, residents) >= 0:
                graph.keep(v, residents)
                paired.append(v)
            else:
                graph.keep(v, ~residents)
        pairs = []
        for mdp in paired:
            resident = graph.choose(mdp, residents)
            graph.close(mdp, resident)
            pairs.append((mdp, resident))
        return pairs

    def _remainder(self, tight: Sequence[int], remainder: Sequence[int]) -> Pairs:
        """Return the remainder, or the homogeneous bracket: the first exchange that does, then the first transposition."""
        size = (len(remainder) - self.resident_floaters) // 2
        opponents = self._transposition(tight, remainder[:size], remainder[size:])
        if opponents is not None:
            return list(zip(remainder[:size], opponents, strict=False))
        slots = range(len(self.members), len(self.members) + self.resident_floaters)
        graph = induced(tight, (*remainder, *slots))
        first = [remainder[v] for v in s1_after_exchange(graph, size, len(remainder))]
        in_first = set(first)
        second = [v for v in remainder if v not in in_first]
        opponents = self._transposition(tight, first, second)
        assert opponents is not None, "these are the higher players of a perfect matching"
        return list(zip(first, opponents, strict=False))

    def _transposition(
        self, tight: Sequence[int], first: Sequence[int], second: Sequence[int]
    ) -> list[int] | None:
        """Return the opponents of S1, the first of S2 for the first of S1 that leaves a pairing (4.2), or None."""
        column = sum(1 << v for v in second)
        rows = [tight[v] & column for v in first]
        rows += [tight[len(self.members) + n] & column for n in range(self.resident_floaters)]
        return first_transversal(rows)
